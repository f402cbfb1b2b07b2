package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The null count and the smallest and the largest cell of a page.
 *
 * <p>Text is truncated to {@value #MAX_TEXT_BYTES} bytes. A truncated maximum is rounded up; if
 * that is impossible, the maximum is unknown. Text bounds are bytes, not characters: truncation may
 * split a character. A page with a NaN has no bounds, because comparisons do not order NaN. A zero
 * counts as -0.0 in the minimum and as +0.0 in the maximum, so the bounds include both zeros.
 */
public final class PageStatistics {
  static final int MAX_TEXT_BYTES = 32;

  private final int nullCount;
  private final byte @Nullable [] minimum;
  private final byte @Nullable [] maximum;

  private PageStatistics(int nullCount, byte @Nullable [] minimum, byte @Nullable [] maximum) {
    this.nullCount = nullCount;
    this.minimum = minimum;
    this.maximum = maximum;
  }

  /** The statistics of all rows of the vector. */
  public static PageStatistics of(ColumnVector cells) {
    CellBounds bounds = CellBounds.of(cells);
    int rows = cells.rowCount();
    int nulls = 0;
    if (!cells.isNullable()) {
      if (rows > 0) {
        bounds.add(0, rows);
      }
    } else {
      nulls = addPresent(cells, bounds);
    }
    if (!bounds.areKnown()) {
      return new PageStatistics(nulls, null, null);
    }
    DataType type = cells.type();
    byte[] minimum = bounds.smallest();
    byte[] maximum = bounds.largest();
    widenZeros(type, minimum, maximum);
    return type.isVariableLength()
        ? new PageStatistics(nulls, cutDown(minimum), cutUp(maximum))
        : new PageStatistics(nulls, minimum, maximum);
  }

  /** Adds each run of present rows to the bounds; returns the number of NULLs. */
  private static int addPresent(ColumnVector cells, CellBounds bounds) {
    int rows = cells.rowCount();
    int nulls = 0;
    int row = 0;
    while (row < rows) {
      if (cells.isNull(row)) {
        nulls++;
        row++;
        continue;
      }
      int first = row;
      while (row < rows && !cells.isNull(row)) {
        row++;
      }
      bounds.add(first, row);
    }
    return nulls;
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
    return text.length <= MAX_TEXT_BYTES ? text : Arrays.copyOf(text, MAX_TEXT_BYTES);
  }

  private static byte @Nullable [] cutUp(byte[] text) {
    if (text.length <= MAX_TEXT_BYTES) {
      return text;
    }
    for (int last = MAX_TEXT_BYTES - 1; last >= 0; last--) {
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
  public byte @Nullable [] minimum() {
    return minimum;
  }

  /** See {@link ColumnReader#maximum}. */
  public byte @Nullable [] maximum() {
    return maximum;
  }
}
