package dev.kudu4j.tablet.feed;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.scan.index.IndexHint;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import dev.kudu4j.tablet.scan.source.BatchKeys;
import dev.kudu4j.tablet.scan.source.CompiledScan;
import dev.kudu4j.tablet.scan.source.RowSource;
import dev.kudu4j.tablet.scan.source.ScanColumns;
import dev.kudu4j.tablet.scan.source.ScanWork;
import dev.kudu4j.tablet.scan.source.Sources;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Reads rows by key as they were at snapshots, and keeps them until {@link #clear}. */
final class RowStates implements AutoCloseable {
  /** Stands for a row that does not exist at a snapshot. */
  static final int NO_ROW = -1;

  private final Components components;
  private final BufferAllocator allocator;
  private final ScanColumns columns;
  private final int maxBlockRows;
  private final ColumnBatch rows;
  private final BatchKeys found = new BatchKeys();

  /** Borrows components and allocator. */
  RowStates(Components components, BufferAllocator allocator, Schema projection, int maxBlockRows) {
    this.components = components;
    this.allocator = allocator;
    this.columns = new ScanColumns(components.schema(), projection, List.of());
    this.maxBlockRows = maxBlockRows;
    this.rows = new ColumnBatch(allocator, projection);
  }

  /** The rows that were read. */
  ColumnBatch rows() {
    return rows;
  }

  /**
   * Reads the states of rows at a snapshot.
   *
   * @param keys ascending and distinct
   * @return for each key its row in {@link #rows}, or {@link #NO_ROW}
   */
  int[] read(List<byte[]> keys, long snapshot) throws IOException {
    int[] states = new int[keys.size()];
    Arrays.fill(states, NO_ROW);
    if (keys.isEmpty()) {
      return states;
    }
    int first = rows.rowCount();
    found.clear();
    try (RowSource source = Sources.unordered(plan(keys, snapshot), components, allocator, false)) {
      while (!source.isExhausted()) {
        source.readBlock(rows, Integer.MAX_VALUE, found);
      }
    }
    for (int i = 0; i < found.count(); i++) {
      states[indexOf(keys, i)] = first + i;
    }
    return states;
  }

  private CompiledScan plan(List<byte[]> keys, long snapshot) {
    int blockRows = Math.max(1, Math.min(keys.size(), maxBlockRows));
    return new CompiledScan(
        columns,
        PredicateNode.ALL,
        snapshot,
        -1,
        null,
        null,
        keys,
        blockRows,
        blockRows,
        true,
        IndexHint.NONE,
        new ScanWork());
  }

  /** The index of a found row's key; each source returns its rows in key order. */
  private int indexOf(List<byte[]> keys, int row) {
    int low = 0;
    int high = keys.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] key = keys.get(middle);
      int from = found.offset(row);
      int to = from + found.length(row);
      if (Arrays.compareUnsigned(key, 0, key.length, found.array(), from, to) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether two rows have the same cells. */
  boolean areEqual(int one, int other) {
    for (int i = 0; i < rows.schema().columnCount(); i++) {
      ColumnVector column = rows.column(i);
      if (column.isNull(one) != column.isNull(other)) {
        return false;
      }
      if (!column.isNull(one)
          && Memory.compare(
                  column.cellAddress(one),
                  column.cellLength(one),
                  column.cellAddress(other),
                  column.cellLength(other))
              != 0) {
        return false;
      }
    }
    return true;
  }

  /** Forgets the rows that were read. */
  void clear() {
    rows.clear();
  }

  @Override
  public void close() {
    rows.close();
  }
}
