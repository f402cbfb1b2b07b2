package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.NumberVector;

/**
 * The dictionary entries of a page as numbers on the heap, for look-up by code. Loaded on first
 * use. Not thread-safe.
 */
final class NumberDictionary {
  private NumberVector numbers = new NumberVector(0);
  private boolean loaded;

  /** Discards the entries. */
  void clear() {
    loaded = false;
  }

  /** Loads the page's entries unless they are loaded. */
  void load(DataType type, long cells, int entries) {
    if (loaded) {
      return;
    }
    loaded = true;
    if (numbers.capacity() < entries) {
      numbers = new NumberVector(Math.max(64, Integer.highestOneBit(entries) * 2));
    }
    numbers.clear(type.isFloating() ? NumberVector.Kind.DOUBLES : NumberVector.Kind.INTS);
    numbers.advance(entries);
    switch (type) {
      case DOUBLE -> loadDoubles(cells, entries);
      case INT64, UNIXTIME_MICROS, DECIMAL64 -> loadLongs(cells, entries);
      default -> {
        for (int i = 0; i < entries; i++) {
          numbers.set(i, type, cells + (long) i * type.width());
        }
      }
    }
  }

  private void loadDoubles(long cells, int entries) {
    double[] doubles = numbers.doubles();
    for (int i = 0; i < entries; i++) {
      doubles[i] = Memory.getDouble(cells + 8L * i);
    }
  }

  /**
   * Takes the bounds from the first and the last entry, because valid entries ascend. If they do
   * not, the page is corrupt, and bounds and sums are wrong.
   */
  private void loadLongs(long cells, int entries) {
    long min = Memory.getLong(cells);
    long max = Memory.getLong(cells + 8L * (entries - 1));
    numbers.cover(min, max);
    if (min >= Integer.MIN_VALUE && max <= Integer.MAX_VALUE) {
      int[] ints = numbers.ints();
      for (int i = 0; i < entries; i++) {
        ints[i] = (int) Memory.getLong(cells + 8L * i);
      }
    } else {
      numbers.widen();
      Memory.copy(cells, numbers.longs(), 0, entries);
    }
  }

  /** The numbers in code order. */
  NumberVector numbers() {
    return numbers;
  }

  /** Appends the numbers of the first {@code count} codes. */
  void append(int[] codes, int count, NumberVector out) {
    int at = out.count();
    switch (numbers.kind()) {
      case DOUBLES -> gather(numbers.doubles(), codes, count, out.doubles(), at);
      case LONGS -> {
        out.widen();
        gather(numbers.longs(), codes, count, out.longs(), at);
      }
      case INTS -> {
        if (out.kind() == NumberVector.Kind.INTS) {
          gather(numbers.ints(), codes, count, out.ints(), at);
        } else {
          gather(numbers.ints(), codes, count, out.longs(), at);
        }
      }
    }
    out.cover(numbers.low(), numbers.high());
    out.advance(count);
  }

  private static void gather(int[] entries, int[] codes, int count, int[] out, int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] = entries[codes[i]];
    }
  }

  private static void gather(int[] entries, int[] codes, int count, long[] out, int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] = entries[codes[i]];
    }
  }

  private static void gather(long[] entries, int[] codes, int count, long[] out, int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] = entries[codes[i]];
    }
  }

  private static void gather(double[] entries, int[] codes, int count, double[] out, int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] = entries[codes[i]];
    }
  }
}
