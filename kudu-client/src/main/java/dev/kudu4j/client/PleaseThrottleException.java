package dev.kudu4j.client;

import java.util.concurrent.CompletableFuture;

/**
 * The session has no room for an operation just now. Try again when {@link #getDeferred} is done.
 */
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

  /** The operation that was not taken. */
  @Override
  public Operation getFailedRpc() {
    return operation;
  }

  /** Done when there is room again; never fails. */
  public CompletableFuture<?> getDeferred() {
    return room;
  }
}
