package dev.kudu4j.tablet.log;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;

/** The common header of log entries: field offsets and valid values. */
final class EntryFormat {
  static final int VERSION = 1;

  static final int VERSION_OFFSET = 0;
  static final int TYPE_OFFSET = 1;
  static final int FLAGS_OFFSET = 2;
  static final int TIMESTAMPS_OFFSET = 4;
  static final int TIMESTAMP_OFFSET = 8;
  static final int HEADER_BYTES = 16;

  private EntryFormat() {}

  /** Validates the header of the entry at the offset and returns its type. */
  static LogEntry.Type checkHeader(byte[] entry, int offset, int length) {
    if (length < HEADER_BYTES) {
      throw KuduException.corruption(
          "Log entry has %d bytes, fewer than its header of %d", length, HEADER_BYTES);
    }
    int version = entry[offset + VERSION_OFFSET] & 0xff;
    if (version > VERSION) {
      throw KuduException.notSupported(
          "Log entry has version %d, but this server supports at most %d; run a newer server",
          version, VERSION);
    }
    if (version == 0) {
      throw KuduException.corruption("Log entry has version 0");
    }
    int number = entry[offset + TYPE_OFFSET] & 0xff;
    LogEntry.Type type = LogEntry.Type.ofNumber(number);
    if (type == null) {
      throw KuduException.notSupported("Log entry has unknown type %d; run a newer server", number);
    }
    int flags = LittleEndian.getShort(entry, offset + FLAGS_OFFSET) & 0xffff;
    if (flags != 0) {
      throw KuduException.notSupported(
          "Log entry has unknown flags %04x; run a newer server", flags);
    }
    if (timestampCount(entry, offset) <= 0) {
      throw KuduException.corruption(
          "Log entry has an invalid timestamp count of %d", timestampCount(entry, offset));
    }
    return type;
  }

  static int timestampCount(byte[] entry, int offset) {
    return LittleEndian.getInt(entry, offset + TIMESTAMPS_OFFSET);
  }

  static long timestamp(byte[] entry, int offset) {
    return LittleEndian.getLong(entry, offset + TIMESTAMP_OFFSET);
  }

  static void putTimestamp(byte[] entry, long timestamp) {
    LittleEndian.putLong(entry, TIMESTAMP_OFFSET, timestamp);
  }
}
