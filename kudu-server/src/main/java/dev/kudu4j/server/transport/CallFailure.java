package dev.kudu4j.server.transport;

import java.io.IOException;

/** A call to another server that got no answer, or one that says that it failed there. */
final class CallFailure extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean atPeer;

  private CallFailure(String message, boolean atPeer, Throwable cause) {
    super(message, cause);
    this.atPeer = atPeer;
  }

  static CallFailure ofConnection(String message, Throwable cause) {
    return new CallFailure(message, false, cause);
  }

  static CallFailure atPeer(String message) {
    return new CallFailure(message, true, null);
  }

  /** Whether the other server got the request; else the connection is to blame. */
  boolean isAtPeer() {
    return atPeer;
  }

  /** One stands for one call among many; where in our code it was noticed tells nothing. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
