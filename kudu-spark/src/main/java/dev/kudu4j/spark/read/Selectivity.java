package dev.kudu4j.spark.read;

import dev.kudu4j.spark.statistics.ColumnAnalysis;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.DoubleStream;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * Estimates the part of a table's rows that satisfies filters, from the statistics of columns:
 * values are taken to be equally frequent, numbers to be evenly distributed, and columns to be
 * independent. A filter about which nothing is known keeps all rows.
 *
 * @param rows the number of rows of the table
 * @param columns the analyzed columns, by name
 */
record Selectivity(long rows, Map<String, ColumnAnalysis> columns) {
  private static final double ALL = 1;

  /** The part, from 0 to 1, that satisfies all filters. */
  double of(List<Predicate> filters) {
    return filters.stream().mapToDouble(this::of).reduce(ALL, (left, right) -> left * right);
  }

  private double of(Expression filter) {
    if (!(filter instanceof Predicate predicate)) {
      return ALL;
    }
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "AND" -> parts(children).reduce(ALL, (left, right) -> left * right);
      case "OR" -> Math.min(ALL, parts(children).sum());
      case "IS_NULL" -> nulls(children[0]).orElse(ALL);
      case "IS_NOT_NULL" -> ALL - nulls(children[0]).orElse(0.0);
      case "=", "<=>", "IN" -> equal(children[0], children.length - 1);
      case "<", "<=" -> between(children, (below, above) -> below);
      case ">", ">=" -> between(children, (below, above) -> above);
      default -> ALL;
    };
  }

  private DoubleStream parts(Expression[] filters) {
    return Arrays.stream(filters).mapToDouble(this::of);
  }

  private Optional<ColumnAnalysis> column(Expression expression) {
    return expression instanceof NamedReference reference && reference.fieldNames().length == 1
        ? Optional.ofNullable(columns.get(reference.fieldNames()[0]))
        : Optional.empty();
  }

  private Optional<Double> nulls(Expression of) {
    return rows == 0
        ? Optional.empty()
        : column(of)
            .filter(column -> column.nullCount().isPresent())
            .map(column -> Math.min(ALL, (double) column.nullCount().getAsLong() / rows));
  }

  private double equal(Expression of, int values) {
    return column(of)
        .filter(column -> column.distinctCount().orElse(0) > 0)
        .map(column -> Math.min(ALL, (double) values / column.distinctCount().getAsLong()))
        .orElse(ALL);
  }

  /**
   * @param side selects from the parts below and above the literal
   */
  private double between(Expression[] sides, DoubleBinaryOperator side) {
    Optional<ColumnAnalysis> column = column(sides[0]);
    if (column.isEmpty() || !(sides[1] instanceof Literal<?> literal)) {
      return ALL;
    }
    Optional<Double> min = column.get().min().flatMap(Selectivity::number);
    Optional<Double> max = column.get().max().flatMap(Selectivity::number);
    Optional<Double> value = Optional.ofNullable(literal.value()).flatMap(Selectivity::number);
    if (min.isEmpty() || max.isEmpty() || value.isEmpty() || min.get() >= max.get()) {
      return ALL;
    }
    if (value.get() < min.get() || value.get() > max.get()) {
      return ALL; // rows may have been added since the analysis
    }
    double below = (value.get() - min.get()) / (max.get() - min.get());
    return side.applyAsDouble(below, ALL - below);
  }

  /** A number, date or timestamp in the internal form of Spark. */
  private static Optional<Double> number(Object value) {
    if (value instanceof Number number) {
      return Optional.of(number.doubleValue());
    }
    return value instanceof org.apache.spark.sql.types.Decimal decimal
        ? Optional.of(decimal.toDouble())
        : Optional.empty();
  }
}
