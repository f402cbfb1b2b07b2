package dev.kudu4j.common.rpc;

import java.util.List;

/**
 * A snapshot of a client's connection to a server.
 *
 * @param calls calls that have arrived and are not answered
 */
public record ConnectionView(Caller caller, List<CallView> calls) {
  /**
   * A call in flight.
   *
   * @param nanos time since it arrived
   * @param started whether a worker thread has started it
   */
  public record CallView(String service, String method, long nanos, boolean started) {}

  public ConnectionView {
    calls = List.copyOf(calls);
  }
}
