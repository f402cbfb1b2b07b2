package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * Copies the text entries of a page's dictionary, which are in the layout of {@link PlainEncoding},
 * into vectors. Most dictionaries have short entries, often of equal length (flags, dates, codes);
 * such entries are copied without branches on their lengths. Not thread-safe.
 */
final class TextDictionary {
  /**
   * Short entries are copied together with the bytes after them; this many bytes beyond the last
   * entry are readable.
   */
  static final int SLACK_BYTES = 16;

  /** The length up to which entries are copied without branches on their lengths. */
  private static final int SHORT_BYTES = 32;

  /**
   * Entry lengths are measured only if a read covers at least one row per this many entries, so a
   * point read does not measure them.
   */
  private static final int MEASURE_FACTOR = 8;

  private long offsets;
  private long text;
  private int entries;
  private boolean wideReads; // SHORT_BYTES beyond the last text are readable
  private boolean measured;
  private int shortest;
  private int longest;

  /**
   * Opens a page's entries.
   *
   * @param address the offsets, one more than entries, followed by the strings
   * @param readable bytes of the page after the last text, at least {@link #SLACK_BYTES}
   */
  void open(long address, int entries, long readable) {
    this.offsets = address;
    this.text = address + 4L * (entries + 1);
    this.entries = entries;
    this.wideReads = readable >= SHORT_BYTES;
    this.measured = false;
  }

  /** Appends the strings of the first {@code count} codes. */
  void append(int[] codes, int count, ColumnVector out) {
    if (!measured && entries <= (long) MEASURE_FACTOR * count) {
      measure();
    }
    if (measured && shortest == longest) {
      appendEqual(codes, count, out);
    } else if (measured && (longest <= SLACK_BYTES || (longest <= SHORT_BYTES && wideReads))) {
      appendShort(codes, count, out);
    } else {
      appendAny(codes, count, out);
    }
  }

  private void measure() {
    int shortest = Integer.MAX_VALUE;
    int longest = 0;
    for (int code = 0; code < entries; code++) {
      int length = length(Memory.getLong(offsets + 4L * code));
      shortest = Math.min(shortest, length);
      longest = Math.max(longest, length);
    }
    this.shortest = shortest;
    this.longest = longest;
    this.measured = true;
  }

  /** The length of the entry whose own offset and next offset are packed in the argument. */
  private static int length(long twoOffsets) {
    return (int) (twoOffsets >>> 32) - (int) twoOffsets;
  }

  private void appendEqual(int[] codes, int count, ColumnVector out) {
    int length = longest;
    long bytes = (long) length * count;
    out.reserve(count, bytes + SLACK_BYTES);
    int before = out.varlenBytes();
    long to = out.varlenAddress() + before;
    if (length == 1) {
      gatherBytes(text, codes, count, to);
    } else if (length <= 8) {
      gatherLongs(text, codes, count, length, to);
    } else if (length <= 16) {
      gatherPairs(text, codes, count, length, to);
    } else {
      for (int i = 0; i < count; i++) {
        Memory.copy(text + (long) length * codes[i], to + (long) length * i, length);
      }
    }
    putOffsets(out.dataAddress() + 4L * (out.rowCount() + 1), count, before, length);
    out.advance(count, (int) bytes);
  }

  private static void gatherBytes(long text, int[] codes, int count, long to) {
    for (int i = 0; i < count; i++) {
      Memory.putByte(to + i, Memory.getByte(text + codes[i]));
    }
  }

  private static void gatherLongs(long text, int[] codes, int count, int length, long to) {
    for (int i = 0; i < count; i++) {
      Memory.putLong(to + (long) length * i, Memory.getLong(text + (long) length * codes[i]));
    }
  }

  private static void gatherPairs(long text, int[] codes, int count, int length, long to) {
    for (int i = 0; i < count; i++) {
      copyPair(text + (long) length * codes[i], to + (long) length * i);
    }
  }

  private static void copyPair(long from, long to) {
    Memory.putLong(to, Memory.getLong(from));
    Memory.putLong(to + 8, Memory.getLong(from + 8));
  }

  private static void putOffsets(long to, int count, int before, int length) {
    for (int i = 0; i < count; i++) {
      Memory.putInt(to + 4L * i, before + length * (i + 1));
    }
  }

  /**
   * Copies 8, 16 or 32 bytes per entry, enough for the longest, and then overwrites the excess with
   * the next entry. Reserves space for the longest entry in each row.
   */
  private void appendShort(int[] codes, int count, ColumnVector out) {
    out.reserve(count, (long) longest * count + SHORT_BYTES);
    boolean narrow = longest <= 8;
    boolean wide = longest > SLACK_BYTES;
    long offsets = this.offsets;
    long text = this.text;
    long start = out.varlenAddress();
    long first = start + out.varlenBytes();
    long to = first;
    long ends = out.dataAddress() + 4L * (out.rowCount() + 1);
    for (int i = 0; i < count; i++) {
      long pair = Memory.getLong(offsets + 4L * codes[i]);
      long from = text + (int) pair;
      if (narrow) {
        Memory.putLong(to, Memory.getLong(from));
      } else {
        copyPair(from, to);
        if (wide) {
          copyPair(from + 16, to + 16);
        }
      }
      to += length(pair);
      Memory.putInt(ends + 4L * i, (int) (to - start));
    }
    out.advance(count, (int) (to - first));
  }

  private void appendAny(int[] codes, int count, ColumnVector out) {
    long bytes = textBytes(codes, count);
    out.reserve(count, bytes + SLACK_BYTES);
    long start = out.varlenAddress();
    long to = start + out.varlenBytes();
    long ends = out.dataAddress() + 4L * (out.rowCount() + 1);
    for (int i = 0; i < count; i++) {
      long pair = Memory.getLong(offsets + 4L * codes[i]);
      int length = length(pair);
      if (length <= SLACK_BYTES) {
        copyPair(text + (int) pair, to);
      } else {
        Memory.copy(text + (int) pair, to, length);
      }
      to += length;
      Memory.putInt(ends + 4L * i, (int) (to - start));
    }
    out.advance(count, (int) bytes);
  }

  private long textBytes(int[] codes, int count) {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += length(Memory.getLong(offsets + 4L * codes[i]));
    }
    return bytes;
  }
}
