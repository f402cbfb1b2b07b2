package dev.kudu4j.tablet.rewrite;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.delta.RowChangeBuilder;
import dev.kudu4j.tablet.memory.Scratch;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Builds changes off heap as entries that {@link Mutation} reads. The entries are valid until
 * {@link #clear}. Not thread-safe.
 */
public final class MutationBuilder implements AutoCloseable {
  private final Scratch scratch;
  private final RowChangeBuilder change = new RowChangeBuilder();

  /**
   * @param allocator allocates the memory; closed by the caller
   */
  public MutationBuilder(BufferAllocator allocator) {
    this.scratch = new Scratch(allocator);
  }

  /** Starts a new change, to which cells can be added. */
  RowChangeBuilder begin(byte kind) {
    change.begin(kind);
    return change;
  }

  /** Adds a cell to the change. */
  void addCell(int columnId, long address, int length) {
    if (length == RowChange.NULL_LENGTH) {
      change.addNull(columnId);
    } else {
      change.addCell(columnId, address, length);
    }
  }

  /** Finishes the change and returns it as an entry. */
  long end(long timestamp, int sequence) {
    int length = change.length();
    long entry = scratch.allocate(Mutation.HEADER_BYTES + length);
    Memory.putLong(entry, 0);
    Memory.putLong(entry + 8, timestamp);
    Memory.putInt(entry + 16, sequence);
    Memory.putInt(entry + 20, length);
    Memory.copy(change.array(), 0, Mutation.changeAddress(entry), length);
    return entry;
  }

  /**
   * Builds the UNDO change of an insertion at the timestamp: before the insertion, there was no
   * row.
   */
  public long delete(long timestamp, int sequence) {
    begin(RowChange.DELETE);
    return end(timestamp, sequence);
  }

  /**
   * Builds the UNDO change of a deletion at the timestamp: before the deletion, the row had the
   * cells of row {@code row} of the batch.
   */
  public long reinsert(ColumnBatch cells, int row, long timestamp, int sequence) {
    begin(RowChange.REINSERT);
    Schema schema = cells.schema();
    for (int i = schema.keyColumnCount(); i < schema.columnCount(); i++) {
      ColumnSchema column = schema.column(i);
      ColumnVector vector = cells.column(i);
      if (vector.isNull(row)) {
        change.addNull(column.id());
      } else {
        change.addCell(column.id(), vector.cellAddress(row), vector.cellLength(row));
      }
    }
    return end(timestamp, sequence);
  }

  /** Copies a cell off heap; the copy is valid until {@link #clear}. */
  long copy(byte[] cell) {
    return scratch.copy(cell);
  }

  /** Discards all entries; the memory is reused. */
  public void clear() {
    scratch.clear();
  }

  @Override
  public void close() {
    scratch.close();
  }
}
