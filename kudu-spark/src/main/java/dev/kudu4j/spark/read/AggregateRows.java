package dev.kudu4j.spark.read;

import dev.kudu4j.client.RowResult;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Converts the groups of a tablet to rows of Spark.
 *
 * <p>Spark casts a partial sum of decimals to the type of the argument before it merges the parts,
 * so a large sum would overflow there although the total has room. Such a sum is divided among
 * several rows of its group; the additional rows have neutral values in all other aggregates.
 */
final class AggregateRows implements Iterator<InternalRow> {
  private final Iterator<RowResult> groups;
  private final StructField[] columns;
  private final int groupColumns;
  private final Deque<InternalRow> rest = new ArrayDeque<>();

  /**
   * @param groupColumns number of grouping columns, which come first
   */
  AggregateRows(Iterator<RowResult> groups, StructType columns, int groupColumns) {
    this.groups = groups;
    this.columns = columns.fields();
    this.groupColumns = groupColumns;
  }

  @Override
  public boolean hasNext() {
    return !rest.isEmpty() || groups.hasNext();
  }

  @Override
  public InternalRow next() {
    if (rest.isEmpty()) {
      convert(groups.next());
    }
    return rest.poll();
  }

  private void convert(RowResult group) {
    Object[] cells = new Object[columns.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = group.isNull(i) ? null : cell(group, i);
    }
    List<Object[]> rows = new ArrayList<>();
    rows.add(cells);
    for (int i = groupColumns; i < cells.length; i++) {
      if (columns[i].dataType() instanceof DecimalType type && cells[i] != null) {
        cells[i] = fitting(group.getDecimal(i), i, type, rows);
      }
    }
    rows.forEach(
        row ->
            rest.add(
                InternalRow.fromSeq(CollectionConverters.asScala(Arrays.asList(row)).toSeq())));
  }

  private static BigDecimal greatest(DecimalType type) {
    return BigDecimal.TEN
        .pow(type.precision() - type.scale())
        .subtract(BigDecimal.ONE.movePointLeft(type.scale()));
  }

  /** The part of a decimal that fits into its column; adds rows with the other parts. */
  private Decimal fitting(BigDecimal value, int column, DecimalType type, List<Object[]> rows) {
    BigDecimal most = greatest(type);
    BigDecimal left = value.setScale(type.scale());
    while (left.abs().compareTo(most) > 0) {
      BigDecimal part = left.signum() > 0 ? most : most.negate();
      Object[] cells = new Object[columns.length];
      for (int i = 0; i < cells.length; i++) {
        boolean isCount = !columns[i].nullable();
        cells[i] = i < groupColumns ? rows.get(0)[i] : isCount ? (Object) 0L : null;
      }
      cells[column] = Decimal.apply(part, type.precision(), type.scale());
      rows.add(cells);
      left = left.subtract(part);
    }
    return Decimal.apply(left, type.precision(), type.scale());
  }

  private Object cell(RowResult group, int column) {
    DataType type = columns[column].dataType();
    Object value = group.getObject(column);
    if (type instanceof DecimalType) {
      return column < groupColumns ? decimal((BigDecimal) value, (DecimalType) type) : value;
    } else if (type.equals(DataTypes.TimestampType) || type.equals(DataTypes.DateType)) {
      return type.equals(DataTypes.DateType)
          ? (Object) group.getInt(column)
          : group.getLong(column);
    } else if (value instanceof String text) {
      return UTF8String.fromString(text);
    } else if (value instanceof java.nio.ByteBuffer) {
      return group.getBinaryCopy(column);
    } else if (value instanceof Long number) {
      return narrowed(number, type);
    }
    return value;
  }

  /** The least and the greatest value of an expression arrive as 64-bit integers. */
  private static Object narrowed(long number, DataType type) {
    if (type.equals(DataTypes.IntegerType)) {
      return (int) number;
    } else if (type.equals(DataTypes.ShortType)) {
      return (short) number;
    }
    return type.equals(DataTypes.ByteType) ? (Object) (byte) number : number;
  }

  private static Decimal decimal(BigDecimal value, DecimalType type) {
    return Decimal.apply(value, type.precision(), type.scale());
  }
}
