package dev.kudu4j.client;

/** The collected errors, and whether others were dropped. */
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
