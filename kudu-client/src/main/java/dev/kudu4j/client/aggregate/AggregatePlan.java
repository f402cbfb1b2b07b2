package dev.kudu4j.client.aggregate;

import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.ColumnarRowsBuilder;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregate.Function;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.NumberType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.sketch.DistinctSketch;
import dev.kudu4j.common.status.KuduException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The aggregates of a query: which of them the servers compute, and how the results follow. A mean
 * follows from a sum and a count, an approximate distinct count from a sketch. To count distinct
 * values, the servers also group by the column, and {@link DistinctCounts} counts the groups. All
 * others are computed by the servers as they are.
 */
public final class AggregatePlan {
  private static final int DECIMAL_PRECISION = 38;

  /**
   * An aggregate of the query.
   *
   * @param name the name of the result column
   * @param distinct whether a COUNT of a column counts each value once
   */
  public record Named(String name, Aggregate aggregate, boolean distinct) {
    public Named(String name, Aggregate aggregate) {
      this(name, aggregate, false);
    }

    /** This aggregate over the rows that match a condition. */
    public Named filteredBy(Condition rows) {
      return new Named(name, aggregate.filteredBy(rows), distinct);
    }
  }

  /**
   * A column of the result.
   *
   * @param part index of the server's aggregate with the same value; for a mean, index of the sum
   * @param count index of the server's count, for a mean; else -1
   */
  private record Result(Function function, ColumnSchema column, int part, int count) {}

  private final Aggregation sent;
  private final int keys; // grouping columns of the result
  private final DistinctCounts distinct; // null if no distinct values are counted
  private final Schema schema;
  private final CellLayout layout;
  private final List<Result> results = new ArrayList<>();

  /**
   * @throws KuduException INVALID_ARGUMENT if two columns of the result have the same name, or
   *     there is none; NOT_SUPPORTED if an aggregate cannot be computed of its argument
   */
  public AggregatePlan(List<ColumnSchema> groupBy, List<Named> aggregates) {
    if (groupBy.isEmpty() && aggregates.isEmpty()) {
      throw KuduException.invalidArgument(
          "An aggregation must have a grouping column or an aggregate");
    }
    List<Aggregate> parts = new ArrayList<>();
    List<ColumnSchema> sentGroupBy = new ArrayList<>(groupBy);
    Map<Integer, Integer> countedColumns = new HashMap<>(); // by part
    for (Named named : aggregates) {
      Aggregate wanted = named.aggregate();
      ColumnSchema column = column(named);
      boolean isMean = wanted.function() == Function.AVG;
      int part;
      if (named.distinct()) {
        part = parts.size(); // not shared with a plain count
        parts.add(wanted);
        countedColumns.put(part, indexOf(countedColumn(wanted), sentGroupBy));
      } else {
        part = indexOf(isMean ? of(Function.SUM, wanted) : wanted, parts, countedColumns.keySet());
      }
      int count = isMean ? indexOf(of(Function.COUNT, wanted), parts, countedColumns.keySet()) : -1;
      results.add(new Result(wanted.function(), column, part, count));
    }
    this.sent = new Aggregation(sentGroupBy, parts);
    this.keys = groupBy.size();
    this.distinct =
        countedColumns.isEmpty()
            ? null
            : new DistinctCounts(new Aggregation(groupBy, parts), countedColumns);
    sent.resultColumns(); // checks the aggregates
    List<ColumnSchema> columns = new ArrayList<>(groupBy);
    results.forEach(result -> columns.add(result.column()));
    this.schema = new Schema(columns);
    this.layout = new CellLayout(schema);
  }

  private static Aggregate of(Function function, Aggregate mean) {
    return new Aggregate(function, mean.argument(), mean.filter());
  }

  /** The column whose distinct values are counted. */
  private static ColumnSchema countedColumn(Aggregate count) {
    ColumnSchema column = count.column();
    if (count.function() != Function.COUNT || column == null) {
      throw KuduException.notSupported("Only the distinct values of a column can be counted");
    }
    return column;
  }

  /** The index of the column in the list, to which it is added if absent. */
  private static int indexOf(ColumnSchema column, List<ColumnSchema> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column.name())) {
        return i;
      }
    }
    columns.add(column);
    return columns.size() - 1;
  }

  /**
   * The index of the aggregate in the list, to which it is added if absent.
   *
   * @param distinct indexes that are not shared
   */
  private static int indexOf(Aggregate aggregate, List<Aggregate> parts, Set<Integer> distinct) {
    for (int i = 0; i < parts.size(); i++) {
      if (!distinct.contains(i) && parts.get(i).equals(aggregate)) {
        return i;
      }
    }
    parts.add(aggregate);
    return parts.size() - 1;
  }

  /**
   * The column of a result: INT64 for a count and for exact numbers without a decimal, a decimal of
   * 38 digits for other exact numbers, DOUBLE for a mean and for doubles, and the type of the
   * column for the least and the greatest cell of a column.
   */
  private static ColumnSchema column(Named named) {
    Aggregate aggregate = named.aggregate();
    Function function = aggregate.function();
    ColumnSchema.Builder column;
    if (function == Function.COUNT || function == Function.DISTINCT_SKETCH) {
      return ColumnSchema.builder(named.name(), DataType.INT64).build();
    }
    ColumnSchema plain = aggregate.column();
    if (plain != null && (function == Function.MIN || function == Function.MAX)) {
      column =
          ColumnSchema.builder(named.name(), plain.type())
              .decimal(plain.precision(), plain.scale())
              .length(plain.length())
              .withoutTimeZone(plain.isWithoutTimeZone());
    } else {
      NumberType type = NumberType.of(aggregate.argument());
      if (function == Function.AVG || type.floating()) {
        column = ColumnSchema.builder(named.name(), DataType.DOUBLE);
      } else if (type.decimal()) {
        column =
            ColumnSchema.builder(named.name(), DataType.DECIMAL128)
                .decimal(DECIMAL_PRECISION, type.scale());
      } else {
        column = ColumnSchema.builder(named.name(), DataType.INT64);
      }
    }
    return column.nullable(true).build();
  }

  /** The aggregation that the servers compute. */
  public Aggregation sent() {
    return sent;
  }

  /** Whether the columns of the result are those that the servers return, in their order. */
  public boolean isSentAsIs() {
    boolean asIs = distinct == null && sent.aggregates().size() == results.size();
    for (int i = 0; i < results.size(); i++) {
      asIs &= results.get(i).part() == i && isOfServers(results.get(i).function());
    }
    return asIs;
  }

  /** Whether the result of the function is a result that servers return. */
  private static boolean isOfServers(Function function) {
    return function != Function.AVG && function != Function.DISTINCT_SKETCH;
  }

  /** Computes the groups of the result from the groups that the servers returned. */
  public List<Group> groups(GroupTable found) {
    return (distinct == null ? found : distinct.count(found)).groups();
  }

  /** The columns of the result: the grouping columns, then the aggregates. */
  public Schema schema() {
    return schema;
  }

  public CellLayout layout() {
    return layout;
  }

  /**
   * The rows of the result.
   *
   * @param order the groups to return, in order
   * @throws KuduException INVALID_ARGUMENT for a number that does not fit into its column
   */
  public ColumnarRows rows(Iterable<Group> order) {
    ColumnarRowsBuilder rows = new ColumnarRowsBuilder(layout);
    for (Group group : order) {
      for (int i = 0; i < layout.columnCount(); i++) {
        rows.set(i, cell(group, i));
      }
      rows.endRow();
    }
    return rows.build();
  }

  /** The cell of a column of the result; null for NULL. */
  byte[] cell(Group group, int index) {
    if (index < keys) {
      return group.cell(index);
    }
    Result result = results.get(index - keys);
    Object value = group.value(result.part());
    if (result.function() == Function.COUNT) {
      return int64((Long) value);
    }
    if (result.function() == Function.DISTINCT_SKETCH) {
      return int64(value == null ? 0 : ((DistinctSketch) value).estimate());
    }
    if (value == null || value instanceof byte[]) {
      return (byte[]) value;
    }
    Number number = (Number) value;
    if (result.function() == Function.AVG) {
      return float64(number.doubleValue() / (Long) group.value(result.count()));
    }
    return number instanceof BigDecimal exact
        ? exact(exact, result.column())
        : float64(number.doubleValue());
  }

  private static byte[] exact(BigDecimal number, ColumnSchema column) {
    BigInteger unscaled = number.setScale(column.scale()).unscaledValue();
    if (column.type() == DataType.INT64) {
      if (unscaled.bitLength() >= Long.SIZE) {
        throw KuduException.invalidArgument(
            "%s is %s, which does not fit into 64 bits; aggregate a decimal instead, for example"
                + " times a literal 1.0",
            column.name(), unscaled);
      }
      return int64(unscaled.longValue());
    }
    if (unscaled.abs().compareTo(BigInteger.TEN.pow(DECIMAL_PRECISION)) >= 0) {
      throw KuduException.invalidArgument(
          "%s is %s, which has more than %d digits", column.name(), number, DECIMAL_PRECISION);
    }
    byte[] cell = new byte[2 * Long.BYTES];
    LittleEndian.putLong(cell, 0, unscaled.longValue());
    LittleEndian.putLong(cell, Long.BYTES, unscaled.shiftRight(Long.SIZE).longValue());
    return cell;
  }

  private static byte[] int64(long value) {
    byte[] cell = new byte[Long.BYTES];
    LittleEndian.putLong(cell, 0, value);
    return cell;
  }

  private static byte[] float64(double value) {
    return int64(Double.doubleToRawLongBits(value));
  }
}
