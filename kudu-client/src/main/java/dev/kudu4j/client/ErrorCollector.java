package dev.kudu4j.client;

import java.util.ArrayDeque;

/** Keeps the newest errors until {@link #getErrors} is called. Thread-safe. */
public final class ErrorCollector {
  private final ArrayDeque<RowError> errors = new ArrayDeque<>();
  private int maxErrors;
  private boolean overflowed;

  /**
   * @param maxErrors how many errors are kept
   */
  public ErrorCollector(int maxErrors) {
    this.maxErrors = checked(maxErrors);
  }

  private static int checked(int maxErrors) {
    if (maxErrors <= 0) {
      throw new IllegalArgumentException(
          "The error collector needs room for at least one error, not " + maxErrors);
    }
    return maxErrors;
  }

  public synchronized void addError(RowError error) {
    if (errors.size() >= maxErrors) {
      errors.poll();
      overflowed = true;
    }
    errors.add(error);
  }

  public synchronized int countErrors() {
    return errors.size();
  }

  /** Returns and removes the errors. */
  public synchronized RowErrorsAndOverflowStatus getErrors() {
    var all = new RowErrorsAndOverflowStatus(errors.toArray(new RowError[0]), overflowed);
    errors.clear();
    overflowed = false;
    return all;
  }

  /**
   * @throws IllegalArgumentException if more errors are already collected
   */
  public synchronized void resize(int newMaxErrors) {
    if (checked(newMaxErrors) < errors.size()) {
      throw new IllegalArgumentException(
          "The error collector holds "
              + errors.size()
              + " errors, more than "
              + newMaxErrors
              + "; fetch them first");
    }
    maxErrors = newMaxErrors;
  }
}
