package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.LittleEndian;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers distinct cells, from 0 in order of appearance: a hash table with open addressing over
 * cells in one array, without an object per cell. Not thread-safe.
 */
final class CellNumbers {
  private static final int FIRST_CELLS = 16;

  private byte[] bytes = new byte[8 * FIRST_CELLS];
  private int[] ends = new int[FIRST_CELLS]; // by number: end of the cell in bytes
  private int[] hashes = new int[FIRST_CELLS]; // by number
  private int[] slots = new int[4 * FIRST_CELLS]; // by hash: number + 1, or 0 if empty
  private int count;
  private int nullNumber = -1;

  int count() {
    return count;
  }

  /** The memory of the table. */
  long bytes() {
    return bytes.length + (long) Integer.BYTES * (ends.length + hashes.length + slots.length);
  }

  /** The number of NULL. */
  int ofNull() {
    if (nullNumber < 0) {
      nullNumber = append(0, 0, 0);
    }
    return nullNumber;
  }

  /** The number of a cell. */
  int of(long address, int length) {
    int hash = hash(address, length);
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0) {
      int number = slots[slot] - 1;
      if (hashes[number] == hash && isEqual(number, address, length)) {
        return number;
      }
      slot = (slot + 1) & mask;
    }
    int number = append(address, length, hash);
    slots[slot] = number + 1;
    if (2 * count > slots.length) {
      rehash();
    }
    return number;
  }

  /** Numbers a cell for which {@link #of} is never called. */
  int add(byte[] cell) {
    int start = reserve(cell.length);
    System.arraycopy(cell, 0, bytes, start, cell.length);
    return added(start + cell.length, 0);
  }

  private int append(long address, int length, int hash) {
    int start = reserve(length);
    Memory.copy(address, bytes, start, length);
    return added(start + length, hash);
  }

  /** The start of a new cell. */
  private int reserve(int length) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      hashes = Arrays.copyOf(hashes, 2 * count);
    }
    int start = start(count);
    if (start + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(start + length, 2 * bytes.length));
    }
    return start;
  }

  private int added(int end, int hash) {
    ends[count] = end;
    hashes[count] = hash;
    return count++;
  }

  private int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  private boolean isEqual(int number, long address, int length) {
    int start = start(number);
    if (ends[number] - start != length) {
      return false;
    }
    return switch (length) {
      case Long.BYTES -> Memory.getLong(address) == LittleEndian.getLong(bytes, start);
      case Integer.BYTES -> Memory.getInt(address) == LittleEndian.getInt(bytes, start);
      default -> Memory.compare(address, length, bytes, start, length) == 0;
    };
  }

  private static int hash(long address, int length) {
    long mixed = length;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      mixed = mix(mixed ^ Memory.getLong(address + at));
    }
    if (at + Integer.BYTES <= length) {
      mixed = mix(mixed ^ Memory.getInt(address + at));
      at += Integer.BYTES;
    }
    for (; at < length; at++) {
      mixed = mix(mixed ^ Memory.getByte(address + at));
    }
    return (int) (mixed ^ mixed >>> 32);
  }

  private static long mix(long value) {
    long mixed = value * 0x9e3779b97f4a7c15L;
    return mixed ^ mixed >>> 29;
  }

  private void rehash() {
    slots = new int[4 * slots.length];
    int mask = slots.length - 1;
    for (int number = 0; number < count; number++) {
      if (number != nullNumber) {
        int slot = hashes[number] & mask;
        while (slots[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = number + 1;
      }
    }
  }

  /** A copy of the cell with the number; null for NULL. */
  byte @Nullable [] cell(int number) {
    return number == nullNumber ? null : Arrays.copyOfRange(bytes, start(number), ends[number]);
  }
}
