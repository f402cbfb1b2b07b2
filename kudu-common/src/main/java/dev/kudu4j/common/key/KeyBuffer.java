package dev.kudu4j.common.key;

import java.util.Arrays;

/** A growing byte array for an encoded key. It can be reused for many keys. Not thread-safe. */
public final class KeyBuffer {
  private byte[] bytes;
  private int length;

  public KeyBuffer() {
    this(64);
  }

  public KeyBuffer(int capacity) {
    this.bytes = new byte[capacity];
  }

  /**
   * The underlying array, with the content in the first {@link #length} bytes. The buffer replaces
   * the array when it grows.
   */
  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public void clear() {
    length = 0;
  }

  public void truncate(int newLength) {
    assert newLength <= length;
    length = newLength;
  }

  public void append(byte value) {
    ensure(1);
    bytes[length++] = value;
  }

  public void append(byte[] from, int offset, int count) {
    ensure(count);
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  /**
   * Reserves {@code count} more bytes, adds them to the length, and returns the offset of the first
   * one.
   */
  public int advance(int count) {
    ensure(count);
    int at = length;
    length += count;
    return at;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  private void ensure(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
