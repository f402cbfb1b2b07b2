package dev.kudu4j.common.array;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;

/**
 * The tables and vectors of a FlatBuffer from an untrusted writer. Every access is checked; a
 * position outside the buffer is CORRUPTION.
 *
 * <p>Positions count from the start of the buffer. {@link #ABSENT} is the position of a field that
 * the writer left out. Reusable; not thread-safe.
 */
final class FlatBuffer {
  static final int ABSENT = 0; // this is the position of the root offset
  private static final int OFFSET_BYTES = 4;

  private byte[] bytes = new byte[0];
  private int base;
  private int size;

  void open(byte[] array, int offset, int length) {
    bytes = array;
    base = offset;
    size = length;
  }

  int getInt(int at) {
    check(at, Integer.BYTES);
    return LittleEndian.getInt(bytes, base + at);
  }

  private int getShort(int at) {
    check(at, Short.BYTES);
    return LittleEndian.getShort(bytes, base + at) & 0xffff;
  }

  int getByte(int at) {
    check(at, 1);
    return bytes[base + at] & 0xff;
  }

  /** The position that the offset at {@code at} leads to. */
  int target(int at) {
    checkAligned(at, OFFSET_BYTES);
    long target = at + Integer.toUnsignedLong(getInt(at));
    if (target == at || target >= size) {
      throw malformed("the offset at byte " + at + " leads to byte " + target);
    }
    return (int) target;
  }

  /** Verifies the head of the table at {@code at} and returns {@code at}. */
  int table(int at) {
    checkAligned(at, OFFSET_BYTES);
    directory(at);
    return at;
  }

  private int directory(int table) {
    long at = (long) table - getInt(table);
    if (at < 0 || at > size - 2 * Short.BYTES) {
      throw malformed("the table at byte " + table + " has its fields at byte " + at);
    }
    int directory = (int) at;
    checkAligned(directory, Short.BYTES);
    int length = getShort(directory);
    if (length < 2 * Short.BYTES || (length & 1) != 0) {
      throw malformed("the fields at byte " + directory + " have a length of " + length);
    }
    check(directory, length);
    return directory;
  }

  /** The position of a field of a table; {@link #ABSENT} if the table lacks it. */
  int field(int table, int number) {
    int directory = directory(table);
    int entry = (2 + number) * Short.BYTES;
    int inTable = entry < getShort(directory) ? getShort(directory + entry) : 0;
    return inTable == 0 ? ABSENT : table + inTable;
  }

  /** Verifies the vector at {@code at} and returns the number of its elements. */
  int vectorLength(int at, int elementBytes) {
    checkAligned(at, OFFSET_BYTES);
    long length = Integer.toUnsignedLong(getInt(at));
    if (length * elementBytes > size - at - OFFSET_BYTES) {
      throw malformed("the vector at byte " + at + " has " + length + " elements");
    }
    return (int) length;
  }

  private void check(int at, int length) {
    if (at < 0 || at > size - length) {
      throw malformed("it continues at byte " + at);
    }
  }

  private void checkAligned(int at, int alignment) {
    if ((at & (alignment - 1)) != 0) {
      throw malformed("byte " + at + " is not at a multiple of " + alignment);
    }
  }

  KuduException malformed(String reason) {
    return KuduException.corruption(
        "corrupted array cell data: in a cell of %d bytes, %s", size, reason);
  }
}
