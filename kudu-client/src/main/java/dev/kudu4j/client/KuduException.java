package dev.kudu4j.client;

import java.io.IOException;

/**
 * STUB (core engineer). The failure of a request, as synchronous callers catch it. Inside the
 * client, failures are {@link dev.kudu4j.common.status.KuduException}; {@link #of} changes them at
 * the edge.
 */
public abstract class KuduException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Status status;

  KuduException(Status status, Throwable cause) {
    super(status.toString(), cause);
    this.status = status;
  }

  public Status getStatus() {
    return status;
  }

  /** What a user is told of {@code failure}, wrappers such as CompletionException taken off. */
  static KuduException of(Throwable failure) {
    throw new UnsupportedOperationException("STUB");
  }
}
