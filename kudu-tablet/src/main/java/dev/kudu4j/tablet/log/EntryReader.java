package dev.kudu4j.tablet.log;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import java.nio.charset.StandardCharsets;

/** Reads an entry's content from front to back, with every length checked against what is there. */
final class EntryReader {
  private final byte[] bytes;
  private final int start;
  private final int end;
  private int position;

  /**
   * @param start where the entry begins
   * @param skip bytes of it that are read already
   * @param length bytes left
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

  /** Passes over {@code length} bytes and returns where they lie in the array. */
  int take(int length) {
    if (length < 0 || length > end - position) {
      throw KuduException.corruption(
          "Log entry is cut short: %d bytes expected at offset %d, %d found",
          length, position - start, end - position);
    }
    int at = position;
    position += length;
    return at;
  }

  KuduException corrupt(String what) {
    return KuduException.corruption("Log entry is broken at offset %d: %s", position - start, what);
  }

  boolean atEnd() {
    return position == end;
  }

  void expectEnd() {
    if (position != end) {
      throw KuduException.corruption(
          "Log entry has %d bytes too many at offset %d", end - position, position - start);
    }
  }
}
