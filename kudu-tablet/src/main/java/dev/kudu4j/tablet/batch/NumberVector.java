package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.status.KuduException;
import java.util.Arrays;

/**
 * Numbers of one column or expression, in heap arrays, because the compiler vectorizes loops over
 * them. Integers are stored as ints while all of them fit, else as longs; floating-point numbers
 * are stored as doubles. The arrays are allocated once. Not thread-safe.
 *
 * <p>Decimals are stored as unscaled values. For integers and decimals, {@link #low} and {@link
 * #high} are bounds of all numbers. A NULL has an undefined number, and its bit is set in {@link
 * #nulls}.
 */
public final class NumberVector {
  /** The storage type. */
  public enum Kind {
    INTS,
    LONGS,
    DOUBLES
  }

  private final int capacity;
  private int[] ints = {}; // this and the next arrays are empty until they are needed
  private long[] longs = {};
  private double[] doubles = {};
  private long[] nulls = {};
  private Kind kind = Kind.INTS;
  private int count;
  private boolean anyNull;
  private long low;
  private long high;

  public NumberVector(int capacity) {
    this.capacity = capacity;
  }

  /** Whether the cell is an 8-byte number that can be copied unchanged. */
  public static boolean isLong(DataType type) {
    return type == DataType.INT64 || type == DataType.UNIXTIME_MICROS || type == DataType.DECIMAL64;
  }

  /** The kind of the numbers of a column when no number of the column is known yet. */
  public static Kind kindOf(DataType type) {
    return type.isFloating() ? Kind.DOUBLES : Kind.INTS;
  }

  /**
   * Removes all numbers. The numbers added next have the given kind; ints may later be widened to
   * longs.
   */
  public void clear(Kind next) {
    kind = next;
    count = 0;
    anyNull = false;
    low = Long.MAX_VALUE;
    high = Long.MIN_VALUE;
  }

  public Kind kind() {
    return kind;
  }

  public int count() {
    return count;
  }

  public int capacity() {
    return capacity;
  }

  /** A lower bound of all numbers, for ints and longs. */
  public long low() {
    return low;
  }

  public long high() {
    return high;
  }

  /** The numbers if they are ints; the array has the full capacity. */
  public int[] ints() {
    if (ints.length == 0) {
      ints = new int[capacity];
    }
    return ints;
  }

  public long[] longs() {
    if (longs.length == 0) {
      longs = new long[capacity];
    }
    return longs;
  }

  public double[] doubles() {
    if (doubles.length == 0) {
      doubles = new double[capacity];
    }
    return doubles;
  }

  public boolean hasNulls() {
    return anyNull;
  }

  /** Bit i is set if number i is NULL. Valid only if there is a NULL. */
  public long[] nulls() {
    return nulls;
  }

  public boolean isNull(int index) {
    return anyNull && (nulls[index >>> 6] & 1L << index) != 0;
  }

  /** Makes number {@code index} NULL. */
  public void setNull(int index) {
    if (!anyNull) {
      anyNull = true;
      if (nulls.length == 0) {
        nulls = new long[(capacity + 63) >>> 6];
      }
      Arrays.fill(nulls, 0L);
    }
    nulls[index >>> 6] |= 1L << index;
  }

  /** Marks NULLs wherever one of the two operands is NULL. */
  public void uniteNulls(NumberVector left, NumberVector right) {
    for (NumberVector side : new NumberVector[] {left, right}) {
      for (int i = 0; side.hasNulls() && i < side.count; i++) {
        if (side.isNull(i)) {
          setNull(i);
        }
      }
    }
  }

  /** Adds {@code more} numbers that the caller writes directly to the array of the current kind. */
  public void advance(int more) {
    assert count + more <= capacity;
    count += more;
  }

  /** Extends the bounds to include {@code min} and {@code max}. */
  public void cover(long min, long max) {
    low = Math.min(low, min);
    high = Math.max(high, max);
  }

  /** Converts ints to longs. */
  public void widen() {
    if (kind == Kind.INTS) {
      long[] wide = longs();
      for (int i = 0; i < count; i++) {
        wide[i] = ints()[i];
      }
      kind = Kind.LONGS;
    }
  }

  /** Appends zeros, for rows whose numbers are not needed. */
  public void appendZeros(int zeros) {
    if (zeros > 0) {
      switch (kind) {
        case INTS -> Arrays.fill(ints(), count, count + zeros, 0);
        case LONGS -> Arrays.fill(longs(), count, count + zeros, 0L);
        default -> Arrays.fill(doubles(), count, count + zeros, 0.0);
      }
      cover(0, 0);
      count += zeros;
    }
  }

  /** Appends the cells {@code [first, first + cells)} of a numeric column. */
  public void append(ColumnVector column, int first, int cells) {
    DataType type = column.type();
    if (type.isFloating()) {
      appendFloating(column, first, cells);
    } else {
      appendIntegers(column, first, cells);
    }
    if (column.isNullable()) {
      for (int i = 0; i < cells; i++) {
        if (column.isNull(first + i)) {
          setNull(count + i);
        }
      }
    }
    count += cells;
  }

  private void appendFloating(ColumnVector column, int first, int cells) {
    double[] to = doubles();
    long at = column.dataAddress() + (long) first * column.type().width();
    if (column.type() == DataType.DOUBLE) {
      for (int i = 0; i < cells; i++) {
        to[count + i] = Memory.getDouble(at + 8L * i);
      }
    } else {
      for (int i = 0; i < cells; i++) {
        to[count + i] = Memory.getFloat(at + 4L * i);
      }
    }
  }

  private void appendIntegers(ColumnVector column, int first, int cells) {
    DataType type = column.type();
    int width = type.width();
    long at = column.dataAddress() + (long) first * width;
    if (width == 8) {
      appendLongs(at, cells);
      return;
    }
    if (type == DataType.UINT32) {
      widen();
    }
    for (int i = 0; i < cells; i++) {
      long value = integer(type, at + (long) i * width);
      low = Math.min(low, value);
      high = Math.max(high, value);
      if (kind == Kind.INTS) {
        ints()[count + i] = (int) value;
      } else {
        longs()[count + i] = value;
      }
    }
  }

  private void appendLongs(long at, int cells) {
    widen();
    long[] to = longs();
    Memory.copy(at, to, count, cells);
    long min = low;
    long max = high;
    for (int i = count; i < count + cells; i++) {
      min = Math.min(min, to[i]);
      max = Math.max(max, to[i]);
    }
    cover(min, max);
  }

  private static long integer(DataType type, long cell) {
    return switch (type) {
      case INT8 -> Memory.getByte(cell);
      case UINT8 -> Memory.getByte(cell) & 0xff;
      case INT16 -> Memory.getShort(cell);
      case UINT16 -> Memory.getShort(cell) & 0xffff;
      case INT32, DATE, DECIMAL32 -> Memory.getInt(cell);
      case UINT32 -> Memory.getInt(cell) & 0xffff_ffffL;
      case INT64, UNIXTIME_MICROS, DECIMAL64 -> Memory.getLong(cell);
      default -> throw KuduException.notSupported("Type %s does not support arithmetic", type);
    };
  }

  /** Replaces number {@code index}, which is not NULL, by a cell. */
  public void set(int index, DataType type, long cell) {
    if (type.isFloating()) {
      doubles()[index] = type == DataType.DOUBLE ? Memory.getDouble(cell) : Memory.getFloat(cell);
      return;
    }
    set(index, integer(type, cell));
  }

  /** Replaces number {@code index}, which is not NULL, by an integer. */
  public void set(int index, long value) {
    if (value != (int) value) {
      widen();
    }
    cover(value, value);
    if (kind == Kind.INTS) {
      ints()[index] = (int) value;
    } else {
      longs()[index] = value;
    }
  }

  /** Keeps only the numbers at the given positions, which ascend. */
  public void pick(int[] positions, int picked) {
    for (int i = 0; i < picked; i++) {
      int from = positions[i];
      switch (kind) {
        case INTS -> ints[i] = ints[from];
        case LONGS -> longs[i] = longs[from];
        default -> doubles[i] = doubles[from];
      }
    }
    if (anyNull) {
      for (int i = 0; i < picked; i++) {
        boolean isNull = isNull(positions[i]);
        nulls[i >>> 6] &= ~(1L << i);
        nulls[i >>> 6] |= isNull ? 1L << i : 0;
      }
    }
    count = picked;
  }

  /** Copies the numbers {@code [from, to)}, ints or longs, to the same indexes of an array. */
  public void copyTo(long[] out, int from, int to) {
    if (kind == Kind.LONGS) {
      System.arraycopy(longs, from, out, from, to - from);
      return;
    }
    for (int i = from; i < to; i++) {
      out[i] = ints[i];
    }
  }

  /** Number {@code index}; only for ints and longs. */
  public long number(int index) {
    return kind == Kind.INTS ? ints[index] : longs[index];
  }
}
