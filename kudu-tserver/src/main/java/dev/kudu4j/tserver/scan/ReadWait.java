package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** The waits of reads for a time that this replica can read. */
public final class ReadWait {
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private ReadWait() {}

  /** For how long the call may wait. */
  public static long nanos(RpcCall call) {
    return call.deadlineNanos().isPresent()
        ? Math.max(
            1, Math.min(MAX_WAIT_NANOS, call.deadlineNanos().getAsLong() - System.nanoTime()))
        : MAX_WAIT_NANOS;
  }

  /**
   * Converts a timeout to SERVICE_UNAVAILABLE ("retry later"), so that the client repeats the
   * request and waits again.
   */
  public static RuntimeException later(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof KuduException known && known.code() == StatusCode.TIMED_OUT) {
      return KuduException.serviceUnavailable("%s; try again", String.valueOf(known.getMessage()));
    }
    return cause instanceof RuntimeException runtime ? runtime : new CompletionException(cause);
  }
}
