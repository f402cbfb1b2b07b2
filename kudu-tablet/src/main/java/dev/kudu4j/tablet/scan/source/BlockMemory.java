package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The working memory of a source for one block. It is allocated once and reused for each block,
 * also across sources that are read sequentially.
 */
final class BlockMemory implements AutoCloseable {
  private final BufferAllocator allocator;
  private final ScanColumns columns;
  private final SelectionBitmap selection;
  private final ChangeOverlay changes;
  private final long[] numbers;
  private final long[] bits;
  private final long[] changedRows;
  private final @Nullable ColumnVector[] vectors;
  private final @Nullable ColumnVector[] entries;
  private final boolean[] loaded;
  private final int[] firstRow;

  /**
   * @param allocator shared
   */
  BlockMemory(CompiledScan plan, BufferAllocator allocator) {
    this.allocator = allocator;
    this.columns = plan.columns();
    this.selection = new SelectionBitmap(plan.blockRows());
    this.changes = new ChangeOverlay(plan, allocator);
    this.numbers = new long[plan.blockRows()];
    this.bits = new long[SelectionBitmap.wordCount(plan.blockRows())];
    this.changedRows = new long[bits.length];
    this.vectors = new ColumnVector[columns.count()];
    this.entries = new ColumnVector[columns.count()];
    this.loaded = new boolean[columns.count()];
    this.firstRow = new int[columns.count()];
  }

  /** Discards the previous block. */
  void begin() {
    Arrays.fill(loaded, false);
    changes.begin();
  }

  SelectionBitmap selection() {
    return selection;
  }

  ChangeOverlay changes() {
    return changes;
  }

  /** One number per row of the block: a timestamp or an address. */
  long[] numbers() {
    return numbers;
  }

  /** A bitmap as scratch space. */
  long[] bits() {
    return bits;
  }

  /** A bitmap as scratch space for rows with changes. */
  long[] changedRows() {
    return changedRows;
  }

  /** The scratch vector of a column. */
  ColumnVector vector(int column) {
    if (vectors[column] == null) {
      ColumnSchema schema = columns.column(column);
      vectors[column] = new ColumnVector(allocator, schema.type(), schema.isNullable());
    }
    return vectors[column];
  }

  /** A vector for the dictionary entries of a page of the column. */
  ColumnVector entries(int column) {
    if (entries[column] == null) {
      entries[column] = new ColumnVector(allocator, columns.column(column).type(), false);
    }
    return entries[column];
  }

  /**
   * Whether the scratch vector holds the column's cells of this block, starting at row {@link
   * #firstRow}.
   */
  boolean isLoaded(int column) {
    return loaded[column];
  }

  int firstRow(int column) {
    return firstRow[column];
  }

  void setLoaded(int column, int first) {
    loaded[column] = true;
    firstRow[column] = first;
  }

  @Override
  public void close() {
    changes.close();
    closeAll(vectors);
    closeAll(entries);
  }

  private static void closeAll(@Nullable ColumnVector[] vectors) {
    for (ColumnVector vector : vectors) {
      if (vector != null) {
        vector.close();
      }
    }
  }
}
