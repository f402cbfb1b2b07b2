package dev.kudu4j.common.expression;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.status.KuduException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate function and its argument. It is computed for each group.
 *
 * @param argument the aggregated expression; NULLs are ignored. Null for COUNT(*)
 * @param filter selects the rows that are aggregated; null for all rows of the group
 */
public record Aggregate(
    Function function, @Nullable Expression argument, @Nullable Condition filter) {
  private static final int SUM_PRECISION = 38;

  /**
   * The aggregate function. If a group has only NULLs, every function except COUNT returns null.
   */
  public enum Function {
    COUNT,
    SUM,
    MIN,
    MAX,
    AVG,
    /**
     * A {@link dev.kudu4j.common.sketch.DistinctSketch} of the values of a column, from which a
     * client estimates how many there are.
     */
    DISTINCT_SKETCH
  }

  public Aggregate {
    if (argument == null && function != Function.COUNT) {
      throw new IllegalArgumentException(function + " requires an argument");
    }
    if (function != Function.COUNT
        && argument instanceof Expression.Column compared
        && compared.column().isArray()) {
      throw KuduException.notSupported(
          "%s of column %s is not supported: arrays have no order, and equal ones may have"
              + " different bytes; use COUNT",
          function, compared.column());
    }
  }

  public Aggregate(Function function, @Nullable Expression argument) {
    this(function, argument, null);
  }

  /** COUNT(*). */
  public static Aggregate count() {
    return new Aggregate(Function.COUNT, null);
  }

  public static Aggregate count(Expression argument) {
    return new Aggregate(Function.COUNT, argument);
  }

  public static Aggregate sum(Expression argument) {
    return new Aggregate(Function.SUM, argument);
  }

  public static Aggregate min(Expression argument) {
    return new Aggregate(Function.MIN, argument);
  }

  public static Aggregate max(Expression argument) {
    return new Aggregate(Function.MAX, argument);
  }

  public static Aggregate avg(Expression argument) {
    return new Aggregate(Function.AVG, argument);
  }

  public static Aggregate distinctSketch(Expression column) {
    return new Aggregate(Function.DISTINCT_SKETCH, column);
  }

  /** This aggregate over the rows that a condition selects. */
  public Aggregate filteredBy(Condition rows) {
    return new Aggregate(function, argument, rows);
  }

  /** The argument if it is a column without arithmetic; else null. */
  public @Nullable ColumnSchema column() {
    return argument instanceof Expression.Column column ? column.column() : null;
  }

  /**
   * The column of the results of the function: a 64-bit integer for COUNT, a double for AVG and for
   * sums of doubles, a decimal of 38 digits for other sums, binary for a sketch, and the argument's
   * type for MIN and MAX, which is a decimal of 38 digits for exact arithmetic.
   *
   * @throws dev.kudu4j.common.status.KuduException NOT_SUPPORTED if the function cannot be computed
   *     of the argument
   */
  ColumnSchema resultColumn(String name) {
    if (function == Function.COUNT) {
      return ColumnSchema.builder(name, DataType.INT64).build();
    }
    ColumnSchema plain = column();
    if (function == Function.DISTINCT_SKETCH) {
      if (plain == null) {
        throw KuduException.notSupported("Only the distinct values of a column can be counted");
      }
      return ColumnSchema.builder(name, DataType.BINARY).nullable(true).build();
    }
    if (plain != null && (function == Function.MIN || function == Function.MAX)) {
      return ColumnSchema.builder(name, plain.type())
          .nullable(true)
          .decimal(plain.precision(), plain.scale())
          .length(plain.length())
          .withoutTimeZone(plain.isWithoutTimeZone())
          .build();
    }
    NumberType type = NumberType.of(Objects.requireNonNull(argument));
    if (function == Function.AVG || type.floating()) {
      return ColumnSchema.builder(name, DataType.DOUBLE).nullable(true).build();
    }
    return ColumnSchema.builder(name, DataType.DECIMAL128)
        .nullable(true)
        .decimal(SUM_PRECISION, type.scale())
        .build();
  }
}
