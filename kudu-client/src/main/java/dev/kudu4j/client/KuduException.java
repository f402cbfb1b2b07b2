package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.common.rpc.RpcException;
import java.io.IOException;

/**
 * The failure of a request, as users catch it. Inside the client, failures are {@link
 * dev.kudu4j.common.status.KuduException}; {@link #of} converts them at the API boundary.
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
   * The public exception for {@code failure}, without wrappers such as CompletionException. The
   * original, with its own stack trace, is the cause.
   */
  static KuduException of(Throwable failure) {
    Throwable bare = Failures.unwrap(failure);
    if (bare instanceof KuduException known) {
      return known;
    }
    if (bare instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    Status status = Status.of(FailureStatus.of(bare));
    return bare instanceof RpcException
        ? new RpcRemoteException(status, bare)
        : new NonRecoverableException(status, bare);
  }

  /**
   * This exception, with the stack trace of the waiting caller. The cause keeps the original stack
   * trace.
   */
  KuduException withCallerStackTrace() {
    setStackTrace(new Throwable().getStackTrace());
    return this;
  }
}
