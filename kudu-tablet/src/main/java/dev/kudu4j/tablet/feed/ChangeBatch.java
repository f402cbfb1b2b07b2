package dev.kudu4j.tablet.feed;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Successive changes of a tablet. {@link #rows} has their rows in the order of the changes:
 *
 * <pre>
 *   INSERT  the row after the change
 *   UPDATE  the row before the change, the row after it
 *   DELETE  the row before the change
 * </pre>
 *
 * Filled once. Not thread-safe.
 */
public final class ChangeBatch implements AutoCloseable {
  private final ColumnBatch rows;
  private long[] timestamps = new long[64];
  private ChangeKind[] kinds = new ChangeKind[64];
  private int count;
  private FeedPosition next = FeedPosition.at(0);

  /**
   * @param allocator not closed by the batch; nothing is allocated before the first change
   * @param projection the columns of the rows
   */
  public ChangeBatch(BufferAllocator allocator, Schema projection) {
    this.rows = new ColumnBatch(allocator, projection);
  }

  /** The number of changes. */
  public int count() {
    return count;
  }

  public long timestamp(int change) {
    return timestamps[change];
  }

  public ChangeKind kind(int change) {
    assert change < count;
    return kinds[change];
  }

  /** The rows of the changes, with the projected columns. */
  public ColumnBatch rows() {
    return rows;
  }

  /** The position behind the changes of this batch, from which the next one is read. */
  public FeedPosition next() {
    return next;
  }

  void setNext(FeedPosition position) {
    next = position;
  }

  /**
   * Adds a change.
   *
   * @param before a row of {@code states}, or {@link RowStates#NO_ROW}
   * @param after the same
   */
  void add(long timestamp, RowStates states, int before, int after) {
    ChangeKind kind = ChangeKind.UPDATE;
    if (before == RowStates.NO_ROW) {
      kind = ChangeKind.INSERT;
    } else {
      append(states.rows(), before);
    }
    if (after == RowStates.NO_ROW) {
      kind = ChangeKind.DELETE;
    } else {
      append(states.rows(), after);
    }
    if (count == timestamps.length) {
      timestamps = Arrays.copyOf(timestamps, 2 * count);
      kinds = Arrays.copyOf(kinds, 2 * count);
    }
    timestamps[count] = timestamp;
    kinds[count++] = kind;
  }

  private void append(ColumnBatch from, int row) {
    int count = rows.rowCount();
    for (int i = 0; i < rows.schema().columnCount(); i++) {
      rows.column(i).appendRange(from.column(i), row, 1);
    }
    rows.setRowCount(count + 1);
  }

  @Override
  public void close() {
    rows.close();
  }
}
