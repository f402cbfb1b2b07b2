package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.tablet.components.RowSetTree;
import java.io.IOException;

/**
 * Computes the keys of a request's rows, and which of them are certainly not on disk, before the
 * first row is applied. Reusable.
 */
final class RequestPrefetch {
  /**
   * The minimum size of a request's rows. For fewer bytes, the extra pass costs more than it saves.
   */
  private static final int MIN_BYTES = 512;

  private final EncodedRowKeys keys = new EncodedRowKeys();
  private final BloomProbe absence = new BloomProbe();

  /** Whether the extra pass over a request of this size saves time. */
  static boolean pays(RequestColumns columns, int rowsLength, RowSetTree tree) {
    return rowsLength >= MIN_BYTES && columns.bringWholeKeys() && tree.size() > 0;
  }

  /**
   * @param reader positioned before the first row; this call moves it, so it cannot be used to
   *     apply the rows
   */
  void look(RequestColumns columns, RowOperationsReader reader, RowSetTree tree)
      throws IOException {
    keys.encode(columns, reader);
    absence.ask(tree, keys);
  }

  /**
   * Discards the results of the previous request: nothing is known about the rows of the next one.
   */
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
