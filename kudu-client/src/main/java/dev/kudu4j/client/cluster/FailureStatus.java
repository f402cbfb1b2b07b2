package dev.kudu4j.client.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.io.IOException;
import java.util.concurrent.CancellationException;

/** The code and the message of a failure, as users see them. */
public record FailureStatus(StatusCode code, String message) {
  /** The status of a failure, without the wrappers that futures put around it. */
  public static FailureStatus of(Throwable failure) {
    Throwable bare = Failures.unwrap(failure);
    if (bare instanceof KuduException known) {
      return new FailureStatus(known.code(), known.getMessage());
    }
    if (bare instanceof InterruptedException) {
      return new FailureStatus(StatusCode.ABORTED, "Interrupted while waiting for the cluster");
    }
    if (bare instanceof CancellationException) {
      return new FailureStatus(StatusCode.ABORTED, "The request was cancelled");
    }
    StatusCode code =
        bare instanceof IOException
            ? StatusCode.IO_ERROR
            : bare instanceof IllegalArgumentException
                ? StatusCode.INVALID_ARGUMENT
                : StatusCode.RUNTIME_ERROR;
    return new FailureStatus(code, String.valueOf(bare));
  }

  public boolean isTimedOut() {
    return code == StatusCode.TIMED_OUT;
  }
}
