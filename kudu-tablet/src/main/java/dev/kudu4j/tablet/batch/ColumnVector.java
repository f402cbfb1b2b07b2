package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.status.KuduException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Cells of one column, off heap, in the columnar layout of the wire protocol.
 *
 * <pre>
 *   fixed width:   data = cells back to back
 *   text, binary:  data = rows + 1 offsets u32, first 0; varlen = bytes
 *   nullable:      presence = bit i of byte i/8, low bit first, set = present;
 *                  the cell of a NULL is zeros if fixed-width, else empty
 * </pre>
 *
 * <p>Grows on append; {@link #clear} keeps the memory for the next batch. Growth may change the
 * addresses. Owned by its creator; {@link #close} releases the memory. Not thread-safe.
 *
 * <p>After buffers have been shared ({@link #shareData}, {@link #shareVarlen}, {@link
 * #sharePresence}), only {@link #clear} or {@link #close} may be called. Shared buffers remain
 * accounted to this vector's allocator.
 */
public final class ColumnVector implements AutoCloseable {
  private static final int OFFSET_BYTES = 4;

  /** The capacity in rows after the first growth. */
  private static final int MIN_ROWS = 64;

  private final DataType type;
  private final boolean nullable;
  private final int width;

  private final GrowingArrowBuffer data;
  private final GrowingArrowBuffer varlen;
  private final GrowingArrowBuffer presence;
  private final @Nullable VarlenPatches patches; // null for cells of fixed width

  private int rowCount;
  private int rowCapacity;
  private int varlenBytes;

  /**
   * @param allocator not closed by the vector
   */
  public ColumnVector(BufferAllocator allocator, DataType type, boolean nullable) {
    this.type = type;
    this.nullable = nullable;
    this.width = type.width();
    this.data = new GrowingArrowBuffer(allocator);
    this.varlen = new GrowingArrowBuffer(allocator);
    this.presence = new GrowingArrowBuffer(allocator);
    this.patches = width == 0 ? new VarlenPatches(allocator) : null;
  }

  public DataType type() {
    return type;
  }

  public boolean isNullable() {
    return nullable;
  }

  public int rowCount() {
    return rowCount;
  }

  /** Reserves space for more rows and bytes of text. */
  public void reserve(int moreRows, long moreVarlenBytes) {
    if (moreRows > rowCapacity - rowCount) {
      growRows((long) rowCount + moreRows);
    }
    if (moreVarlenBytes > varlen.capacity() - varlenBytes) {
      growVarlen(varlenBytes + moreVarlenBytes);
    }
  }

  private void growRows(long neededRows) {
    long rows = Math.max(neededRows, Math.max(MIN_ROWS, Math.min(2L * rowCapacity, 1 << 26)));
    long needed = width == 0 ? OFFSET_BYTES * (rows + 1) : width * rows;
    if (needed > Integer.MAX_VALUE) {
      throw tooLarge(neededRows + " rows");
    }
    boolean first = data.address() == 0;
    data.ensure(needed, dataBytesInUse());
    if (first && width == 0) {
      Memory.putInt(data.address(), 0);
    }
    if (nullable) {
      presence.ensure(
          PresenceBits.bytes((int) rows) + PresenceBits.SLACK_BYTES, PresenceBits.bytes(rowCount));
    }
    rowCapacity = (int) rows;
  }

  private void growVarlen(long needed) {
    if (needed > Integer.MAX_VALUE) {
      throw tooLarge(needed + " bytes of text");
    }
    varlen.ensure(needed, varlenBytes);
  }

  static KuduException tooLarge(String what) {
    return KuduException.illegalState(
        "A batch cannot contain %s in one column; use batches of fewer rows", what);
  }

  private int dataBytesInUse() {
    return data.address() == 0 ? 0 : dataBytes();
  }

  public void appendNull() {
    assert nullable : "NULL in a column that is not nullable";
    assert hasNoPatches();
    reserve(1, 0);
    if (width == 0) {
      endCell();
    } else {
      zeroCell(rowCount);
    }
    PresenceBits.append(presence.address(), rowCount, 0, 1);
    rowCount++;
  }

  private void zeroCell(int row) {
    Memory.fill(data.address() + (long) row * width, width, (byte) 0);
  }

  /**
   * Writes the end offset of the last row; its bytes are already included in {@link #varlenBytes}.
   */
  private void endCell() {
    Memory.putInt(data.address() + OFFSET_BYTES * (rowCount + 1L), varlenBytes);
  }

  /** Appends a present cell from raw memory (cell form). */
  public void append(long address, int length) {
    long to = startCell(length);
    if (width == 8) {
      Memory.putLong(to, Memory.getLong(address));
    } else {
      CellCopier.copy(address, to, length);
    }
    rowCount++;
  }

  public void append(byte[] array, int offset, int length) {
    long to = startCell(length);
    Memory.copy(array, offset, to, length);
    rowCount++;
  }

  /** Reserves space for a present cell, counts its bytes, and returns its address. */
  private long startCell(int length) {
    assert hasNoPatches();
    long to;
    if (width == 0) {
      reserve(1, length);
      to = varlen.address() + varlenBytes;
      varlenBytes += length;
      endCell();
    } else {
      assert length == width : "Cell of " + length + " bytes in a column of " + type;
      reserve(1, 0);
      to = data.address() + (long) rowCount * width;
    }
    if (nullable) {
      PresenceBits.append(presence.address(), rowCount, 1, 1);
    }
    return to;
  }

  /** Appends {@code count} rows of another vector of the same type, from {@code first}. */
  public void appendRange(ColumnVector from, int first, int count) {
    assert isCompatible(from);
    assert first >= 0 && count >= 0 && first + count <= from.rowCount;
    if (count == 0) {
      return;
    }
    if (width == 0) {
      reserve(count, from.varlenLength(first, count));
      copyVarlenRange(from, first, count, rowCount);
    } else {
      reserve(count, 0);
      copyFixedRange(from, first, count, rowCount);
    }
    if (nullable && from.nullable) {
      PresenceBits.appendRange(presence.address(), rowCount, from.presence.address(), first, count);
    } else if (nullable) {
      PresenceBits.appendOnes(presence.address(), rowCount, count);
    }
    rowCount += count;
  }

  private boolean isCompatible(ColumnVector from) {
    return from != this
        && from.type == type
        && from.hasNoPatches()
        && hasNoPatches()
        && (nullable || !from.nullable || from.allPresent());
  }

  private boolean allPresent() {
    for (int row = 0; row < rowCount; row++) {
      if (isNull(row)) {
        return false;
      }
    }
    return true;
  }

  private int varlenLength(int first, int count) {
    return offset(first + count) - offset(first);
  }

  private int offset(int index) {
    return Memory.getInt(data.address() + (long) OFFSET_BYTES * index);
  }

  private void copyFixedRange(ColumnVector from, int first, int count, int toRow) {
    Memory.copy(
        from.data.address() + (long) first * width,
        data.address() + (long) toRow * width,
        (long) count * width);
  }

  private void copyVarlenRange(ColumnVector from, int first, int count, int toRow) {
    int start = from.offset(first);
    int bytes = from.offset(first + count) - start;
    CellCopier.copy(from.varlen.address() + start, varlen.address() + varlenBytes, bytes);
    int shift = varlenBytes - start;
    long source = from.data.address() + OFFSET_BYTES * (first + 1L);
    long target = data.address() + OFFSET_BYTES * (toRow + 1L);
    for (int i = 0; i < count; i++) {
      Memory.putInt(target + 4L * i, Memory.getInt(source + 4L * i) + shift);
    }
    varlenBytes += bytes;
  }

  /**
   * Appends the rows of {@code from} whose bits are set in {@code words} (row i: bit i%64 of word
   * i/64). Bits at or above {@code rowCount} are ignored.
   */
  public void appendSelected(ColumnVector from, long[] words, int rowCount) {
    assert isCompatible(from);
    assert rowCount <= from.rowCount;
    reserveSelected(from, words, rowCount);
    for (int first = 0; first < rowCount; first += 64) {
      long word = selected(words, first, rowCount);
      if (word == 0) {
        continue;
      }
      if (width == 0) {
        appendVarlenSelected(from, first, word);
      } else {
        appendFixedSelected(from, first, word);
      }
      int count = Long.bitCount(word);
      if (nullable) {
        appendPresenceSelected(from, first, word, count);
      }
      this.rowCount += count;
    }
  }

  /** The bits of up to 64 rows from {@code first}, none beyond the last row. */
  private static long selected(long[] words, int first, int rowCount) {
    return words[first >>> 6] & PresenceBits.lowBits(Math.min(64, rowCount - first));
  }

  private void reserveSelected(ColumnVector from, long[] words, int rowCount) {
    int rows = 0;
    long bytes = 0;
    for (int first = 0; first < rowCount; first += 64) {
      long word = selected(words, first, rowCount);
      rows += Long.bitCount(word);
      if (width == 0) {
        for (long left = word; left != 0; left &= left - 1) {
          bytes += from.varlenLength(first + Long.numberOfTrailingZeros(left), 1);
        }
      }
    }
    reserve(rows, bytes);
  }

  private void appendFixedSelected(ColumnVector from, int first, long word) {
    if (word == -1L) {
      copyFixedRange(from, first, 64, rowCount);
    } else {
      CellCopier.copySelected(
          from.data.address() + (long) first * width,
          data.address() + (long) rowCount * width,
          width,
          word);
    }
  }

  /** Copies each run of consecutive selected rows in one step. */
  private void appendVarlenSelected(ColumnVector from, int first, long word) {
    int toRow = rowCount;
    long left = word;
    while (left != 0) {
      int start = Long.numberOfTrailingZeros(left);
      int run = Long.numberOfTrailingZeros(~(left >>> start));
      copyVarlenRange(from, first + start, run, toRow);
      toRow += run;
      left &= ~(PresenceBits.lowBits(run) << start);
    }
  }

  private void appendPresenceSelected(ColumnVector from, int first, long word, int count) {
    long bits = -1L;
    if (from.nullable) {
      int rows = Math.min(64, from.rowCount - first);
      long present = PresenceBits.read(from.presence.address(), first, rows);
      bits = (present & word) == word ? -1L : PresenceBits.gather(present, word);
    }
    PresenceBits.append(presence.address(), rowCount, bits, count);
  }

  /**
   * Adds {@code rows} rows whose cells the caller writes directly, before or after this call:
   * fixed-width cells at {@link #dataAddress}, or the offsets and bytes of text. All added rows are
   * marked as present. Space must have been reserved.
   *
   * <p>The offset at {@code dataAddress + 4 * (i + 1)} is the end of the bytes of row i, relative
   * to {@link #varlenAddress}. The caller marks NULLs after it has written the cells.
   */
  public void advance(int rows, int varlenBytes) {
    assert rows <= rowCapacity - rowCount : "No space is reserved for " + rows + " rows";
    assert varlenBytes <= varlen.capacity() - this.varlenBytes : "No space is reserved for text";
    if (nullable && rows > 0) {
      PresenceBits.appendOnes(presence.address(), rowCount, rows);
    }
    this.rowCount += rows;
    this.varlenBytes += varlenBytes;
  }

  /**
   * Copies the presence of the last {@code rows} rows from a presence bitmap, starting at bit
   * {@code firstBit}. Must follow {@link #advance}; the caller has written zeros, or an empty text,
   * for each NULL. Reads only bytes of the bitmap that contain these bits.
   */
  public void copyPresenceOfLast(int rows, long bitmap, int firstBit) {
    assert nullable && rows <= rowCount;
    if (rows > 0) {
      PresenceBits.appendRange(presence.address(), rowCount - rows, bitmap, firstBit, rows);
    }
  }

  /**
   * Overwrites a present cell (for deltas applied in place). Text is rewritten lazily: after the
   * last call, {@link #applyPatches} must be called before any cell is read.
   */
  public void set(int row, long address, int length) {
    assert row >= 0 && row < rowCount;
    if (nullable) {
      PresenceBits.set(presence.address(), row);
    }
    if (patches != null) {
      patches.put(row, rowCount, address, length);
    } else {
      assert length == width : "Cell of " + length + " bytes in a column of " + type;
      CellCopier.copy(address, data.address() + (long) row * width, length);
    }
  }

  public void setNull(int row) {
    assert nullable : "NULL in a column that is not nullable";
    assert row >= 0 && row < rowCount;
    PresenceBits.clear(presence.address(), row);
    if (patches != null) {
      patches.put(row, rowCount, 0, 0);
    } else {
      zeroCell(row);
    }
  }

  /** Completes calls of {@link #set} or {@link #setNull}: restores the layout. */
  public void applyPatches() {
    if (patches != null && !patches.isEmpty()) {
      varlenBytes = patches.applyTo(data.address(), varlen, rowCount);
    }
  }

  private boolean hasNoPatches() {
    return patches == null || patches.isEmpty();
  }

  public boolean isNull(int row) {
    return nullable && !PresenceBits.get(presence.address(), row);
  }

  /** The address of a cell's bytes. */
  public long cellAddress(int row) {
    assert row >= 0 && row < rowCount && hasNoPatches();
    return width == 0 ? varlen.address() + offset(row) : data.address() + (long) row * width;
  }

  public int cellLength(int row) {
    assert row >= 0 && row < rowCount && hasNoPatches();
    return width == 0 ? offset(row + 1) - offset(row) : width;
  }

  /** The address of the fixed-width cells, or of the offsets of a text column. */
  public long dataAddress() {
    ensureOffsets();
    return data.address();
  }

  /** Allocates the first offset of a text column, which exists even without rows. */
  private void ensureOffsets() {
    if (width == 0 && data.address() == 0) {
      growRows(0);
    }
  }

  /** The bytes in use at {@link #dataAddress}. */
  public int dataBytes() {
    return width == 0 ? OFFSET_BYTES * (rowCount + 1) : width * rowCount;
  }

  public long varlenAddress() {
    return varlen.address();
  }

  public int varlenBytes() {
    return varlenBytes;
  }

  /** The address of the presence bitmap; 0 if the column is not nullable. */
  public long presenceAddress() {
    return presence.address();
  }

  /** The bytes in use at {@link #presenceAddress}. */
  public int presenceBytes() {
    return nullable ? PresenceBits.bytes(rowCount) : 0;
  }

  /** The total bytes in use. */
  public long bytes() {
    return (long) dataBytes() + varlenBytes + presenceBytes();
  }

  /** The data buffer, cut to {@link #dataBytes}, with a reference that the caller releases. */
  public ArrowBuf shareData() {
    assert hasNoPatches();
    ensureOffsets();
    return data.share(dataBytes());
  }

  /** The text, with a reference that the caller releases; empty for a fixed-width column. */
  public ArrowBuf shareVarlen() {
    assert hasNoPatches();
    return varlen.share(varlenBytes);
  }

  /**
   * The presence bitmap, with a reference that the caller releases; empty if the column is not
   * nullable.
   */
  public ArrowBuf sharePresence() {
    return presence.share(presenceBytes());
  }

  /** Removes all rows. Shared memory is left to its other owners. */
  public void clear() {
    data.unshare();
    varlen.unshare();
    presence.unshare();
    rowCount = 0;
    varlenBytes = 0;
    if (patches != null) {
      patches.clear();
    }
    if (data.address() == 0 || (nullable && presence.address() == 0)) {
      rowCapacity = 0;
    }
  }

  @Override
  public void close() {
    data.close();
    varlen.close();
    presence.close();
    if (patches != null) {
      patches.close();
    }
    rowCount = 0;
    rowCapacity = 0;
    varlenBytes = 0;
  }
}
