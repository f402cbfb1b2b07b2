package dev.kudu4j.server.maintenance;

/**
 * The priority of an op: ops are ordered by reason, and by score among ops with the same reason.
 * Higher priorities run first.
 *
 * @param score comparable within one reason only
 */
public record OpPriority(Reason reason, double score) implements Comparable<OpPriority> {
  /** The reason to run an op now; later constants have higher priority. */
  public enum Reason {
    /** The op need not run now. */
    NONE,
    /** Reads get cheaper, or data in memory has become large or old. */
    PERFORMANCE,
    /** Frees disk space at the cost of little reading and writing. */
    DISK,
    /** A restart would have too much log to replay. */
    LOG,
    /** Memory is short, and the op frees memory. */
    MEMORY
  }

  static final OpPriority NOT_DUE = new OpPriority(Reason.NONE, 0);

  boolean isDue() {
    return reason != Reason.NONE;
  }

  /** Whether the op starts immediately, even while the scheduler rests after a compaction. */
  boolean isUrgent() {
    return reason == Reason.LOG || reason == Reason.MEMORY;
  }

  @Override
  public int compareTo(OpPriority other) {
    int byReason = reason.compareTo(other.reason);
    return byReason != 0 ? byReason : Double.compare(score, other.score);
  }
}
