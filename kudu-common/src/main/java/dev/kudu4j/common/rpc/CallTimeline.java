package dev.kudu4j.common.rpc;

/**
 * The times at which a sampled call reached the stages of its way through the server. Different
 * threads reach the stages, one after the other.
 */
public final class CallTimeline {
  /** A stage of a call. A call that does not write rows reaches none of the three in the middle. */
  public enum Stage {
    /** The event loop took up the frame. */
    RECEIVED,

    /** The call was parsed and passed to the threads of its service. */
    ADMITTED,

    /** The handler started. */
    STARTED,

    /** The rows were handed to Raft. */
    SUBMITTED,

    /** The entry was committed, and the replica started to apply it. */
    COMMITTED,

    /** The rows were applied. */
    APPLIED,

    /** The handler returned; it may respond later. */
    RETURNED,

    /** The response is there. */
    ANSWERED,

    /** All bytes of the response were written to the socket. */
    SENT
  }

  /** A part of a call's time. */
  public enum Span {
    /** Work on the event loop: parsing, and finding the method. */
    LOOP,

    /** Waiting for a thread. */
    QUEUE,

    /** Time in the handler, until it returned, responded, or handed rows to Raft. */
    HANDLER,

    /** Replication: from the handler's submission of rows until they were committed. */
    RAFT,

    /** Applying the rows. */
    APPLY,

    /** Encoding the response, and waiting until the socket took its bytes. */
    SEND
  }

  private final long[] nanos = new long[Stage.values().length];

  CallTimeline(long receivedNanos) {
    nanos[Stage.RECEIVED.ordinal()] = receivedNanos;
  }

  /** Records that the call has reached the stage now. */
  public void reached(Stage stage) {
    nanos[stage.ordinal()] = System.nanoTime();
  }

  /** Duration of a span in nanoseconds; -1 if the call did not pass through it. */
  public long nanos(Span span) {
    return switch (span) {
      case LOOP -> between(Stage.RECEIVED, at(Stage.ADMITTED));
      case QUEUE -> between(Stage.ADMITTED, at(Stage.STARTED));
      case HANDLER -> between(Stage.STARTED, endOfHandler());
      case RAFT -> between(Stage.SUBMITTED, at(Stage.COMMITTED));
      case APPLY -> between(Stage.COMMITTED, at(Stage.APPLIED));
      case SEND -> between(Stage.ANSWERED, at(Stage.SENT));
    };
  }

  private long endOfHandler() {
    long end = 0;
    for (Stage stage : new Stage[] {Stage.SUBMITTED, Stage.RETURNED, Stage.ANSWERED}) {
      long reached = at(stage);
      if (reached != 0 && (end == 0 || reached - end < 0)) {
        end = reached;
      }
    }
    return end;
  }

  private long at(Stage stage) {
    return nanos[stage.ordinal()];
  }

  private long between(Stage from, long end) {
    long start = at(from);
    return start == 0 || end == 0 ? -1 : Math.max(0, end - start);
  }
}
