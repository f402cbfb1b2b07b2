package dev.kudu4j.tablet.scan.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.expression.RowEvaluator;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.FloatingCells;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.sketch.DistinctSketch;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;

/** Computes aggregations row by row: slow, obviously right. */
public final class AggregateModel {
  private static final List<Aggregate.Function> OF_NUMBERS =
      Arrays.stream(Aggregate.Function.values())
          .filter(function -> function != Aggregate.Function.DISTINCT_SKETCH)
          .toList();

  private AggregateModel() {}

  /** A random aggregation over a schema whose ids are 0, 1, 2... */
  public static Aggregation randomSpec(
      Schema schema, Random random, Supplier<Condition> conditions) {
    return switch (random.nextInt(6)) {
      case 0, 1 -> sumOfOne(schema, random);
      case 2 -> extremes(schema, random);
      default -> specOfSome(schema, random, conditions);
    };
  }

  /** An aggregation of one column, which pages may compute without decoding cells. */
  private static Aggregation sumOfOne(Schema schema, Random random) {
    List<ColumnSchema> numbers =
        schema.columns().stream().filter(c -> c.type().isNumber()).toList();
    Expression column = Expression.column(numbers.get(random.nextInt(numbers.size())));
    return new Aggregation(
        List.of(), List.of(Aggregate.count(), Aggregate.sum(column), Aggregate.avg(column)));
  }

  /** Counts, minima and maxima, which may be answered from the statistics of pages. */
  private static Aggregation extremes(Schema schema, Random random) {
    List<Aggregate> aggregates = new ArrayList<>(List.of(Aggregate.count()));
    for (ColumnSchema column : schema.columns()) {
      Expression cells = Expression.column(column);
      if (!column.type().isVariableLength() && !column.type().isFloating()) {
        aggregates.add(random.nextBoolean() ? Aggregate.min(cells) : Aggregate.max(cells));
      }
      if (random.nextBoolean()) {
        aggregates.add(Aggregate.count(cells));
      }
    }
    return new Aggregation(List.of(), aggregates);
  }

  private static Aggregation specOfSome(
      Schema schema, Random random, Supplier<Condition> conditions) {
    List<ColumnSchema> groupBy = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      groupBy.add(schema.column(random.nextInt(schema.columnCount())));
    }
    List<Aggregate> aggregates = new ArrayList<>(List.of(Aggregate.count()));
    List<ColumnSchema> numbers =
        schema.columns().stream().filter(c -> c.type().isNumber()).toList();
    for (int i = random.nextInt(5); i > 0; i--) {
      aggregates.add(
          new Aggregate(
              OF_NUMBERS.get(random.nextInt(OF_NUMBERS.size())), expression(numbers, random)));
    }
    for (ColumnSchema column : schema.columns()) {
      if (random.nextInt(6) == 0) {
        aggregates.add(Aggregate.distinctSketch(Expression.column(column)));
      }
    }
    for (ColumnSchema column : schema.columns()) {
      if (!numbers.contains(column) && random.nextInt(3) == 0) {
        Expression cells = Expression.column(column);
        aggregates.add(
            switch (random.nextInt(3)) {
              case 0 -> Aggregate.min(cells);
              case 1 -> Aggregate.max(cells);
              default -> Aggregate.count(cells);
            });
      }
    }
    if (random.nextBoolean()) {
      Condition filter = conditions.get();
      aggregates.replaceAll(
          aggregate -> random.nextBoolean() ? aggregate : aggregate.filteredBy(filter));
    }
    return new Aggregation(groupBy, aggregates);
  }

  /** Arithmetic on one or two of the columns. */
  public static Expression expression(List<ColumnSchema> numbers, Random random) {
    Expression a = Expression.column(numbers.get(random.nextInt(numbers.size())));
    ColumnSchema second = numbers.get(random.nextInt(numbers.size()));
    Expression b = Expression.column(second);
    return switch (random.nextInt(6)) {
      case 5 -> Expression.literal("1.5");
      case 0 -> a.plus(Expression.literal("2.50"));
      case 1 -> b.minus(a);
      case 2 -> Expression.literal("1").minus(b);
      case 3 ->
          second.type().width() <= 2
              ? b.times(Expression.literal("0.1").plus(b))
              : b.times(Expression.literal("2"));
      default -> a;
    };
  }

  /**
   * A sum of doubles, which depends on the order of rows.
   *
   * @param slack the maximum difference by rounding in another order
   */
  private record RoundedSum(double value, double slack) {
    boolean allows(Object found) {
      double other = (double) found;
      return Double.compare(value, other) == 0
          || Double.isInfinite(slack)
          || Math.abs(value - other) <= slack;
    }
  }

  /**
   * Asserts that the found results are the aggregates of the rows.
   *
   * @param rows cells by column id
   */
  public static void assertFound(
      List<AggregateRow> found, List<byte[][]> rows, Aggregation spec, String what) {
    Map<String, List<Object>> expected = expected(rows, spec);
    assertThat(found.stream().map(row -> texts(row.group())))
        .describedAs(what)
        .containsExactlyInAnyOrderElementsOf(expected.keySet());
    for (AggregateRow row : found) {
      List<Object> wanted = expected.get(texts(row.group()));
      for (int i = 0; i < wanted.size(); i++) {
        Object value = known(spec.aggregates().get(i), row.values().get(i));
        String where = "%s: group %s, value %d".formatted(what, texts(row.group()), i);
        if (wanted.get(i) instanceof RoundedSum sum) {
          assertThat(value).describedAs(where).matches(sum::allows, "about " + sum);
        } else {
          assertThat(text(value)).describedAs(where).isEqualTo(text(wanted.get(i)));
        }
      }
    }
  }

  /** The estimate of a sketch; other results unchanged. */
  private static Object known(Aggregate aggregate, Object value) {
    return aggregate.function() == Aggregate.Function.DISTINCT_SKETCH && value != null
        ? (Object) DistinctSketch.of((byte[]) value).estimate()
        : value;
  }

  private static String texts(List<byte[]> cells) {
    return cells.stream().map(Arrays::toString).toList().toString();
  }

  private static String text(Object value) {
    return value instanceof byte[] cell ? Arrays.toString(cell) : String.valueOf(value);
  }

  /** Values by group. */
  private static Map<String, List<Object>> expected(List<byte[][]> rows, Aggregation spec) {
    Map<String, List<byte[][]>> groups = new LinkedHashMap<>();
    if (spec.groupBy().isEmpty()) {
      groups.put(texts(List.of()), new ArrayList<>());
    }
    for (byte[][] row : rows) {
      groups.computeIfAbsent(group(row, spec), k -> new ArrayList<>()).add(row);
    }
    Map<String, List<Object>> values = new LinkedHashMap<>();
    groups.forEach((group, members) -> values.put(group, values(members, spec)));
    return values;
  }

  private static String group(byte[][] row, Aggregation spec) {
    List<byte[]> cells = new ArrayList<>();
    for (ColumnSchema column : spec.groupBy()) {
      byte[] cell = row[column.id()];
      boolean floating = cell != null && column.type().isFloating();
      cells.add(floating ? FloatingCells.canonical(column.type(), cell) : cell);
    }
    return texts(cells);
  }

  private static List<Object> values(List<byte[][]> rows, Aggregation spec) {
    List<Object> values = new ArrayList<>();
    for (Aggregate aggregate : spec.aggregates()) {
      List<byte[][]> kept = rows.stream().filter(row -> isKept(aggregate, row)).toList();
      if (aggregate.argument() == null) {
        values.add((long) kept.size());
        continue;
      }
      ColumnSchema column = aggregate.column();
      if (aggregate.function() == Aggregate.Function.DISTINCT_SKETCH) {
        values.add(estimate(column, kept));
        continue;
      }
      if (column != null && !column.type().isNumber()) {
        values.add(
            aggregate.function() == Aggregate.Function.COUNT
                ? (Object) kept.stream().filter(row -> row[column.id()] != null).count()
                : extremeCell(aggregate.function(), column, kept));
        continue;
      }
      List<Number> numbers = new ArrayList<>();
      for (byte[][] row : kept) {
        Number number = RowEvaluator.evaluate(aggregate.argument(), cell -> row[cell.id()]);
        if (number != null) {
          numbers.add(number);
        }
      }
      values.add(value(aggregate.function(), numbers));
    }
    return values;
  }

  private static Object estimate(ColumnSchema column, List<byte[][]> rows) {
    List<byte[]> cells =
        rows.stream().map(row -> row[column.id()]).filter(Objects::nonNull).toList();
    DistinctSketch sketch = new DistinctSketch();
    cells.forEach(cell -> sketch.add(column.type(), cell));
    return cells.isEmpty() ? null : (Object) sketch.estimate();
  }

  private static boolean isKept(Aggregate aggregate, byte[][] row) {
    return aggregate.filter() == null
        || RowEvaluator.matches(aggregate.filter(), column -> row[column.id()]);
  }

  private static byte[] extremeCell(
      Aggregate.Function function, ColumnSchema column, List<byte[][]> rows) {
    Comparator<byte[]> order = (a, b) -> CellOrder.compare(column.type(), a, b);
    return rows.stream()
        .map(row -> row[column.id()])
        .filter(Objects::nonNull)
        .max(function == Aggregate.Function.MAX ? order : order.reversed())
        .orElse(null);
  }

  private static Object value(Aggregate.Function function, List<Number> numbers) {
    if (function == Aggregate.Function.COUNT) {
      return (long) numbers.size();
    }
    if (numbers.isEmpty()) {
      return null;
    }
    return switch (function) {
      case MIN -> numbers.stream().min(AggregateModel::compare).get();
      case MAX -> numbers.stream().max(AggregateModel::compare).get();
      case SUM -> sum(numbers);
      default -> average(sum(numbers), numbers.size());
    };
  }

  private static int compare(Number a, Number b) {
    return a instanceof Double left
        ? left.compareTo((Double) b)
        : ((BigDecimal) a).compareTo((BigDecimal) b);
  }

  private static Object sum(List<Number> numbers) {
    if (numbers.get(0) instanceof Double) {
      double sum = numbers.stream().mapToDouble(Number::doubleValue).reduce(0.0, Double::sum);
      double size = numbers.stream().mapToDouble(n -> Math.abs(n.doubleValue())).sum();
      return new RoundedSum(sum, 1e-12 * size);
    }
    return numbers.stream().map(BigDecimal.class::cast).reduce(BigDecimal::add).get();
  }

  private static Object average(Object sum, int count) {
    return sum instanceof RoundedSum rounded
        ? new RoundedSum(rounded.value() / count, rounded.slack())
        : (Object) (((BigDecimal) sum).doubleValue() / count);
  }

  /**
   * Rows of an aggregate scanner as results.
   *
   * @param rows cells of {@link Aggregation#resultColumns}, without AVG
   */
  public static List<AggregateRow> results(List<List<byte[]>> rows, Aggregation spec) {
    List<AggregateRow> results = new ArrayList<>();
    int groups = spec.groupBy().size();
    Schema columns = spec.resultColumns();
    for (List<byte[]> row : rows) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < spec.aggregates().size(); i++) {
        byte[] cell = row.get(groups + i);
        ColumnSchema column = columns.column(groups + i);
        if (spec.aggregates().get(i).function() == Aggregate.Function.COUNT) {
          values.add(LittleEndian.getLong(cell, 0));
        } else if (cell == null || isPlainCell(spec.aggregates().get(i))) {
          values.add(cell);
        } else {
          values.add(RowEvaluator.number(column, cell));
        }
      }
      results.add(new AggregateRow(row.subList(0, groups), values));
    }
    return results;
  }

  private static boolean isPlainCell(Aggregate aggregate) {
    return aggregate.function() == Aggregate.Function.DISTINCT_SKETCH
        || (aggregate.column() != null && !aggregate.column().type().isNumber());
  }
}
