package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.schema.DataType;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Cells of one column, off heap, in the wire's columnar layout.
 *
 * <pre>
 *   fixed width:  data = cells back to back            text, binary:  data = rows + 1 offsets u32, first 0; varlen = bytes
 *   nullable:     presence = bit i of byte i/8, low bit first, set = present; a NULL's cell is zeros or empty
 * </pre>
 *
 * <p>Grows as it is appended to; {@link #clear} keeps the memory for the next batch. Addresses
 * change with growth. Not thread-safe. Owned by whoever made it; {@link #close} releases.
 */
public final class ColumnVector implements AutoCloseable {
  /**
   * @param allocator shared
   */
  public ColumnVector(BufferAllocator allocator, DataType type, boolean nullable) {
    throw new UnsupportedOperationException("stub");
  }

  public DataType type() {
    throw new UnsupportedOperationException("stub");
  }

  public boolean isNullable() {
    throw new UnsupportedOperationException("stub");
  }

  public int rowCount() {
    throw new UnsupportedOperationException("stub");
  }

  /** Makes room for that many more rows and bytes of text. */
  public void reserve(int moreRows, long moreVarlenBytes) {
    throw new UnsupportedOperationException("stub");
  }

  public void appendNull() {
    throw new UnsupportedOperationException("stub");
  }

  /** Appends a present cell from raw memory (cell form). */
  public void append(long address, int length) {
    throw new UnsupportedOperationException("stub");
  }

  public void append(byte[] array, int offset, int length) {
    throw new UnsupportedOperationException("stub");
  }

  /** Appends {@code count} rows of another vector of the same type, from {@code first}. */
  public void appendRange(ColumnVector from, int first, int count) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Appends the rows of {@code from} whose bits are set in the bitmap of {@code words} (row i: bit
   * i%64 of word i/64).
   */
  public void appendSelected(ColumnVector from, long[] words, int rowCount) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Counts in {@code rows} rows that the caller has written, or is about to write, directly:
   * fixed-width cells at {@link #dataAddress}, or offsets and bytes; presence starts as all
   * present. Room must have been reserved.
   */
  public void advance(int rows, int varlenBytes) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Sets a present cell anew (deltas applied in place). For text this rewrites lazily; call {@link
   * #settle} at the end.
   */
  public void set(int row, long address, int length) {
    throw new UnsupportedOperationException("stub");
  }

  public void setNull(int row) {
    throw new UnsupportedOperationException("stub");
  }

  /** After calls of {@link #set} or {@link #setNull}: makes the layout true again. */
  public void settle() {
    throw new UnsupportedOperationException("stub");
  }

  public boolean isNull(int row) {
    throw new UnsupportedOperationException("stub");
  }

  /** Address of a cell's bytes. */
  public long cellAddress(int row) {
    throw new UnsupportedOperationException("stub");
  }

  public int cellLength(int row) {
    throw new UnsupportedOperationException("stub");
  }

  /** Fixed-width cells, or the offsets. */
  public long dataAddress() {
    throw new UnsupportedOperationException("stub");
  }

  /** Bytes of {@link #dataAddress} in use. */
  public int dataBytes() {
    throw new UnsupportedOperationException("stub");
  }

  public long varlenAddress() {
    throw new UnsupportedOperationException("stub");
  }

  public int varlenBytes() {
    throw new UnsupportedOperationException("stub");
  }

  /** The presence bitmap; 0 when the column is not nullable. */
  public long presenceAddress() {
    throw new UnsupportedOperationException("stub");
  }

  /** Bytes in use in all: what the batch weighs. */
  public long bytes() {
    throw new UnsupportedOperationException("stub");
  }

  /** The data buffer with its own reference for the caller, cut to {@link #dataBytes}. */
  public ArrowBuf shareData() {
    throw new UnsupportedOperationException("stub");
  }

  public ArrowBuf shareVarlen() {
    throw new UnsupportedOperationException("stub");
  }

  public ArrowBuf sharePresence() {
    throw new UnsupportedOperationException("stub");
  }

  public void clear() {
    throw new UnsupportedOperationException("stub");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("stub");
  }
}
