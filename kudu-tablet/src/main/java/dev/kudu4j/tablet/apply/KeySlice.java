package dev.kudu4j.tablet.apply;

import java.util.Arrays;

/** A reference to the encoded key of the current row. Reusable. */
final class KeySlice {
  private byte[] array = {};
  private int offset;
  private int length;

  void set(byte[] newArray, int newOffset, int newLength) {
    array = newArray;
    offset = newOffset;
    length = newLength;
  }

  byte[] array() {
    return array;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }

  byte[] toByteArray() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }
}
