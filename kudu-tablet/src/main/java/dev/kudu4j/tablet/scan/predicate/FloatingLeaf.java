package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter for a range, a value or a list of values of a float or double. Floats are compared as
 * doubles, which represent every float exactly. -0.0 equals 0.0; a NaN matches nothing.
 */
final class FloatingLeaf extends BoundedLeaf {
  private final boolean single;
  private final double low;
  private final double high;
  private final double @Nullable [] listed; // null for a range

  /**
   * @param upper exclusive and not negative infinity, or null
   * @param last inclusive, or null
   * @param values sorted, or null
   */
  private FloatingLeaf(
      int column,
      int maxRows,
      DataType type,
      byte @Nullable [] lower,
      byte @Nullable [] upper,
      byte @Nullable [] last,
      double @Nullable [] values) {
    super(column, maxRows, type, lower, upper, last, null);
    this.single = type == DataType.FLOAT;
    this.low = lower == null ? Double.NEGATIVE_INFINITY : value(lower);
    if (last != null) {
      this.high = value(last);
    } else {
      this.high = upper == null ? Double.POSITIVE_INFINITY : Math.nextDown(value(upper));
    }
    this.listed = values;
  }

  static FloatingLeaf range(
      int column, int maxRows, DataType type, byte @Nullable [] lower, byte @Nullable [] upper) {
    return new FloatingLeaf(column, maxRows, type, lower, upper, null, null);
  }

  static FloatingLeaf list(int column, int maxRows, DataType type, List<byte[]> values) {
    double[] sorted = values.stream().mapToDouble(FloatingLeaf::value).toArray();
    byte[] last = values.get(values.size() - 1);
    double @Nullable [] listed = sorted.length > 1 ? sorted : null;
    return new FloatingLeaf(column, maxRows, type, values.get(0), null, last, listed);
  }

  static double value(byte[] cell) {
    return cell.length == 4
        ? Float.intBitsToFloat(LittleEndian.getInt(cell, 0))
        : Double.longBitsToDouble(LittleEndian.getLong(cell, 0));
  }

  @Override
  boolean matchesWholeRange() {
    return listed == null;
  }

  @Override
  public boolean isFloatingRange() {
    return listed == null;
  }

  @Override
  public double lowDouble() {
    return low;
  }

  @Override
  public double highDouble() {
    return high;
  }

  @Override
  public void evaluate(ColumnVector cells, int rowCount, long[] wanted) {
    long address = cells.dataAddress();
    if (single) {
      Kernels.floatsInRange(address, rowCount, low, high, wanted);
    } else {
      Kernels.doublesInRange(address, rowCount, low, high, wanted);
    }
    if (listed != null) {
      keepListed(listed, address, rowCount, wanted);
    }
  }

  private void keepListed(double[] values, long address, int rowCount, long[] wanted) {
    for (int word = 0; word < SelectionBitmap.wordCount(rowCount); word++) {
      for (long bits = wanted[word]; bits != 0; bits &= bits - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(bits);
        double value =
            single ? Memory.getFloat(address + 4L * row) : Memory.getDouble(address + 8L * row);
        if (!isListed(values, value)) {
          wanted[word] &= ~(1L << row);
        }
      }
    }
  }

  private static boolean isListed(double[] values, double value) {
    int from = 0;
    int to = values.length - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      if (values[middle] < value) {
        from = middle + 1;
      } else if (values[middle] > value) {
        to = middle - 1;
      } else {
        return true;
      }
    }
    return false;
  }
}
