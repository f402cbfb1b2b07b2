package dev.kudu4j.tablet.scan.block;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The selected rows of a block: a bitmap in which row i is bit i%64 of word i/64. It is allocated
 * once and reused for each block. Bits beyond the last row are clear.
 */
public final class SelectionBitmap {
  private final long[] words;
  private int rowCount;

  public SelectionBitmap(int maxRows) {
    this.words = new long[wordCount(maxRows)];
  }

  /** The number of words for the given number of rows. */
  public static int wordCount(int rows) {
    return (rows + 63) >>> 6;
  }

  public int rowCount() {
    return rowCount;
  }

  public long[] words() {
    return words;
  }

  /** Starts a block of the given size with all rows selected. */
  public void selectAll(int rows) {
    rowCount = rows;
    int full = rows >>> 6;
    Arrays.fill(words, 0, full, -1L);
    if ((rows & 63) != 0) {
      words[full++] = (1L << rows) - 1;
    }
    Arrays.fill(words, full, words.length, 0L);
  }

  /** Makes this a copy of another bitmap, whose maximum number of rows is the same. */
  public void copyFrom(SelectionBitmap other) {
    rowCount = other.rowCount;
    System.arraycopy(other.words, 0, words, 0, words.length);
  }

  /** Drops all rows; the row count stays. */
  public void clear() {
    Arrays.fill(words, 0, wordCount(rowCount), 0L);
  }

  public void clear(int row) {
    words[row >>> 6] &= ~(1L << row);
  }

  public boolean isSelected(int row) {
    return (words[row >>> 6] & 1L << row) != 0;
  }

  /** Drops the rows of {@code [from, to)}, except those whose bits are set in {@code kept}. */
  public void clearRange(int from, int to, long @Nullable [] kept) {
    for (int word = from >>> 6; word < wordCount(to); word++) {
      long mask = maskOf(word, from, to);
      words[word] &= ~mask | (kept == null ? 0L : kept[word]);
    }
  }

  /** Drops the rows whose bits are set in {@code dropped}. */
  public void clearAll(long[] dropped) {
    for (int word = 0; word < wordCount(rowCount); word++) {
      words[word] &= ~dropped[word];
    }
  }

  /** Adds the rows whose bits are set in {@code added}. */
  public void addAll(long[] added) {
    for (int word = 0; word < wordCount(rowCount); word++) {
      words[word] |= added[word];
    }
  }

  /** Writes the intersection of the given rows and the selected rows to {@code out}. */
  public void intersect(long[] rows, long[] out) {
    for (int word = 0; word < wordCount(rowCount); word++) {
      out[word] = words[word] & rows[word];
    }
  }

  /** Keeps, from row {@code 64 * firstWord} on, only rows whose bits are set in {@code mask}. */
  public void retain(long[] mask, int firstWord, int wordCount) {
    for (int i = 0; i < wordCount; i++) {
      words[firstWord + i] &= mask[i];
    }
  }

  /**
   * Keeps, within {@code [from, to)}, only rows whose bit is set in {@code mask}, where bit 0 is
   * row {@code from}.
   */
  public void retainRange(int from, int to, long[] mask) {
    int shift = from & 63;
    int last = wordCount(to - from) - 1;
    for (int word = from >>> 6; word < wordCount(to); word++) {
      int i = word - (from >>> 6);
      long kept = i <= last ? mask[i] << shift : 0;
      if (shift != 0 && i > 0) {
        kept |= mask[i - 1] >>> (64 - shift);
      }
      words[word] &= kept | ~maskOf(word, from, to);
    }
  }

  /** Keeps only the first {@code max} selected rows. */
  public void keepFirst(int max) {
    int left = max;
    for (int i = 0; i < wordCount(rowCount); i++) {
      int here = Long.bitCount(words[i]);
      while (here > left) {
        words[i] &= ~Long.highestOneBit(words[i]);
        here--;
      }
      left -= here;
    }
  }

  public boolean isEmpty() {
    for (int i = 0; i < wordCount(rowCount); i++) {
      if (words[i] != 0) {
        return false;
      }
    }
    return true;
  }

  public int count() {
    int count = 0;
    for (int i = 0; i < wordCount(rowCount); i++) {
      count += Long.bitCount(words[i]);
    }
    return count;
  }

  /** The number of selected rows in {@code [from, to)}. */
  public int count(int from, int to) {
    int count = 0;
    for (int word = from >>> 6; word < wordCount(to); word++) {
      count += Long.bitCount(words[word] & maskOf(word, from, to));
    }
    return count;
  }

  /** The first selected row at or after {@code row}, or -1. */
  public int next(int row) {
    if (row >= rowCount) {
      return -1;
    }
    int word = row >>> 6;
    long bits = words[word] & -1L << row;
    int end = wordCount(rowCount);
    while (bits == 0) {
      if (++word == end) {
        return -1;
      }
      bits = words[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** The last selected row before {@code row}, or -1. */
  public int previous(int row) {
    if (row <= 0) {
      return -1;
    }
    int word = (row - 1) >>> 6;
    long bits = words[word] & -1L >>> -row;
    while (bits == 0) {
      if (--word < 0) {
        return -1;
      }
      bits = words[word];
    }
    return (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
  }

  /** Writes the bits of {@code [from, to)} to {@code out}, starting at bit 0. */
  public void slice(int from, int to, long[] out) {
    int count = to - from;
    int first = from >>> 6;
    int shift = from & 63;
    for (int i = 0; i < wordCount(count); i++) {
      long low = words[first + i] >>> shift;
      boolean more = shift != 0 && first + i + 1 < words.length;
      out[i] = more ? low | words[first + i + 1] << (64 - shift) : low;
    }
    if ((count & 63) != 0) {
      out[count >>> 6] &= (1L << count) - 1;
    }
  }

  /** A mask of the word's bits that are in {@code [from, to)}. */
  private static long maskOf(int word, int from, int to) {
    int start = word << 6;
    long mask = from > start ? -1L << from : -1L;
    return to - start < 64 ? mask & ((1L << to) - 1) : mask;
  }
}
