package dev.kudu4j.spark.read;

import dev.kudu4j.spark.type.InternalRows;
import java.math.BigDecimal;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Converts groups to Spark rows.
 *
 * <p>Spark casts a partial sum of decimals to the type of the argument before it merges the parts,
 * so a large sum would overflow there although the total has room. Such a sum is divided among
 * several rows of its group; the additional rows have neutral values in all other aggregates.
 */
final class AggregateRows implements Iterator<InternalRow> {
  private final Iterator<Object[]> groups;
  private final StructField[] columns;
  private final int groupColumns;

  // The group whose rows are being returned.
  private Object[] group;
  private BigDecimal[] left; // what remains of each decimal; null for other columns
  private boolean isFirst;

  /**
   * @param groups the cells of each group in the form of Spark; those of aggregates that are
   *     decimals as BigDecimal, of any size
   * @param groupColumns number of grouping columns, which come first
   */
  AggregateRows(Iterator<Object[]> groups, StructType columns, int groupColumns) {
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
    return InternalRows.of(cells);
  }

  /** 0 for a count, which is the only aggregate that is never NULL. */
  private static Object neutral(StructField column) {
    return column.nullable() ? null : (Object) 0L;
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
    return InternalRows.of(cells);
  }

  private void begin(Object[] next) {
    group = next;
    left = new BigDecimal[columns.length];
    isFirst = true;
    for (int i = groupColumns; i < group.length; i++) {
      if (columns[i].dataType() instanceof DecimalType type && group[i] != null) {
        left[i] = ((BigDecimal) group[i]).setScale(type.scale());
      }
    }
  }

  /** The next part of a decimal that fits into its column. */
  private Decimal part(int column) {
    DecimalType type = (DecimalType) columns[column].dataType();
    BigDecimal max =
        BigDecimal.TEN
            .pow(type.precision() - type.scale())
            .subtract(BigDecimal.ONE.movePointLeft(type.scale()));
    BigDecimal rest = left[column];
    boolean fits = rest.abs().compareTo(max) <= 0;
    BigDecimal whole = rest.signum() > 0 ? max : max.negate();
    BigDecimal part = fits ? rest : whole;
    left[column] = fits ? null : rest.subtract(part);
    return Decimal.apply(part, type.precision(), type.scale());
  }
}
