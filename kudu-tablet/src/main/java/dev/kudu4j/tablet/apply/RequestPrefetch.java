package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.tablet.components.RowSetTree;
import java.io.IOException;

/**
 * Facts about a request's rows that are computed before the first row is applied: their keys, and
 * which of them are certainly not on disk. Reusable.
 */
final class RequestPrefetch {
  /** A pass over a handful of rows does not pay off. */
  private static final int MIN_BYTES = 512;

  private final EncodedRowKeys keys = new EncodedRowKeys();
  private final BloomProbe absence = new BloomProbe();

  /** Whether a pass over a request of this size pays off. */
  static boolean pays(RequestColumns columns, int rowsLength, RowSetTree tree) {
    return rowsLength >= MIN_BYTES && columns.bringWholeKeys() && tree.size() > 0;
  }

  /**
   * @param reader before the first row; exclusive to this call, because it reads ahead
   */
  void look(RequestColumns columns, RowOperationsReader reader, RowSetTree tree)
      throws IOException {
    keys.encode(columns, reader);
    absence.ask(tree, keys);
  }

  /** Clears the state: nothing is known about the following rows. */
  void lookAway() {
    keys.clear();
    absence.clear();
  }

  /** Sets the slice to the row's key if it is known. */
  boolean takeKey(int row, KeySlice key) {
    if (row >= keys.count()) {
      return false;
    }
    key.set(keys.array(), keys.offset(row), keys.length(row));
    return true;
  }

  boolean isAbsentOnDisk(int row) {
    return absence.isCertain(row);
  }
}
