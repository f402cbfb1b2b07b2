package dev.kudu4j.server.leaders;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;

/** Calls the leading master: asks the masters in turn until one of them leads. Thread-safe. */
public final class LeadingMaster {
  static final String SERVICE = "kudu.master.MasterService";

  /** A master that leads answers look-ups at once, and records a table within this time. */
  private static final long MAX_CALL_MILLIS = 2_000;

  private final Supplier<List<InetSocketAddress>> masters;
  private final RpcClient client;
  private final ScheduledExecutorService timer;

  /** Number of the master that answered last. */
  private volatile int last;

  /**
   * @param masters the present addresses of all masters
   * @param client borrowed
   * @param timer borrowed; never blocked
   */
  public LeadingMaster(
      Supplier<List<InetSocketAddress>> masters, RpcClient client, ScheduledExecutorService timer) {
    this.masters = masters;
    this.client = client;
    this.timer = timer;
  }

  /**
   * Calls a method of the leading master. Fails with the master's error, or with TIMED_OUT if no
   * master leads until the deadline.
   *
   * @param error the error in a response; the default instance if there is none
   * @param deadlineNanos on the scale of {@link System#nanoTime}
   */
  public <R extends Message> CompletableFuture<R> call(
      String service,
      String method,
      Message request,
      Parser<R> parser,
      Function<R, MasterErrorPB> error,
      long deadlineNanos) {
    int first = last;
    return Repetition.of(
        attempt -> {
          List<InetSocketAddress> now = masters.get();
          if (now.isEmpty()) {
            throw KuduException.serviceUnavailable("This server knows no master");
          }
          int number = (first + attempt) % now.size();
          return CallOutcome.call(
                  client,
                  now.get(number),
                  service,
                  method,
                  request,
                  parser,
                  MAX_CALL_MILLIS,
                  deadlineNanos)
              .thenApply(
                  response -> {
                    check(error.apply(response));
                    last = number;
                    return response;
                  });
        },
        deadlineNanos,
        timer);
  }

  private static void check(MasterErrorPB error) {
    if (error.equals(MasterErrorPB.getDefaultInstance())) {
      return;
    }
    KuduException failure = StatusWire.fromWire(error.getStatus());
    if (error.getCode() == MasterErrorPB.Code.NOT_THE_LEADER
        || error.getCode() == MasterErrorPB.Code.CATALOG_MANAGER_NOT_INITIALIZED
        || failure.code() == StatusCode.SERVICE_UNAVAILABLE) {
      throw new Repetition.Again(failure);
    }
    throw failure;
  }
}
