package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * Finds the smallest and the largest present cell of a column. It loops over runs of present rows.
 * One instance serves one page; not thread-safe.
 */
abstract class CellBounds {
  private boolean any;

  static CellBounds of(ColumnVector cells) {
    return switch (cells.type()) {
      case FLOAT -> new Floats(cells);
      case DOUBLE -> new Doubles(cells);
      case INT128, DECIMAL128 -> new Wide(cells);
      case STRING, BINARY, VARCHAR, NESTED -> new Text(cells);
      default -> new Integers(cells);
    };
  }

  /** Adds the rows {@code [first, end)}. All are present, and there is at least one. */
  final void add(int first, int end) {
    if (!any) {
      begin(first);
      any = true;
    }
    addRows(first, end);
  }

  /** Whether a smallest and a largest cell exist. */
  final boolean areKnown() {
    return any && isOrdered();
  }

  abstract void begin(int row);

  abstract void addRows(int first, int end);

  /** False if a cell is NaN, which comparisons do not order. */
  boolean isOrdered() {
    return true;
  }

  abstract byte[] smallest();

  abstract byte[] largest();

  static byte[] cell(ColumnVector cells, int row) {
    byte[] copy = new byte[cells.cellLength(row)];
    Memory.copy(cells.cellAddress(row), copy, 0, copy.length);
    return copy;
  }

  private static final class Integers extends CellBounds {
    private final DataType type;
    private final long address;
    private final int width;
    private long smallest;
    private long largest;

    Integers(ColumnVector cells) {
      type = cells.type();
      address = cells.dataAddress();
      width = type.width();
    }

    @Override
    void begin(int row) {
      smallest = Cells.get(type, address + (long) row * width);
      largest = smallest;
    }

    @Override
    void addRows(int first, int end) {
      switch (width) {
        case 4 -> addInts(first, end);
        case 8 -> addLongs(first, end);
        default -> addSmall(first, end);
      }
    }

    private void addLongs(int first, int end) {
      long flip = type == DataType.UINT64 ? Long.MIN_VALUE : 0;
      long low = smallest ^ flip;
      long high = largest ^ flip;
      for (long at = address + 8L * first; at < address + 8L * end; at += 8) {
        long value = Memory.getLong(at) ^ flip;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      smallest = low ^ flip;
      largest = high ^ flip;
    }

    private void addInts(int first, int end) {
      int flip = type == DataType.UINT32 ? Integer.MIN_VALUE : 0;
      int low = (int) smallest ^ flip;
      int high = (int) largest ^ flip;
      for (long at = address + 4L * first; at < address + 4L * end; at += 4) {
        int value = Memory.getInt(at) ^ flip;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      smallest = low ^ flip;
      largest = high ^ flip;
    }

    private void addSmall(int first, int end) {
      for (int row = first; row < end; row++) {
        long value = Cells.get(type, address + (long) row * width);
        smallest = Math.min(smallest, value);
        largest = Math.max(largest, value);
      }
    }

    @Override
    byte[] smallest() {
      return bytes(smallest);
    }

    @Override
    byte[] largest() {
      return bytes(largest);
    }

    private byte[] bytes(long value) {
      byte[] cell = new byte[width];
      for (int i = 0; i < width; i++) {
        cell[i] = (byte) (value >>> (8 * i));
      }
      return cell;
    }
  }

  /**
   * Math.min and Math.max of doubles return NaN if one argument is NaN, so a NaN stays in both
   * results.
   */
  private static final class Doubles extends CellBounds {
    private final long address;
    private double smallest = Double.POSITIVE_INFINITY;
    private double largest = Double.NEGATIVE_INFINITY;

    Doubles(ColumnVector cells) {
      address = cells.dataAddress();
    }

    @Override
    void begin(int row) {}

    @Override
    void addRows(int first, int end) {
      double low = smallest;
      double high = largest;
      for (long at = address + 8L * first; at < address + 8L * end; at += 8) {
        double value = Memory.getDouble(at);
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      smallest = low;
      largest = high;
    }

    @Override
    boolean isOrdered() {
      return !Double.isNaN(smallest);
    }

    @Override
    byte[] smallest() {
      return bytes(smallest);
    }

    @Override
    byte[] largest() {
      return bytes(largest);
    }

    private static byte[] bytes(double value) {
      byte[] cell = new byte[8];
      long bits = Double.doubleToRawLongBits(value);
      for (int i = 0; i < 8; i++) {
        cell[i] = (byte) (bits >>> (8 * i));
      }
      return cell;
    }
  }

  private static final class Floats extends CellBounds {
    private final long address;
    private float smallest = Float.POSITIVE_INFINITY;
    private float largest = Float.NEGATIVE_INFINITY;

    Floats(ColumnVector cells) {
      address = cells.dataAddress();
    }

    @Override
    void begin(int row) {}

    @Override
    void addRows(int first, int end) {
      float low = smallest;
      float high = largest;
      for (long at = address + 4L * first; at < address + 4L * end; at += 4) {
        float value = Memory.getFloat(at);
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      smallest = low;
      largest = high;
    }

    @Override
    boolean isOrdered() {
      return !Float.isNaN(smallest);
    }

    @Override
    byte[] smallest() {
      return bytes(smallest);
    }

    @Override
    byte[] largest() {
      return bytes(largest);
    }

    private static byte[] bytes(float value) {
      int bits = Float.floatToRawIntBits(value);
      return new byte[] {
        (byte) bits, (byte) (bits >>> 8), (byte) (bits >>> 16), (byte) (bits >>> 24)
      };
    }
  }

  private static final class Wide extends CellBounds {
    private final ColumnVector cells;
    private int smallest;
    private int largest;

    Wide(ColumnVector cells) {
      this.cells = cells;
    }

    @Override
    void begin(int row) {
      smallest = row;
      largest = row;
    }

    @Override
    void addRows(int first, int end) {
      for (int row = first; row < end; row++) {
        smallest = compare(row, smallest) < 0 ? row : smallest;
        largest = compare(row, largest) > 0 ? row : largest;
      }
    }

    private int compare(int left, int right) {
      return CellComparator.compare(
          cells.type(), cells.cellAddress(left), 16, cells.cellAddress(right), 16);
    }

    @Override
    byte[] smallest() {
      return cell(cells, smallest);
    }

    @Override
    byte[] largest() {
      return cell(cells, largest);
    }
  }

  /** Compares the first 8 bytes of each cell, and further bytes only if the first 8 are equal. */
  private static final class Text extends CellBounds {
    private final ColumnVector cells;
    private int smallest;
    private int largest;
    private long smallestPrefix;
    private long largestPrefix;

    Text(ColumnVector cells) {
      this.cells = cells;
    }

    @Override
    void begin(int row) {
      smallest = row;
      largest = row;
      smallestPrefix = prefix(cells.cellAddress(row), cells.cellLength(row));
      largestPrefix = smallestPrefix;
    }

    @Override
    void addRows(int first, int end) {
      long text = cells.varlenAddress();
      long offsets = cells.dataAddress();
      int from = Memory.getInt(offsets + 4L * first);
      for (int row = first; row < end; row++) {
        int to = Memory.getInt(offsets + 4L * (row + 1));
        long prefix = prefix(text + from, to - from);
        if (prefix <= smallestPrefix && (prefix < smallestPrefix || compare(row, smallest) < 0)) {
          smallest = row;
          smallestPrefix = prefix;
        }
        if (prefix >= largestPrefix && (prefix > largestPrefix || compare(row, largest) > 0)) {
          largest = row;
          largestPrefix = prefix;
        }
        from = to;
      }
    }

    /**
     * The first 8 bytes as a long whose signed order is the order of the bytes; a shorter cell is
     * padded with zeros.
     */
    private static long prefix(long cell, int bytes) {
      long word = 0;
      if (bytes >= 8) {
        word = Memory.getLong(cell);
      } else {
        for (int i = 0; i < bytes; i++) {
          word |= (Memory.getByte(cell + i) & 0xffL) << (8 * i);
        }
      }
      return Long.reverseBytes(word) ^ Long.MIN_VALUE;
    }

    private int compare(int left, int right) {
      return Memory.compare(
          cells.cellAddress(left),
          cells.cellLength(left),
          cells.cellAddress(right),
          cells.cellLength(right));
    }

    @Override
    byte[] smallest() {
      return cell(cells, smallest);
    }

    @Override
    byte[] largest() {
      return cell(cells, largest);
    }
  }
}
