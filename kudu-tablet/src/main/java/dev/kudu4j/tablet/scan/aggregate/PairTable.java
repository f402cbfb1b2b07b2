package dev.kudu4j.tablet.scan.aggregate;

import java.util.Arrays;

/** Assigns numbers to pairs of numbers, from 0 in order of appearance. */
final class PairTable {
  private long[] pairs = new long[16]; // by number
  private int[] slots = new int[64]; // by hash: number + 1, or 0 if the slot is empty
  private int count;

  /** The memory of the table. */
  long bytes() {
    return (long) Long.BYTES * pairs.length + (long) Integer.BYTES * slots.length;
  }

  int count() {
    return count;
  }

  int left(int number) {
    return (int) (pairs[number] >>> 32);
  }

  int right(int number) {
    return (int) pairs[number];
  }

  int number(int left, int right) {
    long pair = ((long) left << 32) | (right & 0xffff_ffffL);
    int mask = slots.length - 1;
    int slot = hash(pair) & mask;
    while (slots[slot] != 0) {
      if (pairs[slots[slot] - 1] == pair) {
        return slots[slot] - 1;
      }
      slot = (slot + 1) & mask;
    }
    return add(pair, slot);
  }

  private int add(long pair, int slot) {
    if (count == pairs.length) {
      pairs = Arrays.copyOf(pairs, 2 * count);
    }
    pairs[count++] = pair;
    slots[slot] = count;
    if (2 * count > slots.length) {
      rehash();
    }
    return count - 1;
  }

  private void rehash() {
    slots = new int[4 * slots.length];
    int mask = slots.length - 1;
    for (int number = 0; number < count; number++) {
      int slot = hash(pairs[number]) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = number + 1;
    }
  }

  private static int hash(long pair) {
    long mixed = pair * 0xd6e8feb86659fd93L;
    return (int) (mixed ^ mixed >>> 32);
  }
}
