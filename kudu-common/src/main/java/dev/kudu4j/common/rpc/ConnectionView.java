package dev.kudu4j.common.rpc;

import java.util.List;

/**
 * A client's connection to a server at one moment.
 *
 * @param calls that have arrived and are not answered
 */
public record ConnectionView(Caller caller, List<CallView> calls) {
  /**
   * A call in flight.
   *
   * @param nanos since it arrived
   * @param started whether a worker has taken it up
   */
  public record CallView(String service, String method, long nanos, boolean started) {}

  public ConnectionView {
    calls = List.copyOf(calls);
  }
}
