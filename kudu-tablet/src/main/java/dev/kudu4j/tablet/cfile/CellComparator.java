package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;

/** Compares cells of a type in raw memory, in cell form. */
final class CellComparator {
  private CellComparator() {}

  /**
   * Compares two cells. -0.0 is below +0.0, and NaN is above all other values, as in {@link
   * Double#compare}.
   */
  static int compare(DataType type, long left, int leftBytes, long right, int rightBytes) {
    return switch (type) {
      case INT8 -> Byte.compare(Memory.getByte(left), Memory.getByte(right));
      case UINT8, BOOL, IS_DELETED ->
          Integer.compare(Memory.getByte(left) & 0xff, Memory.getByte(right) & 0xff);
      case INT16 -> Short.compare(Memory.getShort(left), Memory.getShort(right));
      case UINT16 ->
          Integer.compare(Memory.getShort(left) & 0xffff, Memory.getShort(right) & 0xffff);
      case INT32, DATE, DECIMAL32 -> Integer.compare(Memory.getInt(left), Memory.getInt(right));
      case UINT32 -> Integer.compareUnsigned(Memory.getInt(left), Memory.getInt(right));
      case INT64, UNIXTIME_MICROS, DECIMAL64 ->
          Long.compare(Memory.getLong(left), Memory.getLong(right));
      case UINT64 -> Long.compareUnsigned(Memory.getLong(left), Memory.getLong(right));
      case FLOAT -> Float.compare(Memory.getFloat(left), Memory.getFloat(right));
      case DOUBLE -> Double.compare(Memory.getDouble(left), Memory.getDouble(right));
      case INT128, DECIMAL128 -> {
        int high = Long.compare(Memory.getLong(left + 8), Memory.getLong(right + 8));
        yield high != 0 ? high : Long.compareUnsigned(Memory.getLong(left), Memory.getLong(right));
      }
      case STRING, BINARY, VARCHAR, NESTED -> Memory.compare(left, leftBytes, right, rightBytes);
    };
  }
}
