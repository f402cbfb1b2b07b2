package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.common.rpc.RpcException;
import java.io.IOException;

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
    if (bare instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    Status status = Status.of(FailureStatus.of(bare));
    return bare instanceof RpcException
        ? new RpcRemoteException(status, bare)
        : new NonRecoverableException(status, bare);
  }

  /** This failure, told as of the place where the caller waits; where it arose is in the cause. */
  KuduException thrownHere() {
    setStackTrace(new Throwable().getStackTrace());
    return this;
  }
}
