package dev.kudu4j.server.transport;

import java.io.IOException;

/** A Raft message that no correct member of the group sends. It never reaches Ratis. */
final class RejectedMessage extends IOException {
  private static final long serialVersionUID = 1L;

  RejectedMessage(String message) {
    super(message);
  }

  /**
   * Records no stack trace: an attacker can cause many of these exceptions, and the trace would
   * show only transport code.
   */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
