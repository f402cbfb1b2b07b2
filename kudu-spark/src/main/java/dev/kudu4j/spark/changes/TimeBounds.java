package dev.kudu4j.spark.changes;

import dev.kudu4j.util.HybridTimeUtil;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * The time in which a query looks for changes, in hybrid time.
 *
 * @param from inclusive; 0 for no bound
 * @param until exclusive; Long.MAX_VALUE for no bound
 */
record TimeBounds(long from, long until) {
  static final TimeBounds NONE = new TimeBounds(0, Long.MAX_VALUE);

  /** Hybrid times of one microsecond. */
  private static final long STEPS = 1L << HybridTimeUtil.hybridTimeNumBitsToShift;

  /**
   * The bounds of a range of versions, which are hybrid times.
   *
   * @param end empty for no end
   */
  static TimeBounds ofVersions(
      long start, boolean startIncluded, Optional<Long> end, boolean endIncluded) {
    return new TimeBounds(
        startIncluded ? start : next(start),
        end.map(last -> endIncluded ? next(last) : last).orElse(Long.MAX_VALUE));
  }

  private static long next(long value) {
    return value == Long.MAX_VALUE ? value : value + 1;
  }

  /**
   * The bounds of a range of wall-clock times, in microseconds since 1970.
   *
   * @param end empty for no end
   */
  static TimeBounds ofTimes(
      long start, boolean startIncluded, Optional<Long> end, boolean endIncluded) {
    TimeBounds micros = ofVersions(start, startIncluded, end, endIncluded);
    return new TimeBounds(hybrid(micros.from), hybrid(micros.until));
  }

  /** The first hybrid time of a microsecond; the last one of all for a time far ahead. */
  private static long hybrid(long micros) {
    return micros >= Long.MAX_VALUE / STEPS ? Long.MAX_VALUE : Math.max(0, micros) * STEPS;
  }

  /** These bounds, narrowed by a predicate if it compares the time with a constant. */
  TimeBounds with(Predicate predicate) {
    if (predicate.name().equals("AND")) {
      TimeBounds narrowed = this;
      for (Expression part : predicate.children()) {
        narrowed = part instanceof Predicate both ? narrowed.with(both) : narrowed;
      }
      return narrowed;
    }
    Expression[] sides = predicate.children();
    if (sides.length != 2) {
      return this;
    }
    if (sides[0] instanceof NamedReference column && sides[1] instanceof Literal<?> value) {
      return with(column, predicate.name(), value.value());
    }
    if (sides[1] instanceof NamedReference column && sides[0] instanceof Literal<?> value) {
      return with(column, turned(predicate.name()), value.value());
    }
    return this;
  }

  private static String turned(String comparison) {
    return switch (comparison) {
      case "<" -> ">";
      case "<=" -> ">=";
      case ">" -> "<";
      case ">=" -> "<=";
      default -> comparison;
    };
  }

  private TimeBounds with(NamedReference column, String comparison, Object value) {
    String[] name = column.fieldNames();
    if (name.length != 1 || !(value instanceof Long number) || number < 0) {
      return this;
    }
    if (name[0].equals(ChangeColumns.VERSION)) {
      return with(comparison, number, 1);
    }
    boolean fits = number < Long.MAX_VALUE / STEPS - 1;
    return name[0].equals(ChangeColumns.TIMESTAMP) && fits
        ? with(comparison, number * STEPS, STEPS)
        : this;
  }

  /**
   * @param step hybrid times that are equal to the value
   */
  private TimeBounds with(String comparison, long value, long step) {
    long behind = value > Long.MAX_VALUE - step ? Long.MAX_VALUE : value + step;
    return switch (comparison) {
      case "=", "<=>" -> new TimeBounds(Math.max(from, value), Math.min(until, behind));
      case ">=" -> new TimeBounds(Math.max(from, value), until);
      case ">" -> new TimeBounds(Math.max(from, behind), until);
      case "<" -> new TimeBounds(from, Math.min(until, value));
      case "<=" -> new TimeBounds(from, Math.min(until, behind));
      default -> this;
    };
  }
}
