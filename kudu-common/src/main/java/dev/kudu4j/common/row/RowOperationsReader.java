package dev.kudu4j.common.row;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over packed row operations. One object reads a whole batch. It allocates nothing per row
 * or cell, and it does not copy the bytes.
 *
 * <pre>
 *   while (reader.next()) {
 *     reader.type(); reader.isSet(c); reader.isNull(c);
 *     reader.cellArray(c), reader.cellOffset(c), reader.cellLength(c) // cell form
 *   }
 * </pre>
 *
 * <p>An operation consists of a type byte, the bitmap of the set columns, the bitmap of the NULL
 * columns (only if the layout has a nullable column), and the cells of the columns that are set and
 * not NULL, without padding.
 *
 * <p>Columns are identified by their index in the layout. The accessors of a cell may be called
 * only if the column is set and not NULL. Not thread-safe.
 */
public final class RowOperationsReader implements RowCells {
  /** Size of an offset and a length, which represent a variable-length cell in the row. */
  static final int SLICE_BYTES = 16;

  private final int[] widths;
  private final long[] columnMask;
  private final long[] notNullable;
  private final int bitmapBytes;
  private final int headerBytes;

  private final byte[] rows;
  private final int rowsEnd;
  private final byte[] indirect;
  private final int indirectOffset;
  private final int indirectLength;

  private final long[] setBits;
  private final long[] nullBits;
  private final int[] offsets;
  private final int[] lengths;
  private int position;
  private int rowIndex = -1;
  private long textBytes;
  private @Nullable OperationType type; // null before the first row
  private int typeNumber;

  RowOperationsReader(RowOperations operations) {
    RowLayout layout = operations.layout();
    this.widths = layout.widths();
    this.columnMask = layout.columnMask();
    this.notNullable = layout.notNullable();
    this.bitmapBytes = layout.bitmapBytes();
    this.headerBytes = 1 + (layout.hasNullableColumns() ? 2 : 1) * bitmapBytes;
    this.rows = operations.rows();
    this.position = operations.rowsOffset();
    this.rowsEnd = position + operations.rowsLength();
    this.indirect = operations.indirect();
    this.indirectOffset = operations.indirectOffset();
    this.indirectLength = operations.indirectLength();
    this.setBits = new long[columnMask.length];
    this.nullBits = new long[columnMask.length];
    this.offsets = new int[widths.length];
    this.lengths = widths.clone();
  }

  /**
   * Moves to the next operation.
   *
   * @return false at the end
   * @throws KuduException CORRUPTION for truncated rows, a slice outside the indirect data, or NULL
   *     in a column that is not nullable; NOT_SUPPORTED for an unknown operation type
   */
  public boolean next() {
    if (position == rowsEnd) {
      return false;
    }
    rowIndex++;
    readHeader();
    int at = position;
    for (int word = 0; word < setBits.length; word++) {
      long present = setBits[word] & ~nullBits[word];
      while (present != 0) {
        int column = (word << 6) + Long.numberOfTrailingZeros(present);
        present &= present - 1;
        int width = widths[column];
        if (width != 0) {
          offsets[column] = at;
          at += width;
        } else {
          if (at + SLICE_BYTES > rowsEnd) {
            throw truncated();
          }
          readSlice(column, at);
          at += SLICE_BYTES;
        }
      }
    }
    if (at > rowsEnd) {
      throw truncated();
    }
    position = at;
    return true;
  }

  private void readHeader() {
    int at = position;
    typeNumber = rows[at] & 0xff;
    type = OperationType.ofWireNumber(typeNumber);
    if (type == null) {
      throw KuduException.notSupported(
          "Unknown row operation type %d at row %d", rows[at] & 0xff, rowIndex);
    }
    if (rowsEnd - at < headerBytes) {
      throw truncated();
    }
    readBitmap(at + 1, setBits);
    if (headerBytes > 1 + bitmapBytes) {
      readBitmap(at + 1 + bitmapBytes, nullBits);
      for (int word = 0; word < setBits.length; word++) {
        nullBits[word] &= setBits[word];
        if ((nullBits[word] & notNullable[word]) != 0) {
          int column = (word << 6) + Long.numberOfTrailingZeros(nullBits[word] & notNullable[word]);
          throw KuduException.corruption(
              "Row %d has NULL in column %d, which is not nullable", rowIndex, column);
        }
      }
    }
    position = at + headerBytes;
  }

  /** Reads a bitmap into words and clears the unused bits. */
  private void readBitmap(int at, long[] words) {
    for (int word = 0; word < words.length; word++, at += 8) {
      int bytes = Math.min(8, bitmapBytes - (word << 3));
      long bits;
      if (at + 8 <= rows.length) {
        bits = LittleEndian.getLong(rows, at);
      } else {
        bits = 0;
        for (int i = 0; i < bytes; i++) {
          bits |= (rows[at + i] & 0xffL) << (i << 3);
        }
      }
      words[word] = bits & columnMask[word];
    }
  }

  private void readSlice(int column, int at) {
    long offset = LittleEndian.getLong(rows, at);
    long length = LittleEndian.getLong(rows, at + 8);
    if (offset < 0 || length < 0 || length > indirectLength || offset > indirectLength - length) {
      throw KuduException.corruption(
          "Bad indirect slice: row %d, column %d has offset %s and length %s in %d bytes of"
              + " indirect data",
          rowIndex,
          column,
          Long.toUnsignedString(offset),
          Long.toUnsignedString(length),
          indirectLength);
    }
    offsets[column] = indirectOffset + (int) offset;
    lengths[column] = (int) length;
    textBytes += length;
  }

  private KuduException truncated() {
    return KuduException.corruption("Row operations end in the middle of row %d", rowIndex);
  }

  /** Position of the current operation in the batch, from 0. */
  public int rowIndex() {
    return rowIndex;
  }

  /**
   * Total bytes of the text and binary cells read so far. Indirect bytes that several cells share
   * count once per cell: the total is the size of the rows, not the size of the message.
   */
  public long textBytes() {
    return textBytes;
  }

  /** End of the current operation in the array of rows, where the next one begins. */
  int endPosition() {
    return position;
  }

  /** Bytes before the first cell of an operation. */
  int headerBytes() {
    return headerBytes;
  }

  public OperationType type() {
    assert type != null : "next() must be called first";
    return type;
  }

  /** The number of the type as it is in the row; see {@link RefusedOperation}. */
  public int typeNumber() {
    return typeNumber;
  }

  public boolean isSet(int column) {
    return (setBits[column >>> 6] >>> column & 1) != 0;
  }

  /** Whether the column is set to NULL. */
  public boolean isNull(int column) {
    return (nullBits[column >>> 6] >>> column & 1) != 0;
  }

  /** Whether the column has a cell: it is set and not NULL. */
  @Override
  public boolean hasCell(int column) {
    return ((setBits[column >>> 6] & ~nullBits[column >>> 6]) >>> column & 1) != 0;
  }

  /** The number of columns that are set, NULL or not. */
  public int setCount() {
    int count = 0;
    for (long word : setBits) {
      count += Long.bitCount(word);
    }
    return count;
  }

  @Override
  public byte[] cellArray(int column) {
    return widths[column] == 0 ? indirect : rows;
  }

  @Override
  public int cellOffset(int column) {
    return offsets[column];
  }

  @Override
  public int cellLength(int column) {
    return lengths[column];
  }

  /** A copy of the cell; null if the column is unset or NULL. */
  public byte @Nullable [] cell(int column) {
    if (!hasCell(column)) {
      return null;
    }
    byte[] copy = new byte[lengths[column]];
    System.arraycopy(cellArray(column), offsets[column], copy, 0, copy.length);
    return copy;
  }
}
