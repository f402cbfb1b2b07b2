package dev.kudu4j.tablet.unique;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.index.IndexValue;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.scan.index.IndexHint;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import dev.kudu4j.tablet.scan.source.CompiledScan;
import dev.kudu4j.tablet.scan.source.DiskRowSetSource;
import dev.kudu4j.tablet.scan.source.MemRowSetSource;
import dev.kudu4j.tablet.scan.source.RowSource;
import dev.kudu4j.tablet.scan.source.ScanColumns;
import dev.kudu4j.tablet.scan.source.ScanWork;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads the indexed cells of given rows as they are after the last change, including changes of the
 * request that is being applied. Writer only.
 */
final class CurrentRows implements AutoCloseable {
  /** The maximum number of rows that are read at once. */
  static final int MAX_ROWS = 1024;

  /** Above every timestamp. */
  private static final long NOW = Long.MAX_VALUE;

  private final BufferAllocator allocator;
  private final ScanColumns columns;
  private final ColumnBatch cells;
  private final List<ColumnVector> vectors;

  /**
   * @param table the tablet's schema
   */
  CurrentRows(BufferAllocator allocator, Schema table, IndexDefinition index) {
    this.allocator = allocator;
    Schema indexed = IndexValue.columns(index, table);
    this.columns = new ScanColumns(table, indexed, List.of());
    this.cells = new ColumnBatch(allocator, indexed);
    this.vectors = IntStream.range(0, indexed.columnCount()).mapToObj(cells::column).toList();
  }

  /** The indexed columns. */
  List<ColumnSchema> columns() {
    return cells.schema().columns();
  }

  List<DataType> types() {
    return cells.schema().columns().stream().map(ColumnSchema::type).toList();
  }

  static boolean isLive(DiskRowSet store, long ordinal) {
    return !store.liveness().isDeleted(ordinal);
  }

  static boolean isLive(long memRow) {
    long newest = MemRow.newestMutation(memRow);
    return newest == 0 || RowChange.kind(Mutation.changeAddress(newest)) != RowChange.DELETE;
  }

  /**
   * Reads rows.
   *
   * @param ordinals ascending, of live rows
   */
  void read(DiskRowSet store, long[] ordinals) throws IOException {
    read(DiskRowSetSource.ofRows(plan(ordinals.length), allocator, store, ordinals), ordinals);
  }

  /**
   * Reads rows.
   *
   * @param addresses of live rows
   */
  void read(MemRowSet store, long[] addresses) throws IOException {
    read(MemRowSetSource.ofRows(plan(addresses.length), allocator, store, addresses), addresses);
  }

  private void read(RowSource rows, long[] wanted) throws IOException {
    cells.clear();
    try (rows) {
      while (!rows.isExhausted()) {
        rows.readBlock(cells, Integer.MAX_VALUE, null);
      }
    }
    if (cells.rowCount() != wanted.length) {
      throw new IllegalStateException(
          "Expected %d live rows, found %d".formatted(wanted.length, cells.rowCount()));
    }
  }

  private CompiledScan plan(int rows) {
    int block = Math.max(1, Math.min(rows, MAX_ROWS));
    return new CompiledScan(
        columns,
        PredicateNode.ALL,
        NOW,
        -1,
        null,
        null,
        null,
        block,
        block,
        true,
        IndexHint.NONE,
        new ScanWork());
  }

  /** Sets the value of one of the rows that were read; it is incomplete after a NULL. */
  void value(int row, IndexValue out) {
    out.set(vectors, row);
  }

  /** The cells of the rows that were read. */
  List<ColumnVector> cells() {
    return vectors;
  }

  @Override
  public void close() {
    cells.close();
  }
}
