package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.memory.Memory;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * New values for some rows of a text column. They are collected and then applied together, because
 * a value of a different length moves all values after it.
 */
final class VarlenPatches implements AutoCloseable {
  private static final int UNCHANGED = -1;

  private final GrowingArrowBuffer values;
  private final GrowingArrowBuffer rewritten;
  private int valueBytes;
  private int count;

  /** The start of a row's new value in {@link #values}, or UNCHANGED. Valid while count > 0. */
  private int[] starts = new int[0];

  private int[] lengths = new int[0];

  VarlenPatches(BufferAllocator allocator) {
    this.values = new GrowingArrowBuffer(allocator);
    this.rewritten = new GrowingArrowBuffer(allocator);
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Sets the new value of a row. A later call for the same row replaces the value. */
  void put(int row, int rowCount, long address, int length) {
    prepare(rowCount);
    long needed = (long) valueBytes + length;
    if (needed > Integer.MAX_VALUE) {
      throw ColumnVector.tooLarge(needed + " bytes of changed text");
    }
    values.ensure(needed, valueBytes);
    if (length > 0) {
      CellCopier.copy(address, values.address() + valueBytes, length);
    }
    starts[row] = valueBytes;
    lengths[row] = length;
    valueBytes += length;
    count++;
  }

  private void prepare(int rowCount) {
    if (count > 0) {
      return;
    }
    if (starts.length < rowCount) {
      starts = new int[rowCount];
      lengths = new int[rowCount];
    }
    Arrays.fill(starts, 0, rowCount, UNCHANGED);
    valueBytes = 0;
  }

  /**
   * Rewrites the offsets and the text with the new values, then discards the new values. Returns
   * the new size of the text.
   */
  int applyTo(long offsets, GrowingArrowBuffer varlen, int rowCount) {
    rewritten.ensure(newBytes(offsets, rowCount), 0);
    int oldStart = 0;
    int written = 0;
    for (int row = 0; row < rowCount; row++) {
      long endAddress = offsets + 4L * (row + 1);
      int oldEnd = Memory.getInt(endAddress);
      boolean unchanged = starts[row] == UNCHANGED;
      int length = unchanged ? oldEnd - oldStart : lengths[row];
      long from = unchanged ? varlen.address() + oldStart : values.address() + starts[row];
      CellCopier.copy(from, rewritten.address() + written, length);
      written += length;
      Memory.putInt(endAddress, written);
      oldStart = oldEnd;
    }
    varlen.swap(rewritten);
    clear();
    return written;
  }

  private long newBytes(long offsets, int rowCount) {
    long bytes = 0;
    int oldStart = 0;
    for (int row = 0; row < rowCount; row++) {
      int oldEnd = Memory.getInt(offsets + 4L * (row + 1));
      bytes += starts[row] == UNCHANGED ? oldEnd - oldStart : lengths[row];
      oldStart = oldEnd;
    }
    if (bytes > Integer.MAX_VALUE) {
      throw ColumnVector.tooLarge(bytes + " bytes of text");
    }
    return bytes;
  }

  void clear() {
    count = 0;
    valueBytes = 0;
  }

  @Override
  public void close() {
    clear();
    values.close();
    rewritten.close();
  }
}
