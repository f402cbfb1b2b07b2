package dev.kudu4j.server.maintenance;

/**
 * How urgent an op is: by reason first, and by score within a reason. The greater comes first.
 *
 * @param score comparable within one reason only
 */
public record OpPriority(Reason reason, double score) implements Comparable<OpPriority> {
  /** Why something is done now; later ones go first. */
  public enum Reason {
    /** Not due. */
    NONE,
    /** Reads get cheaper, or what is in memory has grown large or old. */
    PERFORMANCE,
    /** Frees disk space at the cost of little reading and writing. */
    DISK,
    /** A restart would have too much log to replay. */
    LOG,
    /** Memory is short, and this frees most. */
    MEMORY
  }

  static final OpPriority NOT_DUE = new OpPriority(Reason.NONE, 0);

  boolean isDue() {
    return reason != Reason.NONE;
  }

  /** Whether it cannot wait until the machine has had a rest. */
  boolean isPressing() {
    return reason == Reason.LOG || reason == Reason.MEMORY;
  }

  @Override
  public int compareTo(OpPriority other) {
    int byReason = reason.compareTo(other.reason);
    return byReason != 0 ? byReason : Double.compare(score, other.score);
  }
}
