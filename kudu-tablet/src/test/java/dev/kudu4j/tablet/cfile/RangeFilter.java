package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * Tests first ≤ cell ≤ last for each cell: slow, obviously right. Compares floating-point numbers
 * as IEEE 754 does.
 */
final class RangeFilter implements CellFilter {
  private final DataType type;
  private final byte[] first;
  private final byte[] last;

  /** The bounds may come in any order. */
  RangeFilter(DataType type, byte[] one, byte[] other) {
    boolean ordered = CellOrder.compare(type, one, other) <= 0;
    this.type = type;
    this.first = ordered ? one : other;
    this.last = ordered ? other : one;
  }

  boolean matches(byte[] cell) {
    if (isFloatingRange()) {
      return value(cell) >= lowDouble() && value(cell) <= highDouble();
    }
    return CellOrder.compare(type, first, cell) <= 0 && CellOrder.compare(type, cell, last) <= 0;
  }

  @Override
  public void evaluate(ColumnVector cells, int rowCount, long[] wanted) {
    for (int row = 0; row < rowCount; row++) {
      byte[] cell = new byte[cells.cellLength(row)];
      Memory.copy(cells.cellAddress(row), cell, 0, cell.length);
      if (!matches(cell)) {
        wanted[row >>> 6] &= ~(1L << row);
      }
    }
  }

  @Override
  public boolean isIntegerRange() {
    return Cells.areIntegers(type);
  }

  @Override
  public long lowInteger() {
    return widened(first);
  }

  @Override
  public long highInteger() {
    return widened(last);
  }

  private long widened(byte[] cell) {
    long value =
        switch (cell.length) {
          case 1 -> cell[0];
          case 2 -> LittleEndian.getShort(cell, 0);
          case 4 -> LittleEndian.getInt(cell, 0);
          default -> LittleEndian.getLong(cell, 0);
        };
    boolean signed = !type.isUnsigned() && type != DataType.BOOL && type != DataType.IS_DELETED;
    return signed || cell.length == 8 ? value : value & ((1L << (8 * cell.length)) - 1);
  }

  @Override
  public boolean isFloatingRange() {
    return type == DataType.FLOAT || type == DataType.DOUBLE;
  }

  @Override
  public double lowDouble() {
    return value(first);
  }

  @Override
  public double highDouble() {
    return value(last);
  }

  private static double value(byte[] cell) {
    return cell.length == 4
        ? Float.intBitsToFloat(LittleEndian.getInt(cell, 0))
        : Double.longBitsToDouble(LittleEndian.getLong(cell, 0));
  }
}
