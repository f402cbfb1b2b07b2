package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.status.KuduException;
import java.util.Arrays;

/**
 * The encoded keys of a request's first rows, one behind the other, known before any row is
 * applied: all of them, unless a row cannot be read or lacks a part of its key. One object, used
 * again and again.
 */
final class EncodedRowKeys {
  private final KeyBuffer bytes = new KeyBuffer(1 << 14);
  private int[] ends = new int[1024];
  private int count;

  void clear() {
    count = 0;
  }

  /**
   * @param reader before the first row; of this object's own, since it runs ahead
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
      // The row is met again when its turn comes, and answered then.
    }
  }

  /** Rows whose keys are known. */
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
