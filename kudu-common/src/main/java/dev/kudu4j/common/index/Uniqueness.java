package dev.kudu4j.common.index;

/**
 * Whether an index allows equal values, and how far a unique index is. Numbers are stored on disk
 * and sent on the wire, so they are never reused.
 *
 * <pre>
 *   NOT_UNIQUE
 *   PREPARING --> ENFORCED --> CHECKED
 *            \            \
 *             +------------+--> FAILED       rows with equal values were found
 * </pre>
 */
public enum Uniqueness {
  /** Any number of rows may have equal values. */
  NOT_UNIQUE(0),
  /** Files are built, and the rows that exist are checked. Writes are not. */
  PREPARING(1),
  /** Writes are checked. The rows are checked again: some came during the first check. */
  ENFORCED(2),
  /** Writes are checked, and no two rows have equal values. */
  CHECKED(3),
  /** Two rows have equal values, so writes are not checked; the index must be dropped. */
  FAILED(4);

  private final int number;

  Uniqueness(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /** The state with a number; {@link #FAILED} if it is unknown, so that nothing is promised. */
  public static Uniqueness ofNumber(int number) {
    for (Uniqueness state : values()) {
      if (state.number == number) {
        return state;
      }
    }
    return FAILED;
  }

  /** Whether the index was created as a unique one. */
  public boolean isWanted() {
    return this != NOT_UNIQUE;
  }

  /** Whether a write fails if a row with its value exists. */
  public boolean isEnforced() {
    return this == ENFORCED || this == CHECKED;
  }

  /** Whether tablets look for rows with equal values. */
  public boolean isChecking() {
    return this == PREPARING || this == ENFORCED;
  }

  /** The state after a check that found no equal values. */
  public Uniqueness next() {
    return this == PREPARING ? ENFORCED : this == ENFORCED ? CHECKED : this;
  }
}
