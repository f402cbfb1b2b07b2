package dev.kudu4j.itest.history;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One call to a register, and when it was under way.
 *
 * <p>Of a write that was not answered nobody knows whether it took effect, nor when: it is under
 * way for ever. A read that was not answered says nothing and belongs into no history.
 *
 * @param client who called; calls of one client follow one another
 * @param value what was written, or what the read returned
 * @param invokedNanos when the call began
 * @param answeredNanos when the answer was there, or {@link #NEVER}
 */
public record RegisterCall(
    int client, Kind kind, long value, long invokedNanos, long answeredNanos) {
  /** When an unanswered write ended. */
  public static final long NEVER = Long.MAX_VALUE;

  /** What a register can be asked. */
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
