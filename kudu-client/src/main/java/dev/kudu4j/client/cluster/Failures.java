package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.UnknownHostException;

/** Classifies failures of futures for requests that may be retried. */
public final class Failures {
  private Failures() {}

  /** The failure inside the wrappers that futures put around it. */
  public static Throwable unwrap(Throwable failure) {
    return dev.kudu4j.common.status.Failures.unwrap(failure);
  }

  /**
   * Whether the same request to the same server may succeed a little later: the server was not
   * reached or did not answer in time, is busy or stopping, or has not opened the tablet yet.
   */
  public static boolean isTransient(Throwable failure) {
    Throwable bare = unwrap(failure);
    if (bare instanceof RpcException refused) {
      return switch (refused.errorCode()) {
        case ERROR_SERVER_TOO_BUSY, ERROR_UNAVAILABLE, FATAL_SERVER_SHUTTING_DOWN -> true;
        default -> false;
      };
    }
    boolean unopened =
        bare instanceof TabletServerFailure refused
            && refused.error() == TabletServerErrorPB.Code.TABLET_NOT_RUNNING;
    return unopened || isNetwork(bare) || hasCode(bare, StatusCode.SERVICE_UNAVAILABLE);
  }

  /** Whether the request failed because the client was closed. */
  static boolean isClosed(Throwable failure) {
    return hasCode(failure, StatusCode.ABORTED);
  }

  /** Whether the server was unreachable, closed the connection or did not answer in time. */
  static boolean isNetwork(Throwable failure) {
    return hasCode(failure, StatusCode.NETWORK_ERROR) || isTimeout(failure);
  }

  static boolean isTimeout(Throwable failure) {
    return hasCode(failure, StatusCode.TIMED_OUT);
  }

  /** Whether a host name could not be resolved. */
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
