package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Front-coded text: each cell without the prefix that it shares with the previous cell. It suits
 * cells that are sorted or nearly so. Every {@value #GROUP}th cell is stored whole, so reading one
 * cell decodes at most {@value #GROUP} cells.
 *
 * <pre>
 *   entry bytes i32 | text bytes i32
 *   per group: start of its entries i32 | text bytes of the groups before it i32
 *   entries, per row: shared bytes varint | further bytes varint | further bytes
 * </pre>
 *
 * <p>A varint has 7 bits per byte, low bits first; the top bit is set if more bytes follow. "Text
 * bytes" is the size of decoded cells.
 */
final class PrefixEncoding extends PageEncoding {
  static final int GROUP = 16;

  private static final int HEADER_BYTES = 8;
  private static final int GROUP_BYTES = 8;
  private static final int MAX_VARINT_BYTES = 5;

  @Override
  int number() {
    return 6;
  }

  @Override
  String name() {
    return "prefix";
  }

  @Override
  boolean fits(DataType type) {
    return type.isVariableLength();
  }

  private static int groups(int rows) {
    return (rows + GROUP - 1) / GROUP;
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    int rows = cells.rowCount();
    int start = out.bytes();
    int entriesStart = HEADER_BYTES + GROUP_BYTES * groups(rows);
    out.append(entriesStart);
    int textBytes = 0;
    for (int row = 0; row < rows; row++) {
      int shared = 0;
      if (row % GROUP == 0) {
        int group = start + HEADER_BYTES + GROUP_BYTES * (row / GROUP);
        Memory.putInt(out.address() + group, out.bytes() - start - entriesStart);
        Memory.putInt(out.address() + group + 4, textBytes);
      } else {
        shared = sharedBytes(cells, row);
      }
      int length = cells.cellLength(row);
      textBytes += length;
      appendEntry(cells.cellAddress(row), shared, length, out);
      if (out.bytes() - start > maxBytes) {
        return false;
      }
    }
    Memory.putInt(out.address() + start, out.bytes() - start - entriesStart);
    Memory.putInt(out.address() + start + 4, textBytes);
    return true;
  }

  /** The length of the prefix that a cell shares with the previous cell. */
  private static int sharedBytes(ColumnVector cells, int row) {
    long left = cells.cellAddress(row - 1);
    long right = cells.cellAddress(row);
    int max = Math.min(cells.cellLength(row - 1), cells.cellLength(row));
    int shared = 0;
    for (; shared + 8 <= max; shared += 8) {
      long difference = Memory.getLong(left + shared) ^ Memory.getLong(right + shared);
      if (difference != 0) {
        return shared + (Long.numberOfTrailingZeros(difference) >>> 3);
      }
    }
    while (shared < max && Memory.getByte(left + shared) == Memory.getByte(right + shared)) {
      shared++;
    }
    return shared;
  }

  private static void appendEntry(long cell, int shared, int length, PageBuilder out) {
    int before = out.bytes();
    int further = length - shared;
    long start = out.append(2 * MAX_VARINT_BYTES + further);
    long to = putVarint(putVarint(start, shared), further);
    Memory.copy(cell + shared, to, further);
    out.truncate(before + (int) (to + further - start));
  }

  private static long putVarint(long address, int value) {
    long to = address;
    int rest = value;
    while (rest > 0x7f) {
      Memory.putByte(to++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    Memory.putByte(to++, (byte) rest);
    return to;
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new Decoder();
  }

  /**
   * Walks entries from the start of a group. The shared prefix is copied from the previous cell.
   * The previous cell is in the output or, if its row precedes the first requested row, in {@link
   * #skipped}.
   */
  private static final class Decoder extends PageDecoder {
    private long groups;
    private long entries;
    private int groupCount;
    private int entryBytes;
    private int textBytes;

    private byte[] skipped = new byte[256];
    private int skippedLength;

    // The current entry: the address of its bytes and its two lengths.
    private long at;
    private int shared;
    private int further;

    @Override
    String details() {
      return "%d bytes of text in %d".formatted(textBytes, entryBytes);
    }

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      groupCount = groups(rows);
      long min = HEADER_BYTES + (long) GROUP_BYTES * groupCount;
      if (bytes < min) {
        return "prefix: expected at least %d bytes, found %d".formatted(min, bytes);
      }
      entryBytes = Memory.getInt(address);
      textBytes = Memory.getInt(address + 4);
      groups = address + HEADER_BYTES;
      entries = address + min;
      if (entryBytes != bytes - min) {
        return "prefix: expected %d bytes of entries, found %d".formatted(bytes - min, entryBytes);
      }
      // A cell consists of bytes of the entries of its group, and contains each of these bytes at
      // most once.
      return textBytes >= 0 && textBytes <= (long) GROUP * entryBytes
          ? null
          : "prefix: expected text that fits %d bytes of entries, found %d bytes of text"
              .formatted(entryBytes, textBytes);
    }

    private int entriesBefore(int group) {
      return group == groupCount ? entryBytes : Memory.getInt(groups + (long) GROUP_BYTES * group);
    }

    private int textBefore(int group) {
      return group == groupCount
          ? textBytes
          : Memory.getInt(groups + (long) GROUP_BYTES * group + 4);
    }

    @Override
    @Nullable String read(int first, int count, ColumnVector out) {
      int end = first + count;
      int text = textBefore(groups(end)) - textBefore(first / GROUP);
      if (text < 0 || text > textBytes) {
        return "prefix: expected text of at most %d bytes, found %d".formatted(textBytes, text);
      }
      out.reserve(count, text);
      int before = out.varlenBytes();
      long start = out.varlenAddress();
      long to = start + before;
      long limit = to + text;
      long offset = out.dataAddress() + 4L * (out.rowCount() + 1);
      int row = first - first % GROUP;
      boolean fromSkipped = row < first;
      long previous = to;
      for (; row < end; row++) {
        if (row % GROUP == 0) {
          String error = startGroup(row / GROUP);
          if (error != null) {
            return error;
          }
          skippedLength = 0;
          previous = to;
        }
        int max = fromSkipped ? skippedLength : (int) (to - previous);
        if (!readEntry(max)) {
          return "prefix: expected an entry that fits the page and the previous row, found a"
              + " malformed entry in row "
              + row;
        }
        if (row < first) {
          skip();
          continue;
        }
        if (shared + further > limit - to) {
          return "prefix: expected %d bytes of text, found more".formatted(text);
        }
        if (fromSkipped) {
          Memory.copy(skipped, 0, to, shared);
          fromSkipped = false;
        } else {
          copy(previous, to, shared);
        }
        Memory.copy(at - further, to + shared, further);
        previous = to;
        to += shared + further;
        Memory.putInt(offset, (int) (to - start));
        offset += 4;
      }
      out.advance(count, (int) (to - start) - before);
      return null;
    }

    private @Nullable String startGroup(int group) {
      int from = entriesBefore(group);
      at = entries + from;
      return from >= 0 && from <= entryBytes
          ? null
          : "prefix: expected entries up to %d, found %d".formatted(entryBytes, from);
    }

    /** Reads an entry and moves past it; returns false if the entry is malformed. */
    private boolean readEntry(int maxShared) {
      long end = entries + entryBytes;
      shared = varint(end);
      further = varint(end);
      boolean sound = shared >= 0 && shared <= maxShared && further >= 0 && further <= end - at;
      at += sound ? further : 0;
      return sound;
    }

    /** The varint at {@link #at}; -1 if it does not end before {@code end}. */
    private int varint(long end) {
      int value = 0;
      for (int shift = 0; shift < 35 && at < end; shift += 7) {
        int part = Memory.getByte(at++);
        value |= (part & 0x7f) << shift;
        if (part >= 0) {
          return value;
        }
      }
      return -1;
    }

    private void skip() {
      skippedLength = shared + further;
      if (skipped.length < skippedLength) {
        skipped = Arrays.copyOf(skipped, Math.max(skippedLength, 2 * skipped.length));
      }
      Memory.copy(at - further, skipped, shared, further);
    }

    private static void copy(long from, long to, int bytes) {
      int i = 0;
      for (; i + 8 <= bytes; i += 8) {
        Memory.putLong(to + i, Memory.getLong(from + i));
      }
      for (; i < bytes; i++) {
        Memory.putByte(to + i, Memory.getByte(from + i));
      }
    }
  }
}
