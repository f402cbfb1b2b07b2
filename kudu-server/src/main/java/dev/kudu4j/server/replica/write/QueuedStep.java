package dev.kudu4j.server.replica.write;

/**
 * A step of a transaction for the log of a tablet.
 *
 * @param entry the encoded PREPARE, COMMIT or ABORT
 * @param turn when it may be logged
 * @param first whether it goes before the steps that are not first: prepared transactions hold up
 *     writers, others do not. If its turn has passed when it is appended to the log, a step that is
 *     first is refused, and another one waits for its next turn.
 */
public record QueuedStep(byte[] entry, Turn turn, boolean first) {
  /** When a step may be logged. Called under the queue's lock, and often, so it must be cheap. */
  @FunctionalInterface
  public interface Turn {
    Turn NOW = () -> Answer.LOG;

    Answer now();

    /** What to do with a step now. */
    enum Answer {
      LOG,
      /** It would meet a reserved timestamp, and cost an entry without an effect. */
      WAIT,
      /** It can never be logged as it is. Its coordinator tries again, or sends another one. */
      REFUSE
    }
  }
}
