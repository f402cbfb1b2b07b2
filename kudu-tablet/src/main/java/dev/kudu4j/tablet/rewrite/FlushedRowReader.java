package dev.kudu4j.tablet.rewrite;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads the rows of a rowset's files block by block: the cells with all REDO changes applied, and
 * the histories. In-memory changes are not included. Columns that the files lack get their read
 * default. Not thread-safe.
 */
public final class FlushedRowReader implements AutoCloseable {
  private final Schema schema;
  private final ColumnReader[] readers;
  private final DeltaFileChanges changes;
  private final RollForward rollForward;

  private FlushedRowReader(
      Schema schema, RowSetFiles files, DeltaFileChanges changes, RollForward roll) {
    this.schema = schema;
    this.changes = changes;
    this.rollForward = roll;
    this.readers = new ColumnReader[schema.columnCount()];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = files.openColumn(schema.column(i).id());
    }
  }

  /**
   * Reads whole rows with all their changes.
   *
   * @param allocator allocates the memory; closed by the caller
   * @param files borrowed
   * @param schema the schema of the batches
   * @param ancientHistoryMark UNDO changes below it are dropped; 0 keeps all
   */
  public static FlushedRowReader ofRows(
      BufferAllocator allocator, RowSetFiles files, Schema schema, long ancientHistoryMark) {
    return new FlushedRowReader(
        schema,
        files,
        new DeltaFileChanges(allocator, files.undoFiles(), files.redoFiles()),
        RollForward.ofRows(allocator, schema, ancientHistoryMark));
  }

  /**
   * Reads some columns, with the changes of the given REDO files applied; ignores UNDO files.
   *
   * @param columns the schema of the batches, without key columns
   * @param tabletSchema the schema of the tablet
   * @param redo the rowset's oldest REDO files, oldest first
   */
  public static FlushedRowReader ofColumns(
      BufferAllocator allocator,
      RowSetFiles files,
      Schema columns,
      Schema tabletSchema,
      List<DeltaFile> redo,
      long ancientHistoryMark) {
    return new FlushedRowReader(
        columns,
        files,
        new DeltaFileChanges(allocator, List.of(), redo),
        RollForward.ofColumns(allocator, columns, tabletSchema, ancientHistoryMark));
  }

  /**
   * Reads the rows {@code [first, first + count)}. Ranges of successive calls ascend.
   *
   * @param out receives the cells; cleared first
   * @param histories receives the histories; the entries are valid until the next call
   */
  public void read(long first, int count, ColumnBatch out, HistorySink histories)
      throws IOException {
    out.clear();
    for (int i = 0; i < readers.length; i++) {
      if (readers[i] != null) {
        readers[i].read(first, count, out.column(i));
      } else {
        appendDefaults(schema.column(i), count, out.column(i));
      }
    }
    out.setRowCount(count);
    changes.begin(first);
    rollForward.roll(out, changes, histories);
  }

  private static void appendDefaults(ColumnSchema column, int count, ColumnVector out) {
    byte[] cell = column.readDefault();
    if (cell == null && !column.isNullable()) {
      throw KuduException.corruption(
          "Stored rows lack column %s, which is not nullable and has no read default", column);
    }
    for (int i = 0; i < count; i++) {
      if (cell == null) {
        out.appendNull();
      } else {
        out.append(cell, 0, cell.length);
      }
    }
  }

  @Override
  public void close() {
    for (ColumnReader reader : readers) {
      if (reader != null) {
        reader.close();
      }
    }
    changes.close();
    rollForward.close();
  }
}
