package dev.kudu4j.tablet.index;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes an {@link IndexFile}, column by column. {@link #finish} makes the file durable. {@link
 * #close} without {@link #finish} leaves an incomplete file that no superblock references. Not
 * thread-safe.
 */
public final class IndexFileWriter implements AutoCloseable {
  /**
   * The size of a page's cells before encoding. A look-up reads one or two pages of a column, so
   * they are smaller than those of base data.
   */
  private static final int PAGE_BYTES = 16 << 10;

  private static final int BATCH_ROWS = 4096;

  private final BufferAllocator allocator;
  private final SealedFileWriter file;
  private final List<ColumnIndex> columns = new ArrayList<>();
  private List<BlockLocation> filter = List.of();
  private boolean closed;

  public IndexFileWriter(TabletEnvironment environment, Path path) throws IOException {
    this.allocator = environment.allocator().newChildAllocator("writers", 0, Long.MAX_VALUE);
    try {
      this.file = new SealedFileWriter(environment, allocator, path, FileKind.INDEX);
    } catch (Throwable e) {
      allocator.close();
      throw e;
    }
  }

  /**
   * Writes the next column. The indexed columns come first, the most significant one before the
   * others.
   *
   * @param column with its id
   * @param cells the cells of all ordinals
   * @param order the order of the entries
   */
  public void write(ColumnSchema column, ColumnVector cells, OrdinalSort order) throws IOException {
    ColumnSchema stored =
        column.toBuilder().key(false).encoding(Encoding.AUTO).blockSizeBytes(0).build();
    try (ColumnWriter writer = new ColumnWriter(stored, file, allocator, PAGE_BYTES);
        ColumnVector batch = new ColumnVector(allocator, column.type(), column.isNullable())) {
      int rows = cells.rowCount();
      for (int first = 0; first < rows; first += BATCH_ROWS) {
        int end = Math.min(rows, first + BATCH_ROWS);
        batch.clear();
        for (int i = first; i < end; i++) {
          int row = order.ordinal(i);
          if (cells.isNull(row)) {
            batch.appendNull();
          } else {
            batch.append(cells.cellAddress(row), cells.cellLength(row));
          }
        }
        writer.append(batch, 0, end - first);
      }
      columns.add(writer.finish());
    }
  }

  /**
   * Writes the filter of the values. Not called for an index that is not unique.
   *
   * @param indexed the cells of all ordinals of the indexed columns
   */
  public void writeFilter(List<ColumnVector> indexed, int rows) throws IOException {
    IndexValue value = new IndexValue(indexed.stream().map(ColumnVector::type).toList());
    long[] hashes = new long[rows];
    int count = 0;
    for (int row = 0; row < rows; row++) {
      value.set(indexed, row);
      if (value.isComplete()) {
        hashes[count++] = value.hash();
      }
    }
    filter = EntryFilter.write(file, allocator, hashes, count);
  }

  /** Writes the ordinals and the footer, then syncs and closes the file. */
  public void finish(int indexId, int indexedColumns, int entryCount, OrdinalSort order)
      throws IOException {
    ColumnIndex ordinals = writeOrdinals(entryCount, order);
    file.finish(IndexFile.footer(entryCount, indexId, indexedColumns, columns, ordinals, filter));
    close();
  }

  private ColumnIndex writeOrdinals(int entryCount, OrdinalSort order) throws IOException {
    ColumnSchema ordinal = IndexFile.ORDINAL;
    try (ColumnWriter writer = new ColumnWriter(ordinal, file, allocator, PAGE_BYTES);
        ColumnVector batch = new ColumnVector(allocator, ordinal.type(), false)) {
      for (int first = 0; first < entryCount; first += BATCH_ROWS) {
        int rows = Math.min(BATCH_ROWS, entryCount - first);
        batch.clear();
        batch.reserve(rows, 0);
        Memory.copy(order.ordinalsAddress() + 4L * first, batch.dataAddress(), 4L * rows);
        batch.advance(rows, 0);
        writer.append(batch, 0, rows);
      }
      return writer.finish();
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      file.close();
    } finally {
      allocator.close();
    }
  }
}
