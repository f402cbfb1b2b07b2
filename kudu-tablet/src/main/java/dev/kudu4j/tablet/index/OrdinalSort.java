package dev.kudu4j.tablet.index;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Sorts the ordinals of a rowset by the cells of columns, NULLs first, equal cells by ordinal.
 *
 * <p>Each call of {@link #by} sorts the current order stably by one column, so columns are passed
 * from the least to the most significant. Cells become unsigned 64-bit keys of the same order,
 * which a radix sort moves together with the ordinals: numbers have one key (two for 128 bits),
 * text has one for each eight bytes, of which the later ones are compared only among cells that are
 * equal so far.
 *
 * <pre>
 *   off heap, for n rows:   keys 8 n | ordinals 4 n | keys moved 8 n | ordinals moved 4 n
 * </pre>
 *
 * <p>Not thread-safe.
 */
public final class OrdinalSort implements AutoCloseable {
  /** Runs up to this length are sorted by insertion, because a radix sort has fixed costs. */
  private static final int FEW_ROWS = 24;

  private static final int MAX_DIGIT_BITS = 11;
  private static final int CHUNK_BYTES = 8;

  private final int rowCount;
  private final ArrowBuf buffer;
  private final int[] counts = new int[1 << MAX_DIGIT_BITS];
  private long keys;
  private long ordinals;
  private long movedKeys;
  private long movedOrdinals;

  /** The ranges of text that are equal so far: from, to, byte offset of each. */
  private long[] pending = new long[3 * 16];

  private int pendingCount;

  /** The current order is that of the ordinals. */
  public OrdinalSort(BufferAllocator allocator, int rowCount) {
    this.rowCount = rowCount;
    this.buffer = allocator.buffer(24L * Math.max(1, rowCount));
    this.keys = buffer.memoryAddress();
    this.movedKeys = keys + 8L * rowCount;
    this.ordinals = movedKeys + 8L * rowCount;
    this.movedOrdinals = ordinals + 4L * rowCount;
    for (int i = 0; i < rowCount; i++) {
      Memory.putInt(ordinals + 4L * i, i);
    }
  }

  /** The ordinal at a position of the current order. */
  public int ordinal(int position) {
    return Memory.getInt(ordinals + 4L * position);
  }

  /** The address of the ordinals in the current order, 4 bytes each; valid until the next call. */
  public long ordinalsAddress() {
    return ordinals;
  }

  /** Sorts by a column; {@code cells} has the cells of all ordinals. */
  public void by(ColumnVector cells) {
    assert cells.rowCount() == rowCount;
    DataType type = cells.type();
    if (type.isVariableLength()) {
      sortText(cells);
    } else {
      if (type.width() == 16) {
        loadKeys(cells, type, 0);
        sort(0, rowCount);
      }
      loadKeys(cells, type, Math.max(0, type.width() - 8));
      sort(0, rowCount);
    }
    moveNullsFirst(cells);
  }

  private void loadKeys(ColumnVector cells, DataType type, int offset) {
    long address = cells.dataAddress() + offset;
    int width = type.width();
    for (int i = 0; i < rowCount; i++) {
      long cell = address + (long) ordinal(i) * width;
      Memory.putLong(keys + 8L * i, key(type, cell, offset));
    }
  }

  /** An unsigned number with the order of the cells. */
  private static long key(DataType type, long cell, int offset) {
    return switch (type) {
      case BOOL, UINT8, IS_DELETED -> Memory.getByte(cell) & 0xff;
      case INT8 -> Memory.getByte(cell) ^ Long.MIN_VALUE;
      case UINT16 -> Memory.getShort(cell) & 0xffff;
      case INT16 -> Memory.getShort(cell) ^ Long.MIN_VALUE;
      case UINT32 -> Memory.getInt(cell) & 0xffff_ffffL;
      case INT32, DATE, DECIMAL32 -> Memory.getInt(cell) ^ Long.MIN_VALUE;
      case UINT64 -> Memory.getLong(cell);
      case INT64, UNIXTIME_MICROS, DECIMAL64 -> Memory.getLong(cell) ^ Long.MIN_VALUE;
      case INT128, DECIMAL128 ->
          offset == 0 ? Memory.getLong(cell) : Memory.getLong(cell) ^ Long.MIN_VALUE;
      case FLOAT -> floatingKey(Memory.getFloat(cell));
      case DOUBLE -> floatingKey(Memory.getDouble(cell));
      default -> throw new IllegalArgumentException("Cells of type " + type + " have no order");
    };
  }

  /** Zeros of both signs are equal, and so are all NaNs, which are above all numbers. */
  private static long floatingKey(double value) {
    long bits = Double.doubleToLongBits(value + 0.0);
    return bits ^ (bits >> 63 | Long.MIN_VALUE);
  }

  // ------------------------------------------------------------------------------------- text

  private void sortText(ColumnVector cells) {
    push(0, rowCount, 0);
    while (pendingCount > 0) {
      pendingCount--;
      int from = (int) pending[3 * pendingCount];
      int to = (int) pending[3 * pendingCount + 1];
      int offset = (int) pending[3 * pendingCount + 2];
      for (int i = from; i < to; i++) {
        Memory.putLong(keys + 8L * i, chunk(cells, ordinal(i), offset));
      }
      sort(from, to);
      splitEqual(cells, from, to, offset);
    }
  }

  private void push(int from, int to, int offset) {
    if (pending.length < 3 * (pendingCount + 1)) {
      pending = Arrays.copyOf(pending, 2 * pending.length);
    }
    pending[3 * pendingCount] = from;
    pending[3 * pendingCount + 1] = to;
    pending[3 * pendingCount + 2] = offset;
    pendingCount++;
  }

  /** Eight bytes of the cell from the offset as a big-endian number, with zeros after its end. */
  private static long chunk(ColumnVector cells, int row, int offset) {
    long cell = cells.cellAddress(row) + offset;
    int left = cells.cellLength(row) - offset;
    if (left >= CHUNK_BYTES) {
      return Long.reverseBytes(Memory.getLong(cell));
    }
    long chunk = 0;
    for (int i = 0; i < left; i++) {
      chunk |= (Memory.getByte(cell + i) & 0xffL) << (56 - 8 * i);
    }
    return chunk;
  }

  /** Orders the cells with equal chunks: those that end in the chunk by length, then the others. */
  private void splitEqual(ColumnVector cells, int from, int to, int offset) {
    int start = from;
    while (start < to) {
      long key = Memory.getLong(keys + 8L * start);
      int end = start + 1;
      while (end < to && Memory.getLong(keys + 8L * end) == key) {
        end++;
      }
      if (end - start > 1) {
        orderEqual(cells, start, end, offset);
      }
      start = end;
    }
  }

  private void orderEqual(ColumnVector cells, int from, int to, int offset) {
    boolean same = true;
    int first = lengthLeft(cells, ordinal(from), offset);
    for (int i = from; i < to; i++) {
      int left = lengthLeft(cells, ordinal(i), offset);
      same &= left == first;
      Memory.putLong(keys + 8L * i, left);
    }
    if (!same) {
      sort(from, to);
    }
    int longer = to;
    while (longer > from && Memory.getLong(keys + 8L * (longer - 1)) > CHUNK_BYTES) {
      longer--;
    }
    if (to - longer > 1) {
      push(longer, to, offset + CHUNK_BYTES);
    }
  }

  /** The cell's bytes from the offset on, counted to one more than a chunk. */
  private static int lengthLeft(ColumnVector cells, int row, int offset) {
    return Math.min(CHUNK_BYTES + 1, Math.max(0, cells.cellLength(row) - offset));
  }

  // -------------------------------------------------------------------------------- radix sort

  /** Sorts a range of the keys, and their ordinals, stably. */
  private void sort(int from, int to) {
    if (to - from <= FEW_ROWS) {
      insert(from, to);
      return;
    }
    long first = Memory.getLong(keys + 8L * from);
    long varying = 0;
    for (int i = from; i < to; i++) {
      varying |= Memory.getLong(keys + 8L * i) ^ first;
    }
    int shift = 0;
    while (varying >>> shift != 0) {
      shift += Long.numberOfTrailingZeros(varying >>> shift); // bits that all keys share
      int highest = 64 - Long.numberOfLeadingZeros(varying) - shift;
      int max = to - from < 1 << MAX_DIGIT_BITS ? 8 : MAX_DIGIT_BITS;
      int passes = (highest + max - 1) / max;
      int bits = (highest + passes - 1) / passes;
      sortByDigit(from, to, shift, bits);
      shift += bits;
      if (shift >= 64) {
        break;
      }
    }
  }

  private void sortByDigit(int from, int to, int shift, int bits) {
    int mask = (1 << bits) - 1;
    Arrays.fill(counts, 0, mask + 1, 0);
    for (int i = from; i < to; i++) {
      counts[(int) (Memory.getLong(keys + 8L * i) >>> shift) & mask]++;
    }
    int next = from;
    for (int digit = 0; digit <= mask; digit++) {
      int count = counts[digit];
      counts[digit] = next;
      next += count;
    }
    for (int i = from; i < to; i++) {
      long key = Memory.getLong(keys + 8L * i);
      int at = counts[(int) (key >>> shift) & mask]++;
      Memory.putLong(movedKeys + 8L * at, key);
      Memory.putInt(movedOrdinals + 4L * at, ordinal(i));
    }
    if (to - from == rowCount) {
      swap();
    } else {
      Memory.copy(movedKeys + 8L * from, keys + 8L * from, 8L * (to - from));
      Memory.copy(movedOrdinals + 4L * from, ordinals + 4L * from, 4L * (to - from));
    }
  }

  private void swap() {
    long otherKeys = keys;
    keys = movedKeys;
    movedKeys = otherKeys;
    long otherOrdinals = ordinals;
    ordinals = movedOrdinals;
    movedOrdinals = otherOrdinals;
  }

  private void insert(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long key = Memory.getLong(keys + 8L * i);
      int ordinal = ordinal(i);
      int at = i;
      while (at > from && Long.compareUnsigned(Memory.getLong(keys + 8L * (at - 1)), key) > 0) {
        Memory.putLong(keys + 8L * at, Memory.getLong(keys + 8L * (at - 1)));
        Memory.putInt(ordinals + 4L * at, ordinal(at - 1));
        at--;
      }
      Memory.putLong(keys + 8L * at, key);
      Memory.putInt(ordinals + 4L * at, ordinal);
    }
  }

  private void moveNullsFirst(ColumnVector cells) {
    if (!cells.isNullable()) {
      return;
    }
    int nulls = 0;
    int present = 0;
    for (int i = 0; i < rowCount; i++) {
      int ordinal = ordinal(i);
      if (cells.isNull(ordinal)) {
        Memory.putInt(movedOrdinals + 4L * nulls++, ordinal);
      } else {
        Memory.putInt(ordinals + 4L * present++, ordinal);
      }
    }
    if (nulls > 0) {
      Memory.copy(ordinals, movedOrdinals + 4L * nulls, 4L * present);
      long other = ordinals;
      ordinals = movedOrdinals;
      movedOrdinals = other;
    }
  }

  @Override
  public void close() {
    buffer.close();
  }
}
