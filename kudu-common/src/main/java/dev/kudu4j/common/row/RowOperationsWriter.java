package dev.kudu4j.common.row;

import dev.kudu4j.common.schema.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packs row operations of one layout in the format that {@link RowOperationsReader} reads.
 *
 * <pre>
 *   writer.begin(OperationType.INSERT).setInt(0, 7).setString(1, "seven").setNull(2).end();
 * </pre>
 *
 * <p>Columns may be set in any order; if a column is set twice, the last value counts. {@link
 * #reset} empties the writer and keeps its arrays. Not thread-safe.
 */
public final class RowOperationsWriter {
  private final RowLayout layout;
  private final int[] widths;
  private final long[] setBits;
  private final long[] nullBits;
  private final byte[] scratch;
  private final int[] scratchOffsets;
  private final int[] indirectOffsets;
  private final int[] indirectLengths;

  private byte[] rows = new byte[256];
  private int rowsLength;
  private byte[] indirect = new byte[256];
  private int indirectLength;
  private int rowCount;
  private @Nullable OperationType type; // null between operations

  public RowOperationsWriter(RowLayout layout) {
    this.layout = layout;
    this.widths = layout.widths();
    this.setBits = new long[layout.columnMask().length];
    this.nullBits = new long[setBits.length];
    this.scratchOffsets = new int[widths.length];
    this.indirectOffsets = new int[widths.length];
    this.indirectLengths = new int[widths.length];
    int total = 0;
    for (int i = 0; i < widths.length; i++) {
      scratchOffsets[i] = total;
      total += widths[i];
    }
    this.scratch = new byte[total];
  }

  /** Starts an operation with no columns set. */
  public RowOperationsWriter begin(OperationType operation) {
    checkState(type == null, "The previous operation has not ended");
    type = operation;
    Arrays.fill(setBits, 0);
    Arrays.fill(nullBits, 0);
    return this;
  }

  public RowOperationsWriter setByte(int column, byte value) {
    scratch[fixed(column, 1)] = value;
    return this;
  }

  public RowOperationsWriter setBoolean(int column, boolean value) {
    return setByte(column, (byte) (value ? 1 : 0));
  }

  public RowOperationsWriter setShort(int column, short value) {
    LittleEndian.putShort(scratch, fixed(column, 2), value);
    return this;
  }

  public RowOperationsWriter setInt(int column, int value) {
    LittleEndian.putInt(scratch, fixed(column, 4), value);
    return this;
  }

  public RowOperationsWriter setLong(int column, long value) {
    LittleEndian.putLong(scratch, fixed(column, 8), value);
    return this;
  }

  public RowOperationsWriter setFloat(int column, float value) {
    return setInt(column, Float.floatToRawIntBits(value));
  }

  public RowOperationsWriter setDouble(int column, double value) {
    return setLong(column, Double.doubleToRawLongBits(value));
  }

  public RowOperationsWriter setString(int column, String value) {
    return setCell(column, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Sets a value in cell form. */
  public RowOperationsWriter setCell(int column, byte[] cell) {
    return setCell(column, cell, 0, cell.length);
  }

  /** Sets a value in cell form, at {@code [offset, offset + length)} of an array. */
  public RowOperationsWriter setCell(int column, byte[] cell, int offset, int length) {
    if (widths[column] != 0) {
      System.arraycopy(cell, offset, scratch, fixed(column, length), length);
      return this;
    }
    mark(column);
    if (indirect.length - indirectLength < length) {
      indirect =
          Arrays.copyOf(
              indirect, Math.max(Math.addExact(indirectLength, length), doubled(indirect.length)));
    }
    System.arraycopy(cell, offset, indirect, indirectLength, length);
    indirectOffsets[column] = indirectLength;
    indirectLengths[column] = length;
    indirectLength += length;
    return this;
  }

  public RowOperationsWriter setNull(int column) {
    mark(column);
    nullBits[column >>> 6] |= 1L << column;
    return this;
  }

  /** Completes the current operation. */
  public void end() {
    OperationType ending = type;
    if (ending == null) {
      throw new IllegalStateException("No operation has begun");
    }
    int max =
        1
            + 2 * layout.bitmapBytes()
            + scratch.length
            + RowOperationsReader.SLICE_BYTES * widths.length;
    if (rows.length - rowsLength < max) {
      rows = Arrays.copyOf(rows, Math.max(Math.addExact(rowsLength, max), doubled(rows.length)));
    }
    rows[rowsLength++] = (byte) ending.wireNumber();
    appendBitmap(setBits);
    if (layout.hasNullableColumns()) {
      appendBitmap(nullBits);
    }
    for (int column = 0; column < widths.length; column++) {
      long bit = 1L << column;
      if ((setBits[column >>> 6] & ~nullBits[column >>> 6] & bit) != 0) {
        appendCell(column);
      }
    }
    rowCount++;
    type = null;
  }

  private void appendCell(int column) {
    int width = widths[column];
    if (width != 0) {
      System.arraycopy(scratch, scratchOffsets[column], rows, rowsLength, width);
      rowsLength += width;
    } else {
      LittleEndian.putLong(rows, rowsLength, indirectOffsets[column]);
      LittleEndian.putLong(rows, rowsLength + 8, indirectLengths[column]);
      rowsLength += RowOperationsReader.SLICE_BYTES;
    }
  }

  private void appendBitmap(long[] words) {
    for (int i = 0; i < layout.bitmapBytes(); i++) {
      rows[rowsLength++] = (byte) (words[i >>> 3] >>> ((i & 7) << 3));
    }
  }

  private int fixed(int column, int width) {
    if (widths[column] != width) {
      throw new IllegalArgumentException(
          "Column "
              + column
              + " is "
              + layout.type(column)
              + "; a value of "
              + width
              + " bytes does not fit");
    }
    mark(column);
    return scratchOffsets[column];
  }

  private void mark(int column) {
    checkState(type != null, "No operation has begun");
    setBits[column >>> 6] |= 1L << column;
    nullBits[column >>> 6] &= ~(1L << column);
  }

  private static void checkState(boolean condition, String message) {
    if (!condition) {
      throw new IllegalStateException(message);
    }
  }

  private static int doubled(int length) {
    return (int) Math.min(2L * length, Integer.MAX_VALUE - 8);
  }

  public int rowCount() {
    return rowCount;
  }

  /**
   * The array that contains the packed operations at {@code [0, rowsLength())}. The writer replaces
   * the array when it grows.
   */
  public byte[] rowsArray() {
    return rows;
  }

  public int rowsLength() {
    return rowsLength;
  }

  /**
   * The array that contains the text and binary bytes at {@code [0, indirectLength())}. The writer
   * replaces the array when it grows.
   */
  public byte[] indirectArray() {
    return indirect;
  }

  public int indirectLength() {
    return indirectLength;
  }

  /** A copy of the packed operations. */
  public byte[] rows() {
    return Arrays.copyOf(rows, rowsLength);
  }

  /** A copy of the text and binary bytes. */
  public byte[] indirectData() {
    return Arrays.copyOf(indirect, indirectLength);
  }

  /**
   * The operations so far, in the writer's own arrays: they are valid until the next operation or
   * {@link #reset}.
   */
  public RowOperations packed() {
    return new RowOperations(layout, rows, 0, rowsLength, indirect, 0, indirectLength);
  }

  /** A copy of the operations so far. */
  public RowOperations copy() {
    return new RowOperations(layout, rows(), 0, rowsLength, indirectData(), 0, indirectLength);
  }

  /** A reader of the written operations. It borrows the arrays until the next write. */
  public RowOperationsReader reader() {
    return packed().reader();
  }

  /** Removes all operations and keeps the arrays. */
  public void reset() {
    type = null;
    rowsLength = 0;
    indirectLength = 0;
    rowCount = 0;
  }
}
