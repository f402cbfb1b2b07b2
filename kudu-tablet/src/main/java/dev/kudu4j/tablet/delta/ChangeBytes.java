package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;
import org.jspecify.annotations.Nullable;

/** Walks and validates the bytes of a {@link RowChange} that are read from or written to a file. */
final class ChangeBytes {
  private ChangeBytes() {}

  static int cellCount(long change) {
    return Memory.getShort(change + 1) & 0xffff;
  }

  /** The address of the next cell. */
  static long nextCell(long cell) {
    return cell + RowChange.CELL_HEADER_BYTES + Math.max(0, Memory.getInt(cell + 4));
  }

  /** Returns null, or a description of the corruption. */
  static @Nullable String check(long change, int length) {
    if (length < RowChange.HEADER_BYTES) {
      return "expected at least %d bytes, found %d".formatted(RowChange.HEADER_BYTES, length);
    }
    byte kind = Memory.getByte(change);
    if (kind < RowChange.UPDATE || kind > RowChange.REINSERT) {
      return "expected kind 1 to 3, found " + kind;
    }
    int cells = cellCount(change);
    if (kind == RowChange.DELETE && cells > 0) {
      return "expected no cell in a deletion, found " + cells;
    }
    long left = (long) length - RowChange.HEADER_BYTES;
    long cell = change + RowChange.HEADER_BYTES;
    for (int i = 0; i < cells; i++) {
      if (left < RowChange.CELL_HEADER_BYTES) {
        return "expected %d cells, found %d".formatted(cells, i);
      }
      int cellLength = Memory.getInt(cell + 4);
      left -= RowChange.CELL_HEADER_BYTES + (long) Math.max(0, cellLength);
      if (cellLength < -1 || left < 0) {
        return "expected a cell within the change, found a length of " + cellLength;
      }
      cell = nextCell(cell);
    }
    return left == 0 ? null : "expected the end of the change, found %d more bytes".formatted(left);
  }
}
