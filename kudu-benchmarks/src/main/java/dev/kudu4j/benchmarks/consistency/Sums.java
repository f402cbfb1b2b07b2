package dev.kudu4j.benchmarks.consistency;

/**
 * What a reader saw.
 *
 * @param added sum of the accounts to which 1 is added
 * @param subtracted sum of their counterparts, not above 0
 */
public record Sums(long added, long subtracted) {
  /** The state before the first write. */
  public static final Sums NONE = new Sums(0, 0);

  /** This sum with one account more. */
  public Sums plus(long balance) {
    return balance > 0
        ? new Sums(added + balance, subtracted)
        : new Sums(added, subtracted + balance);
  }

  boolean isZero() {
    return added + subtracted == 0;
  }

  /** Whether an account is in an older state than in the other sums. */
  boolean isOlderThan(Sums other) {
    return added < other.added || subtracted > other.subtracted;
  }
}
