package dev.kudu4j.benchmarks.selection;

import java.sql.Date;

/**
 * A range of the values of a column.
 *
 * @param lower the least value, as {@link CellType} describes it
 * @param upper the greatest value, which belongs to the range
 */
public record Range(String column, Object lower, Object upper) {
  /** The range of one value. */
  public static Range of(String column, Object value) {
    return new Range(column, value, value);
  }

  /** The least value of a range of numbers or dates, a date as days since 1970. */
  public long lowerNumber() {
    return number(lower);
  }

  /** The greatest value of a range of numbers or dates, a date as days since 1970. */
  public long upperNumber() {
    return number(upper);
  }

  private long number(Object value) {
    if (value instanceof Date date) {
      return date.toLocalDate().toEpochDay();
    }
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException("The range of " + column + " has no whole numbers");
  }

  @Override
  public String toString() {
    return lower.equals(upper)
        ? column + " = " + lower
        : column + " BETWEEN " + lower + " AND " + upper;
  }
}
