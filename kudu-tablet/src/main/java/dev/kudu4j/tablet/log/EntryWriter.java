package dev.kudu4j.tablet.log;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;

/** Writes an entry sequentially into an array of its exact size, which is known in advance. */
final class EntryWriter {
  private final byte[] bytes;
  private int position;

  private EntryWriter(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Creates a writer of an entry of {@code totalBytes} bytes and writes the header with timestamp
   * 0.
   */
  static EntryWriter begin(LogEntry.Type type, int timestamps, long totalBytes) {
    if (totalBytes > Integer.MAX_VALUE - 64) {
      throw KuduException.invalidArgument(
          "Log entry of %d bytes is too large; send smaller requests", totalBytes);
    }
    byte[] bytes = new byte[(int) totalBytes];
    bytes[EntryFormat.VERSION_OFFSET] = EntryFormat.VERSION;
    bytes[EntryFormat.TYPE_OFFSET] = (byte) type.number();
    LittleEndian.putInt(bytes, EntryFormat.TIMESTAMPS_OFFSET, timestamps);
    EntryWriter writer = new EntryWriter(bytes);
    writer.position = EntryFormat.HEADER_BYTES;
    return writer;
  }

  void u8(int value) {
    bytes[position++] = (byte) value;
  }

  void u16(int value) {
    LittleEndian.putShort(bytes, position, (short) value);
    position += 2;
  }

  void i32(int value) {
    LittleEndian.putInt(bytes, position, value);
    position += 4;
  }

  void i64(long value) {
    LittleEndian.putLong(bytes, position, value);
    position += 8;
  }

  void raw(byte[] from, int offset, int length) {
    System.arraycopy(from, offset, bytes, position, length);
    position += length;
  }

  byte[] finish() {
    if (position != bytes.length) {
      throw new IllegalStateException(
          "Log entry of " + bytes.length + " bytes was written only up to byte " + position);
    }
    return bytes;
  }
}
