package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter for a range, a value or a list of values of an integer, date, time, boolean or decimal
 * of up to 64 bits.
 */
final class IntegerLeaf extends BoundedLeaf {
  private final int width;
  private final long low;
  private final long span;
  private final long lowInteger;
  private final long highInteger;
  private final long @Nullable [] listed; // null for a range

  private IntegerLeaf(
      int column,
      int maxRows,
      DataType type,
      byte[] first,
      byte[] last,
      long @Nullable [] listed,
      byte @Nullable [][] values) {
    super(column, maxRows, type, first, null, last, values);
    this.width = type.width();
    this.low = raw(first);
    this.span = raw(last) - low;
    this.lowInteger = widened(type, first);
    this.highInteger = widened(type, last);
    this.listed = listed;
  }

  static boolean fits(DataType type) {
    return switch (type) {
      case FLOAT, DOUBLE, INT128, DECIMAL128, STRING, BINARY, VARCHAR, NESTED -> false;
      default -> true;
    };
  }

  /** Matches the values with first ≤ value ≤ last. */
  static IntegerLeaf range(int column, int maxRows, DataType type, byte[] first, byte[] last) {
    return new IntegerLeaf(column, maxRows, type, first, last, null, null);
  }

  /**
   * @param values sorted by the column's order, not empty
   */
  static IntegerLeaf list(int column, int maxRows, DataType type, List<byte[]> values) {
    long[] listed = values.stream().mapToLong(IntegerLeaf::raw).sorted().toArray();
    return new IntegerLeaf(
        column,
        maxRows,
        type,
        values.get(0),
        values.get(values.size() - 1),
        listed,
        values.toArray(new byte[0][]));
  }

  /**
   * The smallest value that a cell of the type's width can represent, even if it is not a valid
   * date or boolean.
   */
  static byte[] smallest(DataType type) {
    byte[] cell = new byte[type.width()];
    if (isSigned(type)) {
      cell[cell.length - 1] = Byte.MIN_VALUE;
    }
    return cell;
  }

  static byte[] largest(DataType type) {
    byte[] cell = new byte[type.width()];
    Arrays.fill(cell, (byte) -1);
    if (isSigned(type)) {
      cell[cell.length - 1] = Byte.MAX_VALUE;
    }
    return cell;
  }

  /** The predecessor of a cell; null for the smallest cell. */
  static byte @Nullable [] before(DataType type, byte[] cell) {
    if (CellOrder.compare(type, cell, smallest(type)) == 0) {
      return null;
    }
    byte[] less = cell.clone();
    for (int i = 0; i < less.length && less[i]-- == 0; i++) {
      // Borrow from the next byte; a signed 0 borrows from all bytes and becomes -1.
    }
    return less;
  }

  private static boolean isSigned(DataType type) {
    return !type.isUnsigned() && type != DataType.BOOL && type != DataType.IS_DELETED;
  }

  /** The cell as a long: sign-extended if the type is signed, else zero-extended. */
  private static long widened(DataType type, byte[] cell) {
    long value = raw(cell);
    return isSigned(type) || cell.length == 8 ? value : value & ((1L << (8 * cell.length)) - 1);
  }

  private static long raw(byte[] cell) {
    return switch (cell.length) {
      case 1 -> cell[0];
      case 2 -> LittleEndian.getShort(cell, 0);
      case 4 -> LittleEndian.getInt(cell, 0);
      default -> LittleEndian.getLong(cell, 0);
    };
  }

  @Override
  boolean matchesWholeRange() {
    return listed == null;
  }

  @Override
  public boolean isIntegerRange() {
    return listed == null;
  }

  @Override
  public long lowInteger() {
    return lowInteger;
  }

  @Override
  public long highInteger() {
    return highInteger;
  }

  @Override
  public void evaluate(ColumnVector cells, int rowCount, long[] wanted) {
    long address = cells.dataAddress();
    switch (width) {
      case 1 -> Kernels.bytesInRange(address, rowCount, (int) low, (int) span & 0xff, wanted);
      case 2 -> Kernels.shortsInRange(address, rowCount, (int) low, (int) span & 0xffff, wanted);
      case 4 -> Kernels.intsInRange(address, rowCount, (int) low, (int) span, wanted);
      default -> Kernels.longsInRange(address, rowCount, low, span, wanted);
    }
    if (listed != null) {
      Kernels.keepListed(address, width, wanted, rowCount, listed);
    }
  }
}
