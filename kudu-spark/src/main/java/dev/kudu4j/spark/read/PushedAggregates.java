package dev.kudu4j.spark.read;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduExpression;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.Cast;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;

/**
 * An aggregation that servers compute as Spark would. Its rows are parts of the result: Spark
 * merges those of all tasks, unless every group is within one tablet.
 *
 * <p>Not pushed are DISTINCT, aggregates of expressions that the servers do not have, decimals of
 * more than 18 digits except for MIN, MAX and COUNT, arrays except for COUNT, and groups by the
 * whole primary key, which are as many as rows. Sums of decimals of few digits are not pushed
 * either: they would be divided among many rows, see {@link AggregateRows}.
 *
 * @param groupBy names of columns
 * @param columns the columns of the rows that tasks return: the grouping columns, then the
 *     aggregates
 */
record PushedAggregates(List<String> groupBy, List<Call> calls, StructType columns) {
  /**
   * An aggregate.
   *
   * @param text the text in plans
   * @param add adds it to a builder, under a name
   */
  private record Call(String text, DataType type, BiConsumer<KuduAggregateBuilder, String> add) {
    /** A count is the only aggregate that is never NULL. */
    boolean isCount() {
      return text.startsWith(COUNT);
    }

    boolean isSum() {
      return text.startsWith(SUM);
    }
  }

  private static final int MIN_SUM_DIGITS = 12;

  private static final String SUM = "sum(";
  private static final String COUNT = "count(";

  /** The aggregation; empty if a part of it cannot be pushed. */
  static Optional<PushedAggregates> of(Aggregation aggregation, Schema schema) {
    if (aggregation.groupByExpressions().length + aggregation.aggregateExpressions().length == 0) {
      return Optional.empty();
    }
    PushedExpressions expressions = new PushedExpressions(schema);
    StructType columns = new StructType();
    List<String> groupBy = new ArrayList<>();
    for (Expression expression : aggregation.groupByExpressions()) {
      Optional<ColumnSchema> column =
          expressions.column(expression).filter(grouping -> !grouping.isArray());
      if (column.isEmpty() || groupBy.contains(column.get().getName())) {
        return Optional.empty();
      }
      groupBy.add(column.get().getName());
      columns =
          columns.add(
              column.get().getName(),
              SparkTypes.valueType(column.get()),
              column.get().isNullable());
    }
    if (groupBy.containsAll(
        schema.getPrimaryKeyColumns().stream().map(ColumnSchema::getName).toList())) {
      return Optional.empty();
    }
    List<Call> calls = new ArrayList<>();
    for (AggregateFunc function : aggregation.aggregateExpressions()) {
      Optional<Call> call = call(function, expressions);
      if (call.isEmpty()) {
        return Optional.empty();
      }
      columns =
          columns.add(resultName(calls.size(), groupBy), call.get().type(), !call.get().isCount());
      calls.add(call.get());
    }
    return Optional.of(new PushedAggregates(groupBy, calls, columns));
  }

  private static String resultName(int index, List<String> groupBy) {
    String name = "agg_" + index;
    while (groupBy.contains(name)) {
      name += "_";
    }
    return name;
  }

  private static Optional<Call> call(AggregateFunc function, PushedExpressions expressions) {
    if (function instanceof CountStar) {
      return Optional.of(new Call(COUNT + "*)", DataTypes.LongType, KuduAggregateBuilder::count));
    } else if (function instanceof Count count && !count.isDistinct()) {
      return expressions
          .column(count.column())
          .map(
              column ->
                  new Call(
                      COUNT + column.getName() + ")",
                      DataTypes.LongType,
                      (builder, name) -> builder.count(name, column.getName())));
    } else if (function instanceof Min min) {
      return extreme("min", min.column(), expressions, false);
    } else if (function instanceof Max max) {
      return extreme("max", max.column(), expressions, true);
    } else if (function instanceof Sum sum && !sum.isDistinct()) {
      return sum(sum.column(), expressions);
    }
    return Optional.empty();
  }

  private static Optional<Call> extreme(
      String function, Expression argument, PushedExpressions expressions, boolean largest) {
    Optional<ColumnSchema> column =
        expressions.column(argument).filter(compared -> !compared.isArray());
    if (column.isPresent()) {
      String of = column.get().getName();
      return Optional.of(
          new Call(
              function + "(" + of + ")",
              SparkTypes.valueType(column.get()),
              (builder, name) -> {
                if (largest) {
                  builder.max(name, of);
                } else {
                  builder.min(name, of);
                }
              }));
    }
    return expressions
        .translate(argument)
        .map(
            typed -> {
              KuduExpression value = argument instanceof Cast ? number(typed) : typed.expression();
              return new Call(
                  function + "(" + value + ")",
                  typed.type(),
                  (builder, name) -> {
                    if (largest) {
                      builder.max(name, value);
                    } else {
                      builder.min(name, value);
                    }
                  });
            });
  }

  /** A cast column as an expression, whose extremes do not have the type of the column. */
  private static KuduExpression number(PushedExpressions.Typed cast) {
    return cast.isExact() ? cast.expression().plus(KuduExpression.literal(0)) : cast.expression();
  }

  /**
   * Spark sums integers as BIGINT and floating-point numbers as DOUBLE. It reads partial sums of
   * decimals with the type of the argument; see {@link AggregateRows}.
   */
  private static Optional<Call> sum(Expression argument, PushedExpressions expressions) {
    Optional<ColumnSchema> column = expressions.column(argument);
    if (column.isPresent() && !PushedExpressions.isOrdered(column.get())) {
      KuduExpression value = KuduExpression.column(column.get());
      return Optional.of(sum(value, DataTypes.DoubleType));
    }
    return expressions
        .translate(argument)
        .filter(PushedAggregates::isSummed)
        .map(
            typed ->
                sum(
                    typed.expression(),
                    !typed.isExact() || typed.type() instanceof DecimalType
                        ? typed.type()
                        : DataTypes.LongType));
  }

  private static boolean isSummed(PushedExpressions.Typed argument) {
    return !(argument.type() instanceof DecimalType decimal)
        || decimal.precision() >= MIN_SUM_DIGITS;
  }

  private static Call sum(KuduExpression value, DataType type) {
    return new Call(SUM + value + ")", type, (builder, name) -> builder.sum(name, value));
  }

  /**
   * Whether the rows of a task are final for groups that no other task has. Sums of decimals are
   * not: see {@link AggregateRows}.
   */
  boolean isFinalPerTask() {
    return calls.stream().noneMatch(call -> call.isSum() && call.type() instanceof DecimalType);
  }

  /** Adds the grouping columns and aggregates, named as the columns. */
  void addTo(KuduAggregateBuilder builder) {
    builder.groupBy(groupBy.toArray(String[]::new));
    for (int i = 0; i < calls.size(); i++) {
      calls.get(i).add().accept(builder, columns.fieldNames()[groupBy.size() + i]);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PushedAggregates that
        && groupBy.equals(that.groupBy)
        && texts().equals(that.texts())
        && columns.equals(that.columns);
  }

  @Override
  public int hashCode() {
    return texts().hashCode();
  }

  private List<String> texts() {
    return calls.stream().map(Call::text).toList();
  }

  /** The description in plans. */
  @Override
  public String toString() {
    String text = texts().stream().collect(Collectors.joining(", ", "[", "]"));
    return groupBy.isEmpty() ? text : text + " group by " + String.join(", ", groupBy);
  }
}
