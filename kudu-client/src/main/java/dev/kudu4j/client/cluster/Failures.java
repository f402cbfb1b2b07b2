package dev.kudu4j.client.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What failures of futures mean to a request that may be tried again. */
public final class Failures {
  private Failures() {}

  /** The failure inside the wrappers that futures put around it. */
  public static Throwable unwrap(Throwable failure) {
    Throwable bare = failure;
    while ((bare instanceof CompletionException || bare instanceof ExecutionException)
        && bare.getCause() != null) {
      bare = bare.getCause();
    }
    return bare;
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

  /** The name service knows no such host. */
  static boolean isUnknownHost(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasCode(Throwable failure, StatusCode code) {
    return unwrap(failure) instanceof KuduException known && known.code() == code;
  }
}
