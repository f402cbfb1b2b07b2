package dev.kudu4j.tablet.scan.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.NumberVector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Aggregations row by row: slow, obviously right. */
public final class AggregateModel {
  private AggregateModel() {}

  /** Some groups and aggregates over a schema whose ids are 0, 1, 2... */
  public static AggregateSpec randomSpec(Schema schema, Random random) {
    return random.nextInt(3) == 0 ? sumOfOne(schema, random) : specOfSome(schema, random);
  }

  /** Pages may tell such a sum without handing out a cell. */
  private static AggregateSpec sumOfOne(Schema schema, Random random) {
    List<ColumnSchema> numbers =
        schema.columns().stream().filter(c -> NumberVector.fits(c.type())).toList();
    Expression column = Expression.column(numbers.get(random.nextInt(numbers.size())));
    return new AggregateSpec(
        List.of(), List.of(Aggregate.count(), Aggregate.sum(column), Aggregate.avg(column)));
  }

  private static AggregateSpec specOfSome(Schema schema, Random random) {
    List<ColumnSchema> groupBy = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      groupBy.add(schema.column(random.nextInt(schema.columnCount())));
    }
    List<Aggregate> aggregates = new ArrayList<>(List.of(Aggregate.count()));
    List<ColumnSchema> numbers =
        schema.columns().stream().filter(c -> NumberVector.fits(c.type())).toList();
    for (int i = random.nextInt(5); i > 0; i--) {
      Aggregate.Function[] functions = Aggregate.Function.values();
      aggregates.add(
          new Aggregate(functions[random.nextInt(functions.length)], expression(numbers, random)));
    }
    for (ColumnSchema column : schema.columns()) {
      if (!numbers.contains(column) && random.nextInt(3) == 0) {
        Expression cells = Expression.column(column);
        aggregates.add(random.nextBoolean() ? Aggregate.min(cells) : Aggregate.max(cells));
      }
    }
    return new AggregateSpec(groupBy, aggregates);
  }

  private static Expression expression(List<ColumnSchema> numbers, Random random) {
    Expression a = Expression.column(numbers.get(random.nextInt(numbers.size())));
    ColumnSchema second = numbers.get(random.nextInt(numbers.size()));
    Expression b = Expression.column(second);
    return switch (random.nextInt(5)) {
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
   * @param slack most that rounding in another order may make of it
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
   * Fails unless what was found are the aggregates of the rows.
   *
   * @param rows cells by column id
   */
  public static void assertFound(
      List<AggregateRow> found, List<byte[][]> rows, AggregateSpec spec, String what) {
    Map<String, List<Object>> expected = expected(rows, spec);
    assertThat(found.stream().map(row -> texts(row.group())))
        .describedAs(what)
        .containsExactlyInAnyOrderElementsOf(expected.keySet());
    for (AggregateRow row : found) {
      List<Object> wanted = expected.get(texts(row.group()));
      for (int i = 0; i < wanted.size(); i++) {
        Object value = row.values().get(i);
        String where = "%s: group %s, value %d".formatted(what, texts(row.group()), i);
        if (wanted.get(i) instanceof RoundedSum sum) {
          assertThat(value).describedAs(where).matches(sum::allows, "about " + sum);
        } else {
          assertThat(text(value)).describedAs(where).isEqualTo(text(wanted.get(i)));
        }
      }
    }
  }

  private static String texts(List<byte[]> cells) {
    return cells.stream().map(Arrays::toString).toList().toString();
  }

  private static String text(Object value) {
    return value instanceof byte[] cell ? Arrays.toString(cell) : String.valueOf(value);
  }

  /** Values by group. */
  private static Map<String, List<Object>> expected(List<byte[][]> rows, AggregateSpec spec) {
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

  private static String group(byte[][] row, AggregateSpec spec) {
    List<byte[]> cells = new ArrayList<>();
    spec.groupBy().forEach(column -> cells.add(row[column.id()]));
    return texts(cells);
  }

  private static List<Object> values(List<byte[][]> rows, AggregateSpec spec) {
    List<Object> values = new ArrayList<>();
    for (Aggregate aggregate : spec.aggregates()) {
      if (aggregate.argument() == null) {
        values.add((long) rows.size());
        continue;
      }
      if (aggregate.argument() instanceof Expression.Column column
          && !NumberVector.fits(column.column().type())) {
        values.add(extremeCell(aggregate.function(), column.column(), rows));
        continue;
      }
      List<Number> numbers = new ArrayList<>();
      for (byte[][] row : rows) {
        Number number = evaluate(aggregate.argument(), row);
        if (number != null) {
          numbers.add(number);
        }
      }
      values.add(value(aggregate.function(), numbers));
    }
    return values;
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

  private static Number evaluate(Expression expression, byte[][] row) {
    if (expression instanceof Expression.Column column) {
      return number(column.column().type(), row[column.column().id()]);
    }
    if (expression instanceof Expression.Literal literal) {
      return literal.value();
    }
    if (expression instanceof Expression.Sum sum) {
      return apply(Operator.ADD, evaluate(sum.left(), row), evaluate(sum.right(), row));
    }
    if (expression instanceof Expression.Difference diff) {
      return apply(Operator.SUBTRACT, evaluate(diff.left(), row), evaluate(diff.right(), row));
    }
    Expression.Product product = (Expression.Product) expression;
    return apply(Operator.MULTIPLY, evaluate(product.left(), row), evaluate(product.right(), row));
  }

  private static Number apply(Operator operator, Number a, Number b) {
    if (a == null || b == null) {
      return null;
    }
    if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
      return switch (operator) {
        case ADD -> x.add(y);
        case SUBTRACT -> x.subtract(y);
        case MULTIPLY -> x.multiply(y);
      };
    }
    double x = a.doubleValue();
    double y = b.doubleValue();
    return switch (operator) {
      case ADD -> x + y;
      case SUBTRACT -> x - y;
      case MULTIPLY -> x * y;
    };
  }

  private static Number number(DataType type, byte[] cell) {
    if (cell == null) {
      return null;
    }
    return switch (type) {
      case FLOAT -> (double) Float.intBitsToFloat(LittleEndian.getInt(cell, 0));
      case DOUBLE -> Double.longBitsToDouble(LittleEndian.getLong(cell, 0));
      case UINT8 -> BigDecimal.valueOf(cell[0] & 0xff);
      case UINT16 -> BigDecimal.valueOf(LittleEndian.getShort(cell, 0) & 0xffff);
      case UINT32 -> BigDecimal.valueOf(LittleEndian.getInt(cell, 0) & 0xffff_ffffL);
      default ->
          switch (cell.length) {
            case 1 -> BigDecimal.valueOf(cell[0]);
            case 2 -> BigDecimal.valueOf(LittleEndian.getShort(cell, 0));
            case 4 -> BigDecimal.valueOf(LittleEndian.getInt(cell, 0));
            default -> BigDecimal.valueOf(LittleEndian.getLong(cell, 0));
          };
    };
  }
}
