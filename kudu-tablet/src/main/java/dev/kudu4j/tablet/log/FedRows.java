package dev.kudu4j.tablet.log;

import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The content of a FEED entry: rows of a derived tablet, which have the timestamps of the changes
 * that they come from.
 *
 * <pre>
 *   from bytes u32 | from | to bytes u32 | to | group count u32 | each: timestamp i64
 *                                                                     | request, as in a WRITE
 * </pre>
 *
 * @param from the mark of the tablet to which the rows can be added; to another one, they are not
 * @param to the mark of the tablet with these rows
 * @param groups by ascending timestamp, none below the time up to which the tablet is complete
 */
public record FedRows(FeedMark from, FeedMark to, List<Group> groups) {
  /**
   * @throws KuduException CORRUPTION if the marks or the groups are out of order, or rows have an
   *     id or a transaction
   */
  public FedRows {
    if (to.complete() < from.complete()) {
      throw KuduException.corruption(
          "The mark of a feed goes back from %d to %d", from.complete(), to.complete());
    }
    long last = from.complete();
    for (Group group : groups) {
      if (group.timestamp < last || group.rows.id() != null || group.rows.isInTransaction()) {
        throw KuduException.corruption(
            "Rows of a feed at %d are out of order, or have an id or a transaction",
            group.timestamp);
      }
      last = group.timestamp;
    }
  }

  /**
   * The rows of one timestamp.
   *
   * @param rows without id and transaction
   */
  public record Group(long timestamp, WriteRequest rows) {
    /** The bytes that the group takes in an entry. */
    public long encodedBytes() {
      return Long.BYTES + WriteRequestCodec.encodedBytes(rows);
    }
  }

  /** Encodes the entry. Its base timestamp is the highest one of which it has rows, or all. */
  byte[] encode() {
    byte[] fromBytes = from.toBytes();
    byte[] toBytes = to.toBytes();
    long bytes = EntryFormat.HEADER_BYTES + 3L * Integer.BYTES + fromBytes.length + toBytes.length;
    for (Group group : groups) {
      bytes += group.encodedBytes();
    }
    EntryWriter out = EntryWriter.begin(LogEntry.Type.FEED, 1, bytes);
    put(fromBytes, out);
    put(toBytes, out);
    out.i32(groups.size());
    for (Group group : groups) {
      out.i64(group.timestamp);
      WriteRequestCodec.encode(group.rows, out);
    }
    byte[] entry = out.finish();
    EntryFormat.putTimestamp(entry, highestTimestamp());
    return entry;
  }

  private long highestTimestamp() {
    long last = groups.isEmpty() ? 0 : groups.get(groups.size() - 1).timestamp;
    return Math.max(last, to.complete() - 1);
  }

  private static void put(byte[] bytes, EntryWriter out) {
    out.i32(bytes.length);
    out.raw(bytes, 0, bytes.length);
  }

  private static FeedMark mark(EntryReader in) {
    int length = in.i32();
    int offset = in.take(length);
    return FeedMark.fromBytes(Arrays.copyOfRange(in.array(), offset, offset + length));
  }

  static FedRows decode(EntryReader in) {
    FeedMark from = mark(in);
    FeedMark to = mark(in);
    int count = in.i32();
    if (count < 0) {
      throw in.corrupt(count + " groups of rows");
    }
    List<Group> groups = new ArrayList<>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      groups.add(new Group(in.i64(), WriteRequestCodec.decode(in)));
    }
    return new FedRows(from, to, groups);
  }
}
