package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.tablet.components.RowSetTree;
import java.io.IOException;

/**
 * Before the first row of a request is applied, encodes the keys of all rows and determines which
 * keys are certainly not on disk. Reusable.
 */
final class RequestPrefetch {
  /**
   * The minimum size of a request's rows. For smaller requests, the extra pass over the rows costs
   * more than it saves.
   */
  private static final int MIN_BYTES = 512;

  private final EncodedRowKeys keys = new EncodedRowKeys();
  private final BloomProbe absence = new BloomProbe();

  /** Whether the extra pass over the rows of this request is likely to save time. */
  static boolean pays(RequestColumns columns, int rowsLength, RowSetTree tree) {
    return rowsLength >= MIN_BYTES && columns.haveCompleteKeys() && tree.size() > 0;
  }

  /**
   * @param reader positioned before the first row; this call moves it, so it cannot be used to
   *     apply the rows
   */
  void prefetch(RequestColumns columns, RowOperationsReader reader, RowSetTree tree)
      throws IOException {
    keys.encode(columns, reader);
    absence.probeAll(tree, keys);
  }

  /**
   * Discards the results of the previous request. Until {@link #prefetch}, no key of the next
   * request is known.
   */
  void clear() {
    keys.clear();
    absence.clear();
  }

  /** Sets the slice to the row's key; false if the key is not known. */
  boolean takeKey(int row, KeySlice key) {
    if (row >= keys.count()) {
      return false;
    }
    key.set(keys.array(), keys.offset(row), keys.length(row));
    return true;
  }

  boolean isAbsentOnDisk(int row) {
    return absence.isAbsent(row);
  }
}
