package dev.kudu4j.client;

/** The newest errors of a session, and whether older errors were dropped. */
public final class RowErrorsAndOverflowStatus {
  private final RowError[] rowErrors;
  private final boolean overflowed;

  RowErrorsAndOverflowStatus(RowError[] rowErrors, boolean overflowed) {
    this.rowErrors = rowErrors;
    this.overflowed = overflowed;
  }

  /** The errors, the oldest first. */
  public RowError[] getRowErrors() {
    return rowErrors;
  }

  /** Whether errors were dropped because there were too many. */
  public boolean isOverflowed() {
    return overflowed;
  }
}
