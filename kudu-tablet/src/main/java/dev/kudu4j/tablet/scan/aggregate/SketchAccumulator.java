package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.sketch.DistinctSketch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A sketch of the distinct values of a column per group. */
final class SketchAccumulator {
  /** The memory of the objects of a sketch besides its registers. */
  private static final int OBJECT_BYTES = 160;

  private final int column;
  private final DataType type;
  private DistinctSketch[] sketches = new DistinctSketch[1];
  private int[] sizes = new int[1];
  private long bytes;

  SketchAccumulator(int column, DataType type) {
    this.column = column;
    this.type = type;
  }

  void add(int[] slots, RowChunk chunk, Groups groups) throws IOException {
    ColumnVector vector = chunk.rows().cells(column);
    int first = chunk.rows().firstRow(column);
    for (int i = 0; i < chunk.count(); i++) {
      int cell = chunk.row(i) - first;
      if (slots[i] != groups.slotCount() && !vector.isNull(cell)) {
        add(groups.groupOf(slots[i]), vector.cellAddress(cell), vector.cellLength(cell));
      }
    }
  }

  private void add(int group, long address, int length) {
    if (group >= sketches.length) {
      int max = Math.max(group + 1, 2 * sketches.length);
      sketches = Arrays.copyOf(sketches, max);
      sizes = Arrays.copyOf(sizes, max);
    }
    if (sketches[group] == null) {
      sketches[group] = new DistinctSketch();
    }
    sketches[group].add(type, address, length);
    int size = OBJECT_BYTES + sketches[group].memoryBytes();
    bytes += size - sizes[group];
    sizes[group] = size;
  }

  /** The memory of the sketches. */
  long bytes() {
    return bytes + (long) (Long.BYTES + Integer.BYTES) * sketches.length;
  }

  /** The sketch as bytes; null if the group has only NULLs. */
  byte @Nullable [] value(int group) {
    return group < sketches.length && sketches[group] != null ? sketches[group].toBytes() : null;
  }
}
