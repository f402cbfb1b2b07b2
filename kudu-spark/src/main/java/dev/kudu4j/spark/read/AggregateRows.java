package dev.kudu4j.spark.read;

import dev.kudu4j.client.RowResult;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Iterator;
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

  // The group whose rows are being returned.
  private Object[] group;
  private BigDecimal[] left; // what remains of each decimal; null for other columns
  private boolean isFirst;

  /**
   * @param groupColumns number of grouping columns, which come first
   */
  AggregateRows(Iterator<RowResult> groups, StructType columns, int groupColumns) {
    this.groups = groups;
    this.columns = columns.fields();
    this.groupColumns = groupColumns;
  }

  /** The only row of an aggregation over nothing, without grouping columns. */
  static InternalRow ofNothing(StructType columns) {
    Object[] cells = new Object[columns.length()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = neutral(columns.fields()[i]);
    }
    return row(cells);
  }

  /** 0 for a count, which is the only aggregate that is never NULL. */
  private static Object neutral(StructField column) {
    return column.nullable() ? null : (Object) 0L;
  }

  private static InternalRow row(Object[] cells) {
    return InternalRow.fromSeq(CollectionConverters.asScala(Arrays.asList(cells)).toSeq());
  }

  @Override
  public boolean hasNext() {
    return group != null || groups.hasNext();
  }

  @Override
  public InternalRow next() {
    if (group == null) {
      begin(groups.next());
    }
    Object[] cells = new Object[columns.length];
    boolean more = false;
    for (int i = 0; i < cells.length; i++) {
      if (left[i] != null) {
        cells[i] = part(i);
        more |= left[i] != null;
      } else {
        boolean whole = isFirst || i < groupColumns;
        cells[i] = whole ? group[i] : neutral(columns[i]);
      }
    }
    isFirst = false;
    if (!more) {
      group = null;
    }
    return row(cells);
  }

  private void begin(RowResult next) {
    group = new Object[columns.length];
    left = new BigDecimal[columns.length];
    isFirst = true;
    for (int i = 0; i < group.length; i++) {
      if (next.isNull(i)) {
        continue;
      }
      if (columns[i].dataType() instanceof DecimalType type && i >= groupColumns) {
        left[i] = exact(next.getObject(i)).setScale(type.scale());
      } else {
        group[i] = cell(next, i);
      }
    }
  }

  /** The next part of a decimal that fits into its column. */
  private Decimal part(int column) {
    DecimalType type = (DecimalType) columns[column].dataType();
    BigDecimal most =
        BigDecimal.TEN
            .pow(type.precision() - type.scale())
            .subtract(BigDecimal.ONE.movePointLeft(type.scale()));
    BigDecimal rest = left[column];
    boolean fits = rest.abs().compareTo(most) <= 0;
    BigDecimal whole = rest.signum() > 0 ? most : most.negate();
    BigDecimal part = fits ? rest : whole;
    left[column] = fits ? null : rest.subtract(part);
    return Decimal.apply(part, type.precision(), type.scale());
  }

  private static BigDecimal exact(Object number) {
    return number instanceof BigDecimal decimal
        ? decimal
        : BigDecimal.valueOf(((Number) number).longValue());
  }

  private Object cell(RowResult from, int column) {
    DataType type = columns[column].dataType();
    if (type.equals(DataTypes.TimestampType)) {
      return from.getLong(column);
    } else if (type.equals(DataTypes.DateType)) {
      return from.getInt(column);
    } else if (type.equals(DataTypes.BinaryType)) {
      return from.getBinaryCopy(column);
    }
    Object value = from.getObject(column);
    if (type instanceof DecimalType decimal) {
      return Decimal.apply(exact(value), decimal.precision(), decimal.scale());
    } else if (value instanceof String text) {
      return UTF8String.fromString(text);
    }
    return value instanceof Number number ? converted(number, type) : value;
  }

  /**
   * A number in the type of its column: the result of an expression arrives with 64 bits, or with
   * those of its column.
   *
   * @throws ArithmeticException if it does not fit, as Spark itself would have reported
   */
  private static Object converted(Number number, DataType type) {
    if (type.equals(DataTypes.DoubleType)) {
      return number.doubleValue();
    } else if (type.equals(DataTypes.FloatType)) {
      return number.floatValue();
    }
    long value = number.longValue();
    if (type.equals(DataTypes.LongType)) {
      return value;
    } else if (type.equals(DataTypes.IntegerType)) {
      return Math.toIntExact(value);
    }
    boolean isShort = type.equals(DataTypes.ShortType);
    if (isShort ? value != (short) value : value != (byte) value) {
      throw new ArithmeticException(value + " does not fit into " + type.sql());
    }
    return isShort ? (Object) (short) value : (Object) (byte) value;
  }
}
