package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import java.util.Arrays;

/**
 * Reads the packed numbers of a page: from lanes ({@link LanePacking}) if the page has many numbers
 * of at most 31 bits, else in row order ({@link BitPacking}). It copies words to the heap, where
 * loops are vectorized. Reads of a few rows allocate nothing. Not thread-safe.
 */
final class PackedReader {
  private static final int LANES = LanePacking.LANES;
  private static final int CHUNK_ROWS = LanePacking.CHUNK * LANES;

  /** A chunk is sparse if fewer than one in this many rows is selected. */
  private static final int SPARSE = 8;

  /** Reads of fewer rows go row by row, because a stripe is always read whole. */
  private static final int FEW_ROWS = 16;

  private static final int[] NO_INTS = {};
  private static final long[] NO_LONGS = {};

  private int[] numbers = NO_INTS; // this and the next arrays are empty until a stripe is read
  private int[] ones = NO_INTS;
  private int[] collected = NO_INTS;
  private long[] square = NO_LONGS;
  private int[] words = NO_INTS;
  private int[] next = NO_INTS;
  private int wordRow;
  private int nextWordRow;

  private long packed;
  private int bits;
  private int mask;
  private boolean lanes;

  /** The size of a page's packed numbers. */
  static long bytes(int rows, int bits) {
    return LanePacking.fits(rows, bits)
        ? LanePacking.packedBytes(rows, bits)
        : BitPacking.packedBytes(rows, bits);
  }

  /** Writes one number of a page into zeroed memory. */
  static void put(long packed, int rows, int bits, int row, long value) {
    if (LanePacking.fits(rows, bits)) {
      LanePacking.put(packed, bits, row, (int) value);
    } else {
      BitPacking.put(packed, bits, row, value);
    }
  }

  /** Opens a page; the caller has checked its length. */
  void open(long address, int rowCount, int width) {
    packed = address;
    bits = width;
    mask = (int) BitPacking.mask(Math.min(width, 31));
    lanes = LanePacking.fits(rowCount, width);
    wordRow = -1;
    nextWordRow = -1;
  }

  private void makeRoom() {
    if (numbers.length == 0) {
      numbers = new int[LANES];
      ones = new int[LANES];
      collected = new int[LANES];
      square = new long[LanePacking.CHUNK];
      words = new int[LANES];
      next = new int[LANES];
    }
  }

  int bits() {
    return bits;
  }

  long get(int row) {
    return lanes ? LanePacking.get(packed, bits, row) : BitPacking.get(packed, bits, row);
  }

  /** Unpacks numbers of at most 31 bits to {@code out[at..]}. */
  void unpack(int first, int count, int[] out, int at) {
    assert bits <= LanePacking.MAX_BITS;
    if (count < FEW_ROWS) {
      for (int i = 0; i < count; i++) {
        out[at + i] = (int) get(first + i);
      }
      return;
    }
    if (!lanes) {
      BitPacking.unpack(packed, bits, first, out, at, count);
      return;
    }
    int row = first;
    int to = at;
    while (row < first + count) {
      int skip = row & (LANES - 1);
      int take = Math.min(LANES - skip, first + count - row);
      System.arraycopy(stripe(row / LANES), skip, out, to, take);
      row += take;
      to += take;
    }
  }

  /**
   * The unpacked values of the rows {@code [256 * index, 256 * (index + 1))}; the values beyond the
   * last row are undefined. The reader reuses the array; the caller may modify it.
   */
  private int[] stripe(int index) {
    makeRoom();
    if (bits == 0) {
      Arrays.fill(numbers, 0);
      return numbers;
    }
    int bit = index * bits;
    int shift = bit & 31;
    loadWords(bit >>> 5);
    if (shift + bits <= 32) {
      LanePacking.unpack(words, numbers, shift, mask);
    } else {
      loadNext((bit >>> 5) + 1);
      LanePacking.unpack(words, next, numbers, shift, mask);
    }
    return numbers;
  }

  private void loadWords(int row) {
    if (row == wordRow) {
      return;
    }
    if (row == nextWordRow) {
      int[] swapped = words;
      words = next;
      next = swapped;
      nextWordRow = wordRow;
    } else {
      Memory.copy(packed + (long) row * LanePacking.WORD_ROW_BYTES, words, 0, LANES);
    }
    wordRow = row;
  }

  private void loadNext(int row) {
    if (row != nextWordRow) {
      Memory.copy(packed + (long) row * LanePacking.WORD_ROW_BYTES, next, 0, LANES);
      nextWordRow = row;
    }
  }

  /**
   * Clears the bits of rows whose number is outside {@code [low, high]}; bit i is row {@code first
   * + i}. The bounds fit into the width of the numbers; an empty range has {@code low > high}.
   */
  void retain(int first, int count, long low, long high, long[] wanted) {
    int done = 0;
    if (lanes && bits > 0 && (first & (LANES - 1)) == 0) {
      for (; done + CHUNK_ROWS <= count; done += CHUNK_ROWS) {
        if (isSparse(wanted, done >>> 6)) {
          retainSingly(first, low, high, wanted, done >>> 6, (done + CHUNK_ROWS) >>> 6);
        } else {
          retainChunk((first + done) / LANES, (int) low, (int) high, wanted, done >>> 6);
        }
      }
      for (; done + LANES <= count; done += LANES) {
        retainStripe((first + done) / LANES, (int) low, (int) high, wanted, done >>> 6);
      }
    }
    retainSingly(first, low, high, wanted, done >>> 6, (count + 63) >>> 6);
  }

  /** Whether few rows of a chunk are selected, so that testing them one by one is cheaper. */
  private static boolean isSparse(long[] wanted, int word) {
    int count = 0;
    for (int i = word; i < word + CHUNK_ROWS / 64; i++) {
      count += Long.bitCount(wanted[i]);
    }
    return count < CHUNK_ROWS / SPARSE;
  }

  /** Tests the selected rows of some words, one by one and without branches. */
  private void retainSingly(int first, long low, long high, long[] wanted, int from, int to) {
    for (int word = from; word < to; word++) {
      long kept = wanted[word];
      for (long left = kept; left != 0; left &= left - 1) {
        int bit = Long.numberOfTrailingZeros(left);
        long number = get(first + (word << 6) + bit);
        kept ^= ((number - low) | (high - number)) >>> 63 << bit;
      }
      wanted[word] = kept;
    }
  }

  private void retainChunk(int firstStripe, int low, int high, long[] wanted, int word) {
    makeRoom();
    Arrays.fill(collected, 0);
    boolean any = false;
    for (int i = 0; i < LanePacking.CHUNK; i++) {
      if (isWanted(wanted, word + 4 * i)) {
        any = true;
        collectStripe(firstStripe + i, low, high, i);
      }
    }
    if (any) {
      LanePacking.retainChunk(collected, square, wanted, word);
    }
  }

  private void collectStripe(int index, int low, int high, int place) {
    int bit = index * bits;
    int shift = bit & 31;
    loadWords(bit >>> 5);
    if (shift + bits <= 32) {
      LanePacking.collectInRange(words, collected, shift, mask, low, high, place);
    } else {
      loadNext((bit >>> 5) + 1);
      LanePacking.collectInRange(words, next, collected, shift, mask, low, high, place);
    }
  }

  private static boolean isWanted(long[] wanted, int word) {
    return (wanted[word] | wanted[word + 1] | wanted[word + 2] | wanted[word + 3]) != 0;
  }

  private void retainStripe(int index, int low, int high, long[] wanted, int word) {
    if (!isWanted(wanted, word)) {
      return;
    }
    makeRoom();
    int bit = index * bits;
    int shift = bit & 31;
    loadWords(bit >>> 5);
    if (shift + bits <= 32) {
      LanePacking.unpackInRange(words, ones, shift, mask, low, high);
    } else {
      loadNext((bit >>> 5) + 1);
      LanePacking.unpackInRange(words, next, ones, shift, mask, low, high);
    }
    LanePacking.retain(ones, wanted, word);
  }

  /** Passes numbers of at most 31 bits to the visitor. */
  void visit(int first, int count, PackedNumberVisitor to) {
    assert bits <= LanePacking.MAX_BITS;
    int end = first + count;
    int whole = lanes ? Math.min(end, (first + LANES - 1) & -LANES) : end;
    int rest = Math.max(whole, end & -LANES);
    visitSingly(first, whole, to);
    for (int row = whole; row < rest; row += LANES) {
      to.addStripe(stripe(row / LANES));
    }
    visitSingly(rest, end, to);
  }

  private void visitSingly(int from, int to, PackedNumberVisitor numbers) {
    for (int row = from; row < to; row++) {
      numbers.add((int) get(row));
    }
  }

  /** Clears the bits of rows whose code does not match. */
  void retain(int first, int count, MatchingCodes matching, long[] wanted) {
    for (int word = 0; word < (count + 63) >>> 6; word++) {
      for (long left = wanted[word]; left != 0; left &= left - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(left);
        if (!matching.matches((int) get(first + row))) {
          wanted[word] &= ~(1L << row);
        }
      }
    }
  }

  /** Unpacks numbers of any width to {@code out[at..]} and adds {@code base} to each. */
  void unpackLongs(int first, int count, long base, long[] out, int at) {
    if (count < FEW_ROWS) {
      for (int i = 0; i < count; i++) {
        out[at + i] = base + get(first + i);
      }
      return;
    }
    if (!lanes) {
      for (int i = 0; i < count; i++) {
        out[at + i] = base + BitPacking.get(packed, bits, first + i);
      }
      return;
    }
    int row = first;
    int to = at;
    while (row < first + count) {
      int skip = row & (LANES - 1);
      int take = Math.min(LANES - skip, first + count - row);
      int[] stripe = stripe(row / LANES);
      for (int i = 0; i < take; i++) {
        out[to + i] = base + stripe[skip + i];
      }
      row += take;
      to += take;
    }
  }

  /** Writes the numbers to {@code to} as 8-byte cells and adds {@code base} to each. */
  void readLongs(int first, int count, long base, long to) {
    if (count < FEW_ROWS) {
      for (int i = 0; i < count; i++) {
        Memory.putLong(to + 8L * i, base + get(first + i));
      }
      return;
    }
    if (!lanes) {
      BitPacking.unpackLongs(packed, bits, first, count, base, to);
      return;
    }
    int row = first;
    long at = to;
    while (row < first + count) {
      int skip = row & (LANES - 1);
      int take = Math.min(LANES - skip, first + count - row);
      int[] stripe = stripe(row / LANES);
      for (int i = 0; i < take; i++) {
        Memory.putLong(at + 8L * i, base + stripe[skip + i]);
      }
      row += take;
      at += 8L * take;
    }
  }

  /** Writes the numbers to {@code to} as 4-byte cells and adds {@code base} to each. */
  void readInts(int first, int count, int base, long to) {
    if (count < FEW_ROWS) {
      for (int i = 0; i < count; i++) {
        Memory.putInt(to + 4L * i, base + (int) get(first + i));
      }
      return;
    }
    if (!lanes) {
      BitPacking.unpackInts(packed, bits, first, count, base, to);
      return;
    }
    int row = first;
    long at = to;
    while (row < first + count) {
      int skip = row & (LANES - 1);
      int take = Math.min(LANES - skip, first + count - row);
      int[] stripe = stripe(row / LANES);
      LanePacking.add(stripe, base);
      Memory.copy(stripe, skip, at, take);
      row += take;
      at += 4L * take;
    }
  }

  /** Writes the numbers to {@code to} as 2-byte cells and adds {@code base} to each. */
  void readShorts(int first, int count, int base, long to) {
    if (count < FEW_ROWS) {
      for (int i = 0; i < count; i++) {
        Memory.putShort(to + 2L * i, (short) (base + get(first + i)));
      }
      return;
    }
    if (!lanes) {
      BitPacking.unpackShorts(packed, bits, first, count, base, to);
      return;
    }
    int row = first;
    long at = to;
    while (row < first + count) {
      int skip = row & (LANES - 1);
      int take = Math.min(LANES - skip, first + count - row);
      int[] stripe = stripe(row / LANES);
      for (int i = 0; i < take; i++) {
        Memory.putShort(at + 2L * i, (short) (base + stripe[skip + i]));
      }
      row += take;
      at += 2L * take;
    }
  }

  /** Writes the numbers to {@code to} as 1-byte cells and adds {@code base} to each. */
  void readBytes(int first, int count, int base, long to) {
    if (count < FEW_ROWS) {
      for (int i = 0; i < count; i++) {
        Memory.putByte(to + i, (byte) (base + get(first + i)));
      }
      return;
    }
    if (!lanes) {
      BitPacking.unpackBytes(packed, bits, first, count, base, to);
      return;
    }
    int row = first;
    long at = to;
    while (row < first + count) {
      int skip = row & (LANES - 1);
      int take = Math.min(LANES - skip, first + count - row);
      int[] stripe = stripe(row / LANES);
      for (int i = 0; i < take; i++) {
        Memory.putByte(at + i, (byte) (base + stripe[skip + i]));
      }
      row += take;
      at += take;
    }
  }
}
