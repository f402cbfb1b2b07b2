package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.status.StatusCode;
import java.io.IOException;
import java.util.concurrent.CancellationException;

/**
 * The failure of a request, as synchronous callers catch it. Inside the client, failures are {@link
 * dev.kudu4j.common.status.KuduException}; {@link #of} changes them at the edge.
 */
public abstract class KuduException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Status status;

  KuduException(Status status) {
    this(status, null);
  }

  KuduException(Status status, Throwable cause) {
    super(status.getMessage(), cause);
    this.status = status;
  }

  public Status getStatus() {
    return status == null ? Status.RuntimeError(getMessage()) : status;
  }

  /**
   * What a user is told of {@code failure}, wrappers such as CompletionException taken off. The
   * original, with the place where it arose, is the cause.
   */
  static KuduException of(Throwable failure) {
    Throwable bare = Failures.unwrap(failure);
    if (bare instanceof KuduException known) {
      return known;
    }
    if (bare instanceof RpcException refused) {
      return new RpcRemoteException(Status.of(refused), refused);
    }
    if (bare instanceof dev.kudu4j.common.status.KuduException known) {
      return new NonRecoverableException(Status.of(known), known);
    }
    if (bare instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return new NonRecoverableException(
          Status.Aborted("Interrupted while waiting for the cluster"), bare);
    }
    if (bare instanceof CancellationException) {
      return new NonRecoverableException(Status.Aborted("The request was cancelled"), bare);
    }
    StatusCode code =
        bare instanceof IOException
            ? StatusCode.IO_ERROR
            : bare instanceof IllegalArgumentException
                ? StatusCode.INVALID_ARGUMENT
                : StatusCode.RUNTIME_ERROR;
    return new NonRecoverableException(Status.of(code, String.valueOf(bare)), bare);
  }

  /** This failure, told as of the place where the caller waits; where it arose is in the cause. */
  KuduException thrownHere() {
    setStackTrace(new Throwable().getStackTrace());
    return this;
  }
}
