package dev.kudu4j.client;

import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicate.Equality;
import dev.kudu4j.common.predicate.ColumnPredicate.InBloomFilter;
import dev.kudu4j.common.predicate.ColumnPredicate.InList;
import dev.kudu4j.common.predicate.ColumnPredicate.IsNotNull;
import dev.kudu4j.common.predicate.ColumnPredicate.IsNull;
import dev.kudu4j.common.predicate.ColumnPredicate.None;
import dev.kudu4j.common.predicate.ColumnPredicate.Range;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.wire.PredicateWire;
import dev.kudu4j.util.BloomFilter;
import dev.kudu4j.util.DateUtil;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A condition on the values of one column. Servers evaluate it, and the scan skips tablets that
 * cannot contain a matching row.
 *
 * <p>Comparisons are reduced to the few forms that servers support: {@code x > 2} becomes {@code x
 * >= 3}, {@code x <= 2} becomes {@code x < 3}. A comparison that every value satisfies becomes
 * {@code IS NOT NULL}; one that no value satisfies matches nothing. Immutable.
 */
public final class KuduPredicate {
  /** The comparison operator. */
  public enum ComparisonOp {
    GREATER,
    GREATER_EQUAL,
    EQUAL,
    LESS,
    LESS_EQUAL
  }

  private final ColumnSchema column;
  private final ColumnPredicate predicate;

  /** Whether the predicate tests for NULL, rather than compares with values. */
  private final boolean testsNull;

  private KuduPredicate(ColumnSchema column, ColumnPredicate predicate) {
    this(column, predicate, false);
  }

  private KuduPredicate(ColumnSchema column, ColumnPredicate predicate, boolean testsNull) {
    this.column = column;
    this.predicate = ColumnPredicates.simplify(predicate);
    this.testsNull = testsNull;
  }

  // ---------------------------------------------------------------- comparisons

  /**
   * Compares with a value of the column's Java class.
   *
   * @throws IllegalArgumentException when the column has another type
   */
  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, Object value) {
    if (value instanceof Boolean bool) {
      return newComparisonPredicate(column, op, (boolean) bool);
    } else if (value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long) {
      return newComparisonPredicate(column, op, ((Number) value).longValue());
    } else if (value instanceof Timestamp timestamp) {
      return newComparisonPredicate(column, op, timestamp);
    } else if (value instanceof Date date) {
      return newComparisonPredicate(column, op, date);
    } else if (value instanceof Float number) {
      return newComparisonPredicate(column, op, (float) number);
    } else if (value instanceof Double number) {
      return newComparisonPredicate(column, op, (double) number);
    } else if (value instanceof BigDecimal decimal) {
      return newComparisonPredicate(column, op, decimal);
    } else if (value instanceof String text) {
      return newComparisonPredicate(column, op, text);
    } else if (value instanceof byte[] bytes) {
      return newComparisonPredicate(column, op, bytes);
    }
    throw new IllegalArgumentException(
        "illegal type for " + op + " predicate: " + value.getClass().getName());
  }

  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, boolean value) {
    checkColumn(column, Type.BOOL);
    return compare(column, op, CellForm.of(column, value));
  }

  /** Compares an integer, the microseconds of a timestamp, or the days of a date. */
  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, long value) {
    checkColumn(
        column, Type.INT8, Type.INT16, Type.INT32, Type.INT64, Type.UNIXTIME_MICROS, Type.DATE);
    if (value < minValue(column.getType()) || value > maxValue(column.getType())) {
      throw new IllegalArgumentException(
          "integer value out of range for " + column.getType() + " column: " + value);
    }
    return compare(column, op, CellForm.of(column, value));
  }

  /**
   * Compares a decimal.
   *
   * @throws IllegalArgumentException when the column cannot hold the value
   */
  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, BigDecimal value) {
    checkColumn(column, Type.DECIMAL);
    return compare(column, op, CellForm.of(column, value));
  }

  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, Timestamp value) {
    checkColumn(column, Type.UNIXTIME_MICROS);
    return compare(column, op, CellForm.of(column, value));
  }

  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, Date value) {
    checkColumn(column, Type.DATE);
    DateUtil.checkDateWithinRange(DateUtil.sqlDateToEpochDays(value));
    return compare(column, op, CellForm.of(column, value));
  }

  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, float value) {
    checkColumn(column, Type.FLOAT);
    return compare(column, op, CellForm.of(column, value));
  }

  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, double value) {
    checkColumn(column, Type.DOUBLE);
    return compare(column, op, CellForm.of(column, value));
  }

  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, String value) {
    checkColumn(column, Type.STRING, Type.VARCHAR);
    return compare(column, op, value.getBytes(StandardCharsets.UTF_8));
  }

  public static KuduPredicate newComparisonPredicate(
      ColumnSchema column, ComparisonOp op, byte[] value) {
    checkColumn(column, Type.BINARY);
    return compare(column, op, value.clone());
  }

  private static KuduPredicate compare(ColumnSchema column, ComparisonOp op, byte[] cell) {
    return new KuduPredicate(column, compare(column.toCommon(), op, cell));
  }

  private static ColumnPredicate compare(
      dev.kudu4j.common.schema.ColumnSchema column, ComparisonOp op, byte[] cell) {
    if (CellOrder.isNaN(column.type(), cell, 0)) {
      return new None(column);
    }
    if (isMin(column, cell)) {
      return compareWithMin(column, op, cell);
    }
    byte[] next = isGreatest(column, cell) ? null : CellOrder.successor(column.type(), cell);
    return switch (op) {
      case EQUAL -> new Equality(column, cell);
      case GREATER_EQUAL ->
          next == null ? new Equality(column, cell) : new Range(column, cell, null);
      case GREATER -> next == null ? new None(column) : new Range(column, next, null);
      case LESS -> new Range(column, null, cell);
      case LESS_EQUAL -> next == null ? new IsNotNull(column) : new Range(column, null, next);
    };
  }

  private static ColumnPredicate compareWithMin(
      dev.kudu4j.common.schema.ColumnSchema column, ComparisonOp op, byte[] min) {
    return switch (op) {
      case EQUAL, LESS_EQUAL -> new Equality(column, min);
      case GREATER_EQUAL -> new IsNotNull(column);
      case GREATER -> new Range(column, CellOrder.successor(column.type(), min), null);
      case LESS -> new None(column);
    };
  }

  /**
   * Whether the cell is the greatest decimal of its precision, all nines. False for other types:
   * {@link CellOrder#successor} returns null for their greatest value.
   */
  private static boolean isGreatest(dev.kudu4j.common.schema.ColumnSchema column, byte[] cell) {
    return column.type().isDecimal() && unscaled(cell).equals(limit(column));
  }

  /** Like {@link #isGreatest}, for the least decimal. */
  private static boolean isMin(dev.kudu4j.common.schema.ColumnSchema column, byte[] cell) {
    return column.type().isDecimal() && unscaled(cell).equals(limit(column).negate());
  }

  private static BigInteger unscaled(byte[] decimal) {
    return CellForm.decimal(decimal, 0, decimal.length, 0).unscaledValue();
  }

  private static BigInteger limit(dev.kudu4j.common.schema.ColumnSchema decimal) {
    return BigInteger.TEN.pow(decimal.precision()).subtract(BigInteger.ONE);
  }

  private static long minValue(Type type) {
    return switch (type) {
      case INT8 -> Byte.MIN_VALUE;
      case INT16 -> Short.MIN_VALUE;
      case INT32 -> Integer.MIN_VALUE;
      case DATE -> DateUtil.MIN_DATE_VALUE;
      default -> Long.MIN_VALUE;
    };
  }

  private static long maxValue(Type type) {
    return switch (type) {
      case INT8 -> Byte.MAX_VALUE;
      case INT16 -> Short.MAX_VALUE;
      case INT32 -> Integer.MAX_VALUE;
      case DATE -> DateUtil.MAX_DATE_VALUE;
      default -> Long.MAX_VALUE;
    };
  }

  // ---------------------------------------------------------------- other predicates

  /**
   * Matches values that are in a list; an empty list matches nothing.
   *
   * @param values values of the column's Java class
   */
  public static <T> KuduPredicate newInListPredicate(ColumnSchema column, List<T> values) {
    if (values.isEmpty()) {
      return none(column);
    }
    checkListed(column, values.get(0));
    List<byte[]> cells = new ArrayList<>(values.size());
    for (T value : values) {
      cells.add(CellForm.of(column, value));
    }
    return inList(column, ColumnPredicates.inList(column.toCommon(), cells));
  }

  private static KuduPredicate inList(ColumnSchema column, ColumnPredicate predicate) {
    boolean all = column.getType() == Type.BOOL && predicate instanceof InList;
    return new KuduPredicate(column, all ? new IsNotNull(column.toCommon()) : predicate);
  }

  private static void checkListed(ColumnSchema column, Object value) {
    if (value instanceof Boolean) {
      checkColumn(column, Type.BOOL);
    } else if (value instanceof Byte) {
      checkColumn(column, Type.INT8);
    } else if (value instanceof Short) {
      checkColumn(column, Type.INT16);
    } else if (value instanceof Integer) {
      checkColumn(column, Type.INT32, Type.DATE);
    } else if (value instanceof Long) {
      checkColumn(column, Type.INT64, Type.UNIXTIME_MICROS);
    } else if (value instanceof Timestamp) {
      checkColumn(column, Type.UNIXTIME_MICROS);
    } else if (value instanceof Date) {
      checkColumn(column, Type.DATE);
    } else if (value instanceof Float) {
      checkColumn(column, Type.FLOAT);
    } else if (value instanceof Double) {
      checkColumn(column, Type.DOUBLE);
    } else if (value instanceof BigDecimal) {
      checkColumn(column, Type.DECIMAL);
    } else if (value instanceof String) {
      checkColumn(column, Type.STRING, Type.VARCHAR);
    } else if (value instanceof byte[]) {
      checkColumn(column, Type.BINARY);
    } else {
      throw new IllegalArgumentException(
          "illegal type for IN list values: " + value.getClass().getName());
    }
  }

  public static KuduPredicate newIsNotNullPredicate(ColumnSchema column) {
    return new KuduPredicate(column, new IsNotNull(column.toCommon()), true);
  }

  /** Matches NULL; matches nothing if the column is not nullable. */
  public static KuduPredicate newIsNullPredicate(ColumnSchema column) {
    return new KuduPredicate(column, new IsNull(column.toCommon()));
  }

  /**
   * Matches values that pass all filters: those that are in each filter, and false positives. The
   * filters are copied.
   */
  public static KuduPredicate newInBloomFilterPredicate(
      ColumnSchema column, List<BloomFilter> filters) {
    return newInBloomFilterPredicate(column, filters, null, null);
  }

  /**
   * Matches values that pass all filters and are within bounds.
   *
   * @param lower inclusive bound, an object of the column's Java class; null for no bound
   * @param upper exclusive bound; null for no bound
   */
  public static KuduPredicate newInBloomFilterPredicate(
      ColumnSchema column, List<BloomFilter> filters, Object lower, Object upper) {
    if (filters.isEmpty()) {
      throw new IllegalArgumentException("a Bloom filter predicate needs at least one filter");
    }
    return new KuduPredicate(
        column,
        new InBloomFilter(
            column.toCommon(),
            filters.stream().map(BloomFilter::toCommon).toList(),
            lower == null ? null : CellForm.of(column, lower),
            upper == null ? null : CellForm.of(column, upper)));
  }

  static KuduPredicate of(ColumnSchema column, ColumnPredicate predicate) {
    return new KuduPredicate(column, predicate);
  }

  private static KuduPredicate none(ColumnSchema column) {
    return new KuduPredicate(column, new None(column.toCommon()));
  }

  static void checkColumn(ColumnSchema column, Type... passed) {
    if (!Arrays.asList(passed).contains(column.getType())) {
      throw new IllegalArgumentException(
          String.format(
              "%s's type isn't %s, it's %s",
              column.getName(), Arrays.toString(passed), column.getType().getName()));
    }
  }

  // ---------------------------------------------------------------- merging and serialization

  /**
   * The conjunction of two predicates on one column.
   *
   * @throws IllegalArgumentException if they are on different columns
   */
  KuduPredicate merge(KuduPredicate other) {
    if (!column.equals(other.column)) {
      throw new IllegalArgumentException("predicates from different columns may not be merged");
    }
    List<ColumnPredicate> merged = ColumnPredicates.merge(List.of(predicate, other.predicate));
    return new KuduPredicate(
        column, merged.isEmpty() ? new IsNotNull(column.toCommon()) : merged.get(0));
  }

  /** This predicate as a condition, to be joined with others by AND, OR and NOT. */
  public KuduCondition asCondition() {
    dev.kudu4j.common.schema.ColumnSchema cells = AbstractKuduScannerBuilder.stripped(column);
    if (predicate instanceof IsNotNull && !testsNull) { // a comparison that all values pass
      return new KuduCondition(
          new Condition.ColumnComparison(Condition.Comparison.EQUAL, cells, cells));
    }
    return new KuduCondition(new Condition.Match(predicate));
  }

  /** True if this or another predicate is true, which may be on another column. */
  public KuduCondition or(KuduPredicate other) {
    return KuduCondition.or(asCondition(), other.asCondition());
  }

  /** True if this predicate is false; unknown, as the predicate, for NULL. */
  public KuduCondition not() {
    return asCondition().not();
  }

  /** Like {@link KuduCondition#like(ColumnSchema, String)}. */
  public static KuduCondition like(ColumnSchema column, String pattern) {
    return KuduCondition.like(column, pattern);
  }

  /** The predicate in its internal form. */
  ColumnPredicate toCommon() {
    return predicate;
  }

  ColumnSchema getColumn() {
    return column;
  }

  /** Whether no row can match. */
  boolean matchesNothing() {
    return predicate instanceof None;
  }

  /**
   * The protobuf message.
   *
   * @throws IllegalStateException if no row can match, because such a predicate is never sent
   */
  public ColumnPredicatePB toPB() {
    if (predicate instanceof None) {
      throw new IllegalStateException("can not convert None predicate to protobuf message");
    }
    return PredicateWire.toWire(predicate);
  }

  /** The predicate of a message, on a column of {@code schema}. */
  public static KuduPredicate fromPB(Schema schema, ColumnPredicatePB pb) {
    ColumnSchema column = schema.getColumn(pb.getColumn());
    return pb.hasIsNotNull()
        ? newIsNotNullPredicate(column)
        : inList(column, PredicateWire.fromWire(pb, schema.toCommon()));
  }

  /** Serializes predicates for {@link #deserialize}, which needs a schema with the same columns. */
  public static byte[] serialize(List<KuduPredicate> predicates) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (KuduPredicate predicate : predicates) {
      PredicateWire.toWire(predicate.predicate).writeDelimitedTo(out);
    }
    return out.toByteArray();
  }

  public static List<KuduPredicate> deserialize(Schema schema, byte[] bytes) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    List<KuduPredicate> predicates = new ArrayList<>();
    ColumnPredicatePB pb = ColumnPredicatePB.parseDelimitedFrom(in);
    while (pb != null) {
      predicates.add(fromPB(schema, pb));
      pb = ColumnPredicatePB.parseDelimitedFrom(in);
    }
    return predicates;
  }

  // ---------------------------------------------------------------- equality and text

  @Override
  public boolean equals(Object other) {
    return other instanceof KuduPredicate that
        && column.equals(that.column)
        && predicate.getClass() == that.predicate.getClass()
        && PredicateWire.toWire(predicate).equals(PredicateWire.toWire(that.predicate));
  }

  @Override
  public int hashCode() {
    return PredicateWire.toWire(predicate).hashCode();
  }

  @Override
  public String toString() {
    String name = "`" + column.getName() + "`";
    if (predicate instanceof Equality equality) {
      return name + " = " + text(equality.value());
    } else if (predicate instanceof Range range) {
      return range(name, range.lower(), range.upper());
    } else if (predicate instanceof InList list) {
      return list.values().stream()
          .map(this::text)
          .collect(Collectors.joining(", ", name + " IN (", ")"));
    } else if (predicate instanceof IsNotNull) {
      return name + " IS NOT NULL";
    } else if (predicate instanceof IsNull) {
      return name + " IS NULL";
    } else if (predicate instanceof InBloomFilter bloom) {
      String range = range(name, bloom.lower(), bloom.upper());
      String filters = name + " IN " + bloom.filters().size() + " BLOOM FILTERS";
      return range.isEmpty() ? filters : filters + " AND " + range;
    }
    return name + " NONE";
  }

  private String range(String name, byte[] lower, byte[] upper) {
    String from = lower == null ? "" : name + " >= " + text(lower);
    String to = upper == null ? "" : name + " < " + text(upper);
    return from.isEmpty() || to.isEmpty() ? from + to : from + " AND " + to;
  }

  private String text(byte[] cell) {
    DataType type = column.toCommon().type();
    return switch (type) {
      case STRING, VARCHAR -> '"' + new String(cell, StandardCharsets.UTF_8) + '"';
      case BINARY -> "0x" + HexFormat.of().withUpperCase().formatHex(cell);
      default -> CellText.of(column.toCommon(), cell);
    };
  }
}
