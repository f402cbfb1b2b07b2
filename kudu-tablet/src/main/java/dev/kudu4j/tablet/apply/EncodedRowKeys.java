package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.status.KuduException;
import java.util.Arrays;

/**
 * The encoded keys of a request's rows, concatenated, computed before any row is applied. The
 * sequence ends at the first row that is malformed or lacks a key column. Reusable.
 */
final class EncodedRowKeys {
  private final KeyBuffer bytes = new KeyBuffer(1 << 14);
  private int[] ends = new int[1024];
  private int count;

  void clear() {
    count = 0;
  }

  /**
   * @param reader positioned before the first row; this call moves it, so it cannot be used to
   *     apply the rows
   */
  void encode(RequestColumns columns, RowOperationsReader reader) {
    bytes.clear();
    count = 0;
    try {
      while (reader.next() && columns.keyEncoder().append(reader, bytes)) {
        if (count == ends.length) {
          ends = Arrays.copyOf(ends, 2 * count);
        }
        ends[count++] = bytes.length();
      }
    } catch (KuduException e) {
      // RequestApplier reads this row again and reports the error.
    }
  }

  /** The number of encoded keys. */
  int count() {
    return count;
  }

  byte[] array() {
    return bytes.array();
  }

  int offset(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  int length(int row) {
    return ends[row] - offset(row);
  }
}
