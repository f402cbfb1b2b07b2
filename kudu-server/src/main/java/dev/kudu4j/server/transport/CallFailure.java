package dev.kudu4j.server.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call to another server that got no response or failed on that server. */
final class CallFailure extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean atPeer;

  private CallFailure(String message, boolean atPeer, @Nullable Throwable cause) {
    super(message, cause);
    this.atPeer = atPeer;
  }

  static CallFailure ofConnection(String message, @Nullable Throwable cause) {
    return new CallFailure(message, false, cause);
  }

  static CallFailure atPeer(String message) {
    return new CallFailure(message, true, null);
  }

  /**
   * Whether the other server received the request and reported a failure. Otherwise the connection
   * failed.
   */
  boolean isAtPeer() {
    return atPeer;
  }

  /**
   * Records no stack trace: calls fail in large numbers, and the trace would show only transport
   * code.
   */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
