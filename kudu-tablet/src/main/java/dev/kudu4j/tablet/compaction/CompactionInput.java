package dev.kudu4j.tablet.compaction;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.rewrite.FlushedRowReader;
import dev.kudu4j.tablet.rewrite.RowHistories;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * An input rowset of a merge: a block of its rows with keys, insert timestamps and histories, and a
 * position in the block. Files are opened and the block is allocated when the first row is needed;
 * until then {@link #compareTo} uses the rowset's smallest key. Not thread-safe.
 */
final class CompactionInput implements Comparable<CompactionInput>, AutoCloseable {
  private final BufferAllocator allocator;
  private final DiskRowSet rowSet;
  private final Schema schema;
  private final long mark;
  private final int number;
  private final OrdinalMap map;
  private final RowHistories histories = new RowHistories();
  private final long[] insertTimestamps;
  private final int[] keyEnds;
  private byte[] keyBytes;
  private @Nullable FlushedRowReader rows; // these three are null before the first block
  private @Nullable RowSetKeyCursor keys;
  private @Nullable ColumnBatch batch;
  private long first; // ordinal of the block's first row
  private int count; // rows in the block
  private int at;

  CompactionInput(
      BufferAllocator allocator,
      DiskRowSet rowSet,
      Schema schema,
      long mark,
      int blockRows,
      int number) {
    this.allocator = allocator;
    this.rowSet = rowSet;
    this.schema = schema;
    this.mark = mark;
    this.number = number;
    int maxRows = (int) Math.min(blockRows, rowSet.base().rowCount());
    this.insertTimestamps = new long[maxRows];
    this.keyEnds = new int[Math.max(1, maxRows)];
    this.keyBytes = rowSet.base().minKey();
    this.keyEnds[0] = keyBytes.length;
    this.map = new OrdinalMap(allocator, rowSet.base().rowCount());
  }

  int number() {
    return number;
  }

  OrdinalMap map() {
    return map;
  }

  /** Whether the position is at a row. If not, {@link #fill} reads the next block, if any. */
  boolean hasRow() {
    return at < count;
  }

  /**
   * Reads the next block if the current block has no more rows; false if the rowset has no more
   * rows.
   */
  boolean fill() throws IOException {
    if (hasRow()) {
      return true;
    }
    first += count;
    count = (int) Math.min(insertTimestamps.length, rowSet.base().rowCount() - first);
    at = 0;
    if (count <= 0) {
      count = 0;
      return false;
    }
    readBlock();
    return true;
  }

  private void readBlock() throws IOException {
    if (batch == null) {
      batch = new ColumnBatch(allocator, schema);
    }
    if (keys == null) {
      keys = rowSet.base().openKeys();
    }
    if (rows == null) {
      rows = FlushedRowReader.ofRows(allocator, rowSet.onDisk(), schema, mark);
    }
    histories.begin(count);
    rows.read(first, count, batch, histories);
    histories.end(count);
    rowSet.base().readInsertTimestamps(first, count, insertTimestamps);
    for (int i = 0; i < count; i++) {
      keys.next();
      int start = i == 0 ? 0 : keyEnds[i - 1];
      int end = start + keys.keyLength();
      if (end > keyBytes.length || first + i == 0) { // the first array belongs to the base data
        keyBytes = Arrays.copyOf(keyBytes, Math.max(2 * keyBytes.length, end));
      }
      System.arraycopy(keys.keyArray(), 0, keyBytes, start, keys.keyLength());
      keyEnds[i] = end;
    }
  }

  // Access to rows of the block.

  int at() {
    return at;
  }

  void advance(int moved) {
    at += moved;
  }

  long ordinal(int row) {
    return first + row;
  }

  ColumnBatch batch() {
    assert batch != null : "no block has been read";
    return batch;
  }

  RowHistories histories() {
    return histories;
  }

  /**
   * The row's insert timestamp; 0 if it is below the ancient history mark, because no readable
   * snapshot needs it.
   */
  long insertTimestamp(int row) {
    return insertTimestamps[row] < mark ? 0 : insertTimestamps[row];
  }

  /**
   * The change that deletes the row, if the row is dead at the end of its history; 0 if the row is
   * live.
   */
  long deletion(int row) {
    return histories.deletion(row);
  }

  /** Whether no readable snapshot contains the row. */
  boolean isAncient(int row) {
    long deletion = deletion(row);
    return deletion != 0 && Mutation.timestamp(deletion) < mark;
  }

  byte[] keyArray() {
    return keyBytes;
  }

  int keyOffset(int row) {
    return row == 0 ? 0 : keyEnds[row - 1];
  }

  int keyLength(int row) {
    return keyEnds[row] - keyOffset(row);
  }

  /** Compares the keys at the current positions of both inputs. */
  @Override
  public int compareTo(CompactionInput other) {
    return compare(at, other);
  }

  private int compare(int row, CompactionInput other) {
    int from = other.keyOffset(other.at);
    return Arrays.compareUnsigned(
        keyBytes, keyOffset(row), keyEnds[row], other.keyBytes, from, other.keyEnds[other.at]);
  }

  /**
   * The number of rows of the block, from the position on, whose keys are below the current key of
   * {@code other}; all of them if {@code other} is null.
   */
  int rowsBelow(@Nullable CompactionInput other) {
    if (other == null || compare(count - 1, other) < 0) {
      return count - at;
    }
    int low = at;
    int high = count - 1; // this row's key is not below the other key
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, other) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - at;
  }

  /** Closes the files and releases the block; keeps {@link #map}. */
  void closeRows() {
    if (rows != null) {
      rows.close();
      rows = null;
    }
    if (keys != null) {
      keys.close();
      keys = null;
    }
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  @Override
  public void close() {
    closeRows();
    map.close();
  }
}
