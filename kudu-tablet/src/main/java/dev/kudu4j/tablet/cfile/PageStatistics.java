package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;

/**
 * Null count, smallest and largest cell of a page.
 *
 * <p>Text is cut to {@value #MOST_TEXT_BYTES} bytes; a cut maximum is rounded up, or unknown when
 * that cannot be done. Bounds of text are bytes, not characters: a cut may go through a character.
 * A page with a NaN has no bounds, since NaN has no place in the order of comparisons. A zero
 * counts as -0.0 in the minimum and as +0.0 in the maximum, so that both zeros lie between.
 */
public final class PageStatistics {
  static final int MOST_TEXT_BYTES = 32;

  private final int nullCount;
  private final byte[] minimum;
  private final byte[] maximum;

  private PageStatistics(int nullCount, byte[] minimum, byte[] maximum) {
    this.nullCount = nullCount;
    this.minimum = minimum;
    this.maximum = maximum;
  }

  /** The statistics of all rows of the vector. */
  public static PageStatistics of(ColumnVector cells) {
    DataType type = cells.type();
    int nulls = 0;
    int smallest = -1;
    int largest = -1;
    boolean anyNaN = false;
    for (int row = 0; row < cells.rowCount(); row++) {
      if (cells.isNull(row)) {
        nulls++;
        continue;
      }
      anyNaN |= isNaN(type, cells.cellAddress(row));
      if (smallest < 0) {
        smallest = row;
        largest = row;
      } else if (compare(type, cells, row, smallest) < 0) {
        smallest = row;
      } else if (compare(type, cells, row, largest) > 0) {
        largest = row;
      }
    }
    if (smallest < 0 || anyNaN) {
      return new PageStatistics(nulls, null, null);
    }
    byte[] minimum = bytes(cells, smallest);
    byte[] maximum = bytes(cells, largest);
    widenZeros(type, minimum, maximum);
    return type.isVariableLength()
        ? new PageStatistics(nulls, cutDown(minimum), cutUp(maximum))
        : new PageStatistics(nulls, minimum, maximum);
  }

  private static boolean isNaN(DataType type, long cell) {
    return switch (type) {
      case FLOAT -> Float.isNaN(Memory.getFloat(cell));
      case DOUBLE -> Double.isNaN(Memory.getDouble(cell));
      default -> false;
    };
  }

  private static int compare(DataType type, ColumnVector cells, int left, int right) {
    return CellOrder.compare(
        type,
        cells.cellAddress(left),
        cells.cellLength(left),
        cells.cellAddress(right),
        cells.cellLength(right));
  }

  private static byte[] bytes(ColumnVector cells, int row) {
    byte[] copy = new byte[cells.cellLength(row)];
    Memory.copy(cells.cellAddress(row), copy, 0, copy.length);
    return copy;
  }

  private static void widenZeros(DataType type, byte[] minimum, byte[] maximum) {
    if (type != DataType.FLOAT && type != DataType.DOUBLE) {
      return;
    }
    if (isZero(minimum)) {
      minimum[minimum.length - 1] = (byte) 0x80;
    }
    if (isZero(maximum)) {
      maximum[maximum.length - 1] = 0;
    }
  }

  private static boolean isZero(byte[] cell) {
    int bits = cell[cell.length - 1] & 0x7f;
    for (int i = 0; i < cell.length - 1; i++) {
      bits |= cell[i];
    }
    return bits == 0;
  }

  private static byte[] cutDown(byte[] text) {
    return text.length <= MOST_TEXT_BYTES ? text : Arrays.copyOf(text, MOST_TEXT_BYTES);
  }

  private static byte[] cutUp(byte[] text) {
    if (text.length <= MOST_TEXT_BYTES) {
      return text;
    }
    for (int last = MOST_TEXT_BYTES - 1; last >= 0; last--) {
      if (text[last] != (byte) 0xff) {
        byte[] bound = Arrays.copyOf(text, last + 1);
        bound[last]++;
        return bound;
      }
    }
    return null;
  }

  public int nullCount() {
    return nullCount;
  }

  /** See {@link ColumnReader#minimum}. */
  public byte[] minimum() {
    return minimum;
  }

  /** See {@link ColumnReader#maximum}. */
  public byte[] maximum() {
    return maximum;
  }
}
