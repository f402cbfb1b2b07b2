package dev.kudu4j.server.transport;

import java.io.IOException;

/** A message of Raft that no correct member of the group sends. It never reaches Ratis. */
final class RejectedMessage extends IOException {
  private static final long serialVersionUID = 1L;

  RejectedMessage(String message) {
    super(message);
  }

  /** A stranger can cause many; where in our code it was noticed tells nothing. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
