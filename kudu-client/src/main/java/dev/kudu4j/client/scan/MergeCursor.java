package dev.kudu4j.client.scan;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyPrefix;
import java.util.Arrays;

/**
 * A position in the rows of one source, which are in ascending key order. The row's key is kept
 * encoded, so that cursors are compared by bytes, mostly by the first eight. Moving and comparing
 * allocate nothing.
 */
final class MergeCursor {
  private final int source;
  private final CellLayout layout;
  private final int[] keyColumns;
  private final KeyBuffer key = new KeyBuffer();
  private long prefix;
  private RowBatch batch;
  private int row;

  /**
   * @param keyColumns indexes of the key columns in the batches, in key order
   */
  MergeCursor(int source, CellLayout layout, int[] keyColumns) {
    this.source = source;
    this.layout = layout;
    this.keyColumns = keyColumns;
  }

  int source() {
    return source;
  }

  RowBatch batch() {
    return batch;
  }

  int row() {
    return row;
  }

  /** Moves to the first row of a batch, which is not empty. */
  void begin(RowBatch rows) {
    batch = rows;
    row = 0;
    readKey();
  }

  /** Moves to the next row; false if the batch has no more. */
  boolean advance() {
    return ++row < batch.count();
  }

  /** Encodes the key of the row. Called after {@link #advance}, before the cursor is compared. */
  void readKey() {
    key.clear();
    for (int i = 0; i < keyColumns.length; i++) {
      batch.appendKeyCell(layout, keyColumns[i], row, i == keyColumns.length - 1, key);
    }
    prefix = KeyPrefix.of(key.array(), 0, key.length());
  }

  /**
   * Whether this cursor's row precedes the other's. Equal keys are ordered by source; they occur
   * only if a row is returned twice.
   */
  boolean isBefore(MergeCursor other) {
    if (prefix != other.prefix) {
      return prefix < other.prefix;
    }
    int order =
        Arrays.compareUnsigned(
            key.array(), 0, key.length(), other.key.array(), 0, other.key.length());
    return order == 0 ? source < other.source : order < 0;
  }
}
