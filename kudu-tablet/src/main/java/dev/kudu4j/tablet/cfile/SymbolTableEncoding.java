package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Text as codes of a {@link SymbolTable}, for cells that are mostly distinct but share substrings.
 * Each cell is encoded independently and can be read alone.
 *
 * <pre>
 *   symbol count i32 (0 to 255) | bits of a length i32 | code bytes i32
 *     | text bytes i32 | text bytes of the shortest row i32
 *   symbols: their lengths u8 | zeros to a multiple of 8 | their bytes, 8 each, padded with zeros
 *   per group of {@value #GROUP} rows: start of its codes i32
 *     | text bytes of the groups before it i32
 *   text bytes of each row minus those of the shortest row, {@link BitPacking}
 *   codes: of a symbol, or 255 and a literal byte | 8 zeros
 * </pre>
 *
 * <p>The start of a row's codes is not stored. A group is decoded as one text regardless of row
 * boundaries. A row in the middle of a group is found by skipping the codes of the rows before it.
 */
final class SymbolTableEncoding extends PageEncoding {
  static final int GROUP = 32;

  private static final int HEADER_BYTES = 20;
  private static final int GROUP_BYTES = 8;
  private static final int MAX_LENGTH_BITS = 30;

  @Override
  int number() {
    return 8;
  }

  @Override
  String name() {
    return "symbol table";
  }

  @Override
  boolean fits(DataType type) {
    return type.isVariableLength();
  }

  private static int groups(int rows) {
    return (rows + GROUP - 1) / GROUP;
  }

  private static int symbolsBytes(int count) {
    return ((count + 7) & ~7) + 8 * count;
  }

  /** The size of everything before the row lengths. */
  private static int fixedBytes(int rows, int symbols) {
    return HEADER_BYTES + symbolsBytes(symbols) + GROUP_BYTES * groups(rows);
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    return encode(cells, new SymbolTableTrainer().train(cells), out, maxBytes);
  }

  /** Like {@link PageEncoding#encode}, with a table that was trained on similar cells. */
  boolean encode(ColumnVector cells, SymbolTable table, PageBuilder out, long maxBytes) {
    int rows = cells.rowCount();
    int[] codesBefore = new int[groups(rows)];
    try (PageBuilder codes = out.scratch()) {
      encodeCells(cells, table, codes, codesBefore);
      int shortest = shortest(cells);
      int bits = BitPacking.bitsFor(longest(cells) - shortest);
      int lengthBytes = (int) BitPacking.packedBytes(rows, bits);
      int fixed = fixedBytes(rows, table.count());
      if ((long) fixed + lengthBytes + codes.bytes() + SymbolTable.SLACK_BYTES > maxBytes) {
        return false;
      }
      long header = out.appendZeros(fixed);
      Memory.putInt(header, table.count());
      Memory.putInt(header + 4, bits);
      Memory.putInt(header + 8, codes.bytes());
      Memory.putInt(header + 12, cells.varlenBytes());
      Memory.putInt(header + 16, shortest);
      putSymbols(table, header + HEADER_BYTES);
      putGroups(cells, codesBefore, header + HEADER_BYTES + symbolsBytes(table.count()));
      long packed = out.appendZeros(lengthBytes);
      for (int row = 0; row < rows; row++) {
        BitPacking.put(packed, bits, row, cells.cellLength(row) - shortest);
      }
      out.append(codes.address(), codes.bytes());
      out.appendZeros(SymbolTable.SLACK_BYTES);
      return true;
    }
  }

  private static int shortest(ColumnVector cells) {
    int shortest = Integer.MAX_VALUE;
    for (int row = 0; row < cells.rowCount(); row++) {
      shortest = Math.min(shortest, cells.cellLength(row));
    }
    return shortest;
  }

  private static int longest(ColumnVector cells) {
    int longest = 0;
    for (int row = 0; row < cells.rowCount(); row++) {
      longest = Math.max(longest, cells.cellLength(row));
    }
    return longest;
  }

  private static void encodeCells(
      ColumnVector cells, SymbolTable table, PageBuilder codes, int[] codesBefore) {
    long end = cells.varlenAddress() + cells.varlenBytes();
    codes.append(1); // allocates memory: even an empty result needs an address
    codes.truncate(0);
    for (int row = 0; row < cells.rowCount(); row++) {
      int bytes = cells.cellLength(row);
      int before = codes.bytes();
      if (row % GROUP == 0) {
        codesBefore[row / GROUP] = before;
      }
      long to = codes.append(2 * bytes);
      long codesEnd = table.encode(cells.cellAddress(row), bytes, end, to);
      codes.truncate(before + (int) (codesEnd - to));
    }
  }

  private static void putSymbols(SymbolTable table, long to) {
    long symbols = to + ((table.count() + 7) & ~7);
    for (int code = 0; code < table.count(); code++) {
      Memory.putByte(to + code, (byte) table.length(code));
      Memory.putLong(symbols + 8L * code, table.symbol(code));
    }
  }

  private static void putGroups(ColumnVector cells, int[] codesBefore, long to) {
    long text = cells.varlenAddress();
    for (int group = 0; group < codesBefore.length; group++) {
      Memory.putInt(to + (long) GROUP_BYTES * group, codesBefore[group]);
      int textBefore = (int) (cells.cellAddress(group * GROUP) - text);
      Memory.putInt(to + (long) GROUP_BYTES * group + 4, textBefore);
    }
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new Decoder();
  }

  private static final class Decoder extends PageDecoder {
    private final long[] symbols = new long[256];
    private final byte[] symbolLengths = new byte[256]; // 0 for unused codes
    private final EncodedText wanted = new EncodedText();
    private int symbolCount;
    private int bits;
    private int rows;
    private int codeBytes;
    private int textBytes;
    private int shortest;
    private long groups;
    private long lengths;
    private long codes;

    // The current group.
    private int codesStart;
    private int codesEnd;
    private int groupText;

    private byte @Nullable [] wantedText; // the text that `wanted` encodes

    @Override
    String details() {
      return "%d symbols, %d bytes of text in %d".formatted(symbolCount, textBytes, codeBytes);
    }

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      if (bytes < HEADER_BYTES) {
        return "symbol table: expected at least %d bytes, found %d".formatted(HEADER_BYTES, bytes);
      }
      int count = Memory.getInt(address);
      symbolCount = count;
      wantedText = null;
      bits = Memory.getInt(address + 4);
      codeBytes = Memory.getInt(address + 8);
      textBytes = Memory.getInt(address + 12);
      shortest = Memory.getInt(address + 16);
      this.rows = rows;
      if (count < 0 || count > SymbolTable.MAX_SYMBOLS || bits < 0 || bits > MAX_LENGTH_BITS) {
        return "symbol table: expected up to %d symbols and %d bits, found %d and %d"
            .formatted(SymbolTable.MAX_SYMBOLS, MAX_LENGTH_BITS, count, bits);
      }
      int fixed = fixedBytes(rows, count);
      long lengthBytes = BitPacking.packedBytes(rows, bits);
      long expected = fixed + lengthBytes + codeBytes + SymbolTable.SLACK_BYTES;
      if (codeBytes < 0 || expected != bytes) {
        return "symbol table: expected %d bytes, found %d".formatted(expected, bytes);
      }
      // These checks ensure that lengths fit into an int, so offsets never decrease.
      if (shortest < 0
          || shortest > 1 << MAX_LENGTH_BITS
          || textBytes < (long) shortest * rows
          || textBytes > (long) SymbolTable.MAX_SYMBOL_BYTES * codeBytes) {
        return "symbol table: expected text that fits %d bytes of codes, found %d bytes of text"
            .formatted(codeBytes, textBytes);
      }
      lengths = address + fixed;
      codes = lengths + lengthBytes;
      groups = lengths - (long) GROUP_BYTES * groups(rows);
      return openSymbols(address + HEADER_BYTES, count);
    }

    private @Nullable String openSymbols(long address, int count) {
      long at = address + ((count + 7) & ~7);
      boolean sound = true;
      for (int code = 0; code < count; code++) {
        int length = Memory.getByte(address + code);
        sound &= length >= 1 && length <= SymbolTable.MAX_SYMBOL_BYTES;
        symbolLengths[code] = (byte) length;
        symbols[code] = Memory.getLong(at + 8L * code);
      }
      Arrays.fill(symbolLengths, count, 256, (byte) 0);
      return sound
          ? null
          : "symbol table: expected symbols of 1 to 8 bytes, found a different length";
    }

    private int codesBefore(int group) {
      return group == groups(rows) ? codeBytes : Memory.getInt(groups + (long) GROUP_BYTES * group);
    }

    private int textBefore(int group) {
      return group == groups(rows)
          ? textBytes
          : Memory.getInt(groups + (long) GROUP_BYTES * group + 4);
    }

    @Override
    @Nullable String read(int first, int count, ColumnVector out) {
      int end = first + count;
      int text = textBefore(groups(end)) - textBefore(first / GROUP);
      if (text < 0 || text > textBytes) {
        return "symbol table: expected text up to %d bytes, found %d".formatted(textBytes, text);
      }
      out.reserve(count, text + SymbolTable.SLACK_BYTES);
      int done = first;
      while (done < end) {
        int stop = Math.min(end, done - done % GROUP + GROUP);
        String error = readGroup(done, stop, out);
        if (error != null) {
          return error;
        }
        done = stop;
      }
      return null;
    }

    /** Loads a group; returns null, or a description of the corruption. */
    private @Nullable String openGroup(int group) {
      codesStart = codesBefore(group);
      codesEnd = codesBefore(group + 1);
      groupText = textBefore(group + 1) - textBefore(group);
      if (codesStart < 0
          || codesEnd < codesStart
          || codesEnd > codeBytes
          || groupText < 0
          || groupText > textBytes) {
        return "symbol table: expected codes up to %d, found %d to %d for %d bytes of text"
            .formatted(codeBytes, codesStart, codesEnd, groupText);
      }
      return null;
    }

    private int textOf(int row) {
      return shortest + (int) BitPacking.get(lengths, bits, row);
    }

    /** The text bytes of the rows {@code [first, end)} of a group. */
    private long textOf(int first, int end) {
      long text = 0;
      for (int row = first; row < end; row++) {
        text += textOf(row);
      }
      return text;
    }

    /** Appends rows of one group. */
    private @Nullable String readGroup(int first, int end, ColumnVector out) {
      int group = first / GROUP;
      String error = openGroup(group);
      if (error != null) {
        return error;
      }
      long skipped = textOf(group * GROUP, first);
      long text = textOf(first, end);
      if (skipped + text > groupText) {
        return wrongText(skipped + text);
      }
      long from = skip(codes + codesStart, skipped);
      if (from < 0) {
        return wrongText(skipped);
      }
      out.reserve(end - first, text + SymbolTable.SLACK_BYTES);
      int before = out.varlenBytes();
      long to = out.varlenAddress() + before;
      if (decode(from, codes + codesEnd, to, to + text) != to + text) {
        return wrongText(text);
      }
      putOffsets(first, end, before, out.dataAddress() + 4L * (out.rowCount() + 1));
      out.advance(end - first, (int) text);
      return null;
    }

    private String wrongText(long text) {
      return "symbol table: expected codes for %d of the group's %d bytes of text, found others"
          .formatted(text, groupText);
    }

    private void putOffsets(int first, int end, int before, long to) {
      int offset = before;
      long at = to;
      for (int row = first; row < end; row++) {
        offset += textOf(row);
        Memory.putInt(at, offset);
        at += 4;
      }
    }

    /**
     * Skips the codes of {@code text} decoded bytes. Returns the address after them; -1 if the last
     * byte is inside a symbol.
     */
    private long skip(long from, long text) {
      long end = codes + codesEnd;
      long at = from;
      long left = text;
      while (left > 0 && at < end) {
        int code = Memory.getByte(at) & 0xff;
        boolean escaped = code == SymbolTable.ESCAPE;
        at += escaped ? 2 : 1;
        left -= escaped ? 1 : symbolLengths[code];
      }
      return left == 0 ? at : -1;
    }

    /**
     * Decodes text up to {@code stop}; may write up to {@link SymbolTable#SLACK_BYTES} beyond it.
     *
     * @param end the end of the codes; {@link SymbolTable#SLACK_BYTES} bytes beyond it are readable
     * @return the end of the text: {@code stop}, unless the codes do not match the text
     */
    private long decode(long from, long end, long to, long stop) {
      long[] symbols = this.symbols;
      byte[] symbolLengths = this.symbolLengths;
      long at = from;
      long out = to;
      while (out < stop && at < end) {
        // Four codes without an escape produce at most 32 bytes.
        while (out <= stop - 32 && at <= end - 4) {
          int four = Memory.getInt(at);
          if (hasEscape(four)) {
            break;
          }
          int code = four & 0xff;
          Memory.putLong(out, symbols[code]);
          out += symbolLengths[code];
          code = four >>> 8 & 0xff;
          Memory.putLong(out, symbols[code]);
          out += symbolLengths[code];
          code = four >>> 16 & 0xff;
          Memory.putLong(out, symbols[code]);
          out += symbolLengths[code];
          code = four >>> 24;
          Memory.putLong(out, symbols[code]);
          out += symbolLengths[code];
          at += 4;
        }
        for (int i = 0; i < 4 && out < stop && at < end; i++) {
          int code = Memory.getByte(at++) & 0xff;
          if (code != SymbolTable.ESCAPE) {
            Memory.putLong(out, symbols[code]);
            out += symbolLengths[code];
          } else {
            Memory.putByte(out++, Memory.getByte(at++));
          }
        }
      }
      return out;
    }

    /** Whether one of four bytes is 255, that is, whether a byte of the complement is 0. */
    private static boolean hasEscape(int four) {
      int opposite = ~four;
      return ((opposite - 0x01010101) & ~opposite & 0x80808080) != 0;
    }

    @Override
    boolean filter(int first, int count, CellFilter cellFilter, long[] mask, ColumnVector scratch) {
      byte[] text = cellFilter.onlyCell();
      if (text == null) {
        return false;
      }
      if (text != wantedText) {
        wanted.encode(text, symbols, symbolLengths);
        wantedText = text;
      }
      int done = first;
      while (done < first + count) {
        int stop = Math.min(first + count, done - done % GROUP + GROUP);
        if (!filterGroup(done, stop, first, mask)) {
          return false;
        }
        done = stop;
      }
      return true;
    }

    /**
     * Filters rows of one group, where bit 0 is row {@code base}. Compares lengths first, then the
     * codes of the rows that are as long as the searched text.
     *
     * @return false if the group is corrupt; {@link #read} reports the corruption
     */
    private boolean filterGroup(int first, int end, int base, long[] mask) {
      long text = 0;
      long at = -1; // the end of the codes of `walked` bytes of text
      long walked = 0;
      if (openGroup(first / GROUP) != null) {
        return false;
      }
      for (int row = first - first % GROUP; row < end; row++) {
        int length = textOf(row);
        int bit = row - base;
        if (row >= first && (mask[bit >>> 6] & 1L << bit) != 0) {
          boolean same = length == wanted.textBytes();
          if (same) {
            at = skip(at < 0 ? codes + codesStart : at, text - walked);
            walked = text;
            if (at < 0) {
              return false;
            }
            same = wanted.isAt(at, codes + codesEnd);
          }
          if (!same) {
            mask[bit >>> 6] &= ~(1L << bit);
          }
        }
        text += length;
      }
      return true;
    }
  }
}
