package dev.kudu4j.client.feed;

import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarDecoder;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.proto.tserver.ReadChangesResponsePB;
import dev.kudu4j.common.proto.tserver.ReadChangesResponsePB.Kind;
import dev.kudu4j.common.status.KuduException;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Successive changes of a tablet, as received. */
final class ChangeRows {
  private final ColumnarRows rows;
  private final long[] timestamps;
  private final Kind[] kinds;
  private final int[] firstRows;
  private final FeedPlace next;

  private ChangeRows(
      ColumnarRows rows, long[] timestamps, Kind[] kinds, int[] firstRows, FeedPlace next) {
    this.rows = rows;
    this.timestamps = timestamps;
    this.kinds = kinds;
    this.firstRows = firstRows;
    this.next = next;
  }

  /**
   * Copies a response to the heap.
   *
   * @param sidecars borrowed
   * @throws KuduException CORRUPTION for a response that contradicts itself
   */
  static ChangeRows decode(
      ReadChangesResponsePB answer, List<ByteBuf> sidecars, CellLayout layout) {
    int count = answer.getTimestampsCount();
    Kind[] kinds = answer.getKindsList().toArray(new Kind[0]);
    ColumnarRows rows = new ColumnarDecoder(layout).decode(answer.getRows(), sidecars);
    long[] timestamps = new long[count];
    int[] firstRows = new int[count];
    int row = 0;
    for (int i = 0; i < count; i++) {
      Kind kind = i < kinds.length ? kinds[i] : Kind.UNKNOWN_KIND;
      timestamps[i] = answer.getTimestamps(i);
      firstRows[i] = row;
      row += kind == Kind.UPDATE ? 2 : 1;
      if (kind == Kind.UNKNOWN_KIND || (i > 0 && timestamps[i] < timestamps[i - 1])) {
        throw KuduException.corruption("Change %d of a response is of no kind, or out of order", i);
      }
    }
    if (kinds.length != count || row != rows.count() || !answer.hasNextTimestamp()) {
      throw KuduException.corruption(
          "A response has %d changes, %d kinds and %d rows, or no next position",
          count, kinds.length, rows.count());
    }
    FeedPlace next =
        new FeedPlace(
            answer.getNextTimestamp(),
            answer.hasNextAfterKey() ? answer.getNextAfterKey().toByteArray() : null);
    return new ChangeRows(rows, timestamps, kinds, firstRows, next);
  }

  int count() {
    return timestamps.length;
  }

  long timestamp(int change) {
    return timestamps[change];
  }

  Kind kind(int change) {
    return kinds[change];
  }

  ColumnarRows rows() {
    return rows;
  }

  /** The row of a change; of an UPDATE the one before it, which the one after it follows. */
  int firstRow(int change) {
    return firstRows[change];
  }

  /** The position behind all changes. */
  FeedPlace next() {
    return next;
  }

  /** The position right behind a change. */
  FeedPlace behind(int change, CellLayout layout, int[] keyColumns) {
    if (change == timestamps.length - 1) {
      return next;
    }
    KeyBuffer key = new KeyBuffer();
    for (int i = 0; i < keyColumns.length; i++) {
      boolean last = i == keyColumns.length - 1;
      rows.appendKeyCell(layout, keyColumns[i], firstRows[change], last, key);
    }
    return new FeedPlace(timestamps[change], key.toByteArray());
  }
}
