package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The smallest or largest cell of a column per group, for columns without arithmetic. */
final class MinMaxCellAccumulator {
  /** The memory of an array besides its elements. */
  private static final int ARRAY_BYTES = 16;

  private final int column;
  private final DataType type;
  private final boolean largest;
  private byte[][] best = new byte[1][];
  private long bytes;
  private byte[] probe = new byte[16];

  MinMaxCellAccumulator(int column, DataType type, boolean largest) {
    this.column = column;
    this.type = type;
    this.largest = largest;
  }

  void add(int[] slots, RowChunk chunk, Groups groups) throws IOException {
    ColumnVector vector = chunk.rows().cells(column);
    int first = chunk.rows().firstRow(column);
    for (int i = 0; i < chunk.count(); i++) {
      int cell = chunk.row(i) - first;
      if (slots[i] != groups.slotCount() && !vector.isNull(cell)) {
        offer(groups.groupOf(slots[i]), vector.cellAddress(cell), vector.cellLength(cell));
      }
    }
  }

  private void offer(int group, long address, int length) {
    reserve(group);
    int order = best[group] == null ? 0 : compare(address, length, best[group]);
    if (best[group] == null || (largest ? order > 0 : order < 0)) {
      byte[] cell = new byte[length];
      Memory.copy(address, cell, 0, length);
      replace(group, cell);
    }
  }

  /** Adds a cell to a group. */
  void add(int group, byte[] cell) {
    reserve(group);
    int order = best[group] == null ? 0 : CellOrder.compare(type, cell, best[group]);
    if (best[group] == null || (largest ? order > 0 : order < 0)) {
      replace(group, cell);
    }
  }

  private void reserve(int group) {
    if (group >= best.length) {
      best = Arrays.copyOf(best, Math.max(group + 1, 2 * best.length));
    }
  }

  private void replace(int group, byte[] cell) {
    bytes += cell.length - (best[group] == null ? -ARRAY_BYTES : best[group].length);
    best[group] = cell;
  }

  int column() {
    return column;
  }

  DataType type() {
    return type;
  }

  boolean isLargest() {
    return largest;
  }

  /** The memory of the cells of all groups. */
  long bytes() {
    return bytes + (long) Long.BYTES * best.length;
  }

  private int compare(long address, int length, byte[] other) {
    if (type.isVariableLength()) {
      return Memory.compare(address, length, other, 0, other.length);
    }
    Memory.copy(address, probe, 0, length);
    return CellOrder.compare(type, probe, other);
  }

  /** The smallest or largest cell; null if the group has only NULLs. */
  byte @Nullable [] value(int group) {
    return group < best.length ? best[group] : null;
  }
}
