package dev.kudu4j.tablet.log;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import java.nio.charset.StandardCharsets;

/** Reads an entry's content sequentially and checks every length against the remaining bytes. */
final class EntryReader {
  private final byte[] bytes;
  private final int start;
  private final int end;
  private int position;

  /**
   * @param start the start of the entry
   * @param skip bytes at the start of the entry that have been read already
   * @param length bytes of the entry after the skipped ones
   */
  EntryReader(byte[] bytes, int start, int skip, int length) {
    this.bytes = bytes;
    this.start = start;
    this.position = start + skip;
    this.end = position + length;
  }

  byte[] array() {
    return bytes;
  }

  int u8() {
    return bytes[take(1)] & 0xff;
  }

  int u16() {
    return LittleEndian.getShort(bytes, take(2)) & 0xffff;
  }

  int i32() {
    return LittleEndian.getInt(bytes, take(4));
  }

  long i64() {
    return LittleEndian.getLong(bytes, take(8));
  }

  String text(int length) {
    return new String(bytes, take(length), length, StandardCharsets.UTF_8);
  }

  /** Skips {@code length} bytes and returns their offset in the array. */
  int take(int length) {
    if (length < 0 || length > end - position) {
      throw KuduException.corruption(
          "Log entry is truncated: expected %d bytes at offset %d, found %d",
          length, position - start, end - position);
    }
    int at = position;
    position += length;
    return at;
  }

  KuduException corrupt(String what) {
    return KuduException.corruption(
        "Log entry is corrupt at offset %d: %s", position - start, what);
  }

  boolean atEnd() {
    return position == end;
  }

  void expectEnd() {
    if (position != end) {
      throw KuduException.corruption(
          "Log entry has %d trailing bytes at offset %d", end - position, position - start);
    }
  }
}
