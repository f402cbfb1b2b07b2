package dev.kudu4j.client.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.concurrent.CompletionException;

/** What failures of futures mean to a request that may be tried again. */
final class Failures {
  private Failures() {}

  static Throwable bare(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** The client was closed: nothing will be answered any more. */
  static boolean isClosed(Throwable failure) {
    return hasCode(failure, StatusCode.ABORTED);
  }

  /** The server could not be reached, broke off or did not answer in time. */
  static boolean isNetwork(Throwable failure) {
    return hasCode(failure, StatusCode.NETWORK_ERROR) || isTimeout(failure);
  }

  static boolean isTimeout(Throwable failure) {
    return hasCode(failure, StatusCode.TIMED_OUT);
  }

  private static boolean hasCode(Throwable failure, StatusCode code) {
    return bare(failure) instanceof KuduException known && known.code() == code;
  }
}
