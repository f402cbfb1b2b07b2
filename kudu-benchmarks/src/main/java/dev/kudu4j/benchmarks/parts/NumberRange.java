package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.CellFilter;

/** Accepts cells in a range, low ≤ cell ≤ high, of type INT64 or DOUBLE. */
final class NumberRange implements CellFilter {
  private final boolean floating;
  private final long first;
  private final long last;
  private final double low;
  private final double high;

  NumberRange(long first, long last) {
    this.floating = false;
    this.first = first;
    this.last = last;
    this.low = 0;
    this.high = 0;
  }

  NumberRange(double low, double high) {
    this.floating = true;
    this.first = 0;
    this.last = 0;
    this.low = low;
    this.high = high;
  }

  @Override
  public void evaluate(ColumnVector cells, int rowCount, long[] wanted) {
    for (int from = 0; from < rowCount; from += 64) {
      int count = Math.min(64, rowCount - from);
      long at = cells.dataAddress() + 8L * from;
      wanted[from >>> 6] &= floating ? doubles(at, count) : longs(at, count);
    }
  }

  private long longs(long at, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      long value = Memory.getLong(at + 8L * i);
      word |= ((value >= first ? 1L : 0L) & (value <= last ? 1L : 0L)) << i;
    }
    return word;
  }

  private long doubles(long at, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      double value = Memory.getDouble(at + 8L * i);
      word |= ((value >= low ? 1L : 0L) & (value <= high ? 1L : 0L)) << i;
    }
    return word;
  }

  @Override
  public boolean isIntegerRange() {
    return !floating;
  }

  @Override
  public long lowInteger() {
    return first;
  }

  @Override
  public long highInteger() {
    return last;
  }

  @Override
  public boolean isFloatingRange() {
    return floating;
  }

  @Override
  public double lowDouble() {
    return low;
  }

  @Override
  public double highDouble() {
    return high;
  }
}
