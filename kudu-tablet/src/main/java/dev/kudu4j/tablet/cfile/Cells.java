package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;

/**
 * Reads fixed-width integers of 1, 2, 4 and 8 bytes and widens them to long according to their
 * type.
 */
final class Cells {
  private Cells() {}

  /** Whether the cells are integers of at most 8 bytes, for which differences are meaningful. */
  static boolean areIntegers(DataType type) {
    return switch (type) {
      case FLOAT, DOUBLE, INT128, DECIMAL128, STRING, BINARY, VARCHAR, NESTED -> false;
      default -> true;
    };
  }

  /** The cell as a long: sign-extended for a signed type, zero-extended for an unsigned one. */
  static long get(DataType type, long address) {
    return switch (type) {
      case UINT8, BOOL, IS_DELETED -> Memory.getByte(address) & 0xffL;
      case UINT16 -> Memory.getShort(address) & 0xffffL;
      case UINT32 -> Memory.getInt(address) & 0xffff_ffffL;
      default -> raw(type.width(), address);
    };
  }

  /** The bytes of a cell of the given width, sign-extended. */
  static long raw(int width, long address) {
    return switch (width) {
      case 1 -> Memory.getByte(address);
      case 2 -> Memory.getShort(address);
      case 4 -> Memory.getInt(address);
      case 8 -> Memory.getLong(address);
      default ->
          throw new IllegalArgumentException("Unsupported integer width: " + width + " bytes");
    };
  }

  /** Whether two cells of the given width have equal bytes. */
  static boolean equal(int width, long left, long right) {
    return width == 16
        ? Memory.getLong(left) == Memory.getLong(right)
            && Memory.getLong(left + 8) == Memory.getLong(right + 8)
        : raw(width, left) == raw(width, right);
  }
}
