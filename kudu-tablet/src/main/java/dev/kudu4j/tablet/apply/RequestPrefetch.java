package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.tablet.components.RowSetTree;
import java.io.IOException;

/**
 * What can be known of a request's rows before the first is applied: their keys, and which of them
 * are certainly not on disk. One object, used again and again.
 */
final class RequestPrefetch {
  /** A handful of rows is not worth a pass of its own. */
  private static final int MIN_BYTES = 512;

  private final EncodedRowKeys keys = new EncodedRowKeys();
  private final BloomProbe absence = new BloomProbe();

  /** Whether it is worth its while for a request of so many bytes. */
  static boolean pays(RequestColumns columns, int rowsLength, RowSetTree tree) {
    return rowsLength >= MIN_BYTES && columns.bringWholeKeys() && tree.size() > 0;
  }

  /**
   * @param reader before the first row; no other's, since it runs ahead
   */
  void look(RequestColumns columns, RowOperationsReader reader, RowSetTree tree)
      throws IOException {
    keys.encode(columns, reader);
    absence.ask(tree, keys);
  }

  /** Knows nothing of the rows that follow. */
  void lookAway() {
    keys.clear();
    absence.clear();
  }

  /** Sets the slice to the row's key, if that is known. */
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
