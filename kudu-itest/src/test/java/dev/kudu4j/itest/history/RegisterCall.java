package dev.kudu4j.itest.history;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One call to a register, with its start and end.
 *
 * <p>It is unknown whether and when a write without a response took effect: it is pending forever.
 * A read without a response has no information and is not part of a history.
 *
 * @param client the caller; calls of one client are sequential
 * @param value the written value, or the one that the read returned
 * @param invokedNanos start of the call
 * @param answeredNanos time of the response, or {@link #NEVER}
 */
public record RegisterCall(
    int client, Kind kind, long value, long invokedNanos, long answeredNanos) {
  /** The end of a write without a response. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The operations on a register. */
  public enum Kind {
    READ,
    WRITE
  }

  public RegisterCall {
    checkArgument(
        invokedNanos < answeredNanos, "Answered at %s, before %s", answeredNanos, invokedNanos);
    checkArgument(kind == Kind.WRITE || answeredNanos != NEVER, "A read without an answer");
  }

  public static RegisterCall read(int client, long value, long invokedNanos, long answeredNanos) {
    return new RegisterCall(client, Kind.READ, value, invokedNanos, answeredNanos);
  }

  public static RegisterCall write(int client, long value, long invokedNanos, long answeredNanos) {
    return new RegisterCall(client, Kind.WRITE, value, invokedNanos, answeredNanos);
  }

  public static RegisterCall unansweredWrite(int client, long value, long invokedNanos) {
    return new RegisterCall(client, Kind.WRITE, value, invokedNanos, NEVER);
  }

  public boolean isRead() {
    return kind == Kind.READ;
  }
}
