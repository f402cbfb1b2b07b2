package dev.kudu4j.client;

import java.util.concurrent.CompletableFuture;

/** The session's buffers are full. Retry the operation when {@link #getDeferred} completes. */
public final class PleaseThrottleException extends RecoverableException
    implements HasFailedRpcException {
  private static final long serialVersionUID = 1L;

  private final transient Operation operation;
  private final transient CompletableFuture<?> room;

  PleaseThrottleException(Status status, Operation operation, CompletableFuture<?> room) {
    super(status);
    this.operation = operation;
    this.room = room;
  }

  /** The operation that was not accepted. */
  @Override
  public Operation getFailedRpc() {
    return operation;
  }

  /** Completes when there is buffer space again; never fails. */
  public CompletableFuture<?> getDeferred() {
    return room;
  }
}
