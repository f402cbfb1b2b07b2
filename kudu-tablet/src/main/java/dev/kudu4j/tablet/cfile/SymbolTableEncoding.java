package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * Text as codes of a {@link SymbolTable}: for cells that are mostly distinct and have parts in
 * common. Each cell is encoded for itself and can be read alone.
 *
 * <pre>
 *   symbol count i32 (0 to 255) | bits of a length i32 | code bytes i32 | text bytes i32
 *   symbols: their lengths u8 | zeros to a multiple of 8 | their bytes, 8 each, zeros behind the last
 *   per group of {@value #GROUP} rows: where its codes begin i32 | text bytes of the groups before it i32
 *   bytes of codes of each row, {@link BitPacking}
 *   codes: a symbol's, or 255 and the byte itself | 8 zeros
 * </pre>
 */
final class SymbolTableEncoding extends PageEncoding {
  static final int GROUP = 32;

  private static final int HEADER_BYTES = 16;
  private static final int GROUP_BYTES = 8;
  private static final int MOST_LENGTH_BITS = 31;

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

  /** Bytes in front of the lengths. */
  private static int fixedBytes(int rows, int symbols) {
    return HEADER_BYTES + symbolsBytes(symbols) + GROUP_BYTES * groups(rows);
  }

  @Override
  boolean encode(ColumnVector cells, PageOutput out, long mostBytes) {
    return encode(cells, new SymbolTableTrainer().train(cells), out, mostBytes);
  }

  /** As {@link PageEncoding#encode}, with a table that was made for cells like these. */
  boolean encode(ColumnVector cells, SymbolTable table, PageOutput out, long mostBytes) {
    int rows = cells.rowCount();
    int[] lengths = new int[rows];
    try (PageOutput codes = out.scratch()) {
      int longest = encodeCells(cells, table, codes, lengths);
      int bits = BitPacking.bitsFor(longest);
      int lengthBytes = (int) BitPacking.packedBytes(rows, bits);
      int fixed = fixedBytes(rows, table.count());
      if ((long) fixed + lengthBytes + codes.bytes() + SymbolTable.SLACK_BYTES > mostBytes) {
        return false;
      }
      long header = out.appendZeros(fixed);
      Memory.putInt(header, table.count());
      Memory.putInt(header + 4, bits);
      Memory.putInt(header + 8, codes.bytes());
      Memory.putInt(header + 12, cells.varlenBytes());
      putSymbols(table, header + HEADER_BYTES);
      putGroups(cells, lengths, header + HEADER_BYTES + symbolsBytes(table.count()));
      long packed = out.appendZeros(lengthBytes);
      for (int row = 0; row < rows; row++) {
        BitPacking.put(packed, bits, row, lengths[row]);
      }
      out.append(codes.address(), codes.bytes());
      out.appendZeros(SymbolTable.SLACK_BYTES);
      return true;
    }
  }

  /** Returns the length of the longest row's codes. */
  private static int encodeCells(
      ColumnVector cells, SymbolTable table, PageOutput codes, int[] lengths) {
    long end = cells.varlenAddress() + cells.varlenBytes();
    int longest = 0;
    codes.append(1); // so that even nothing has an address
    codes.truncate(0);
    for (int row = 0; row < lengths.length; row++) {
      int bytes = cells.cellLength(row);
      int before = codes.bytes();
      long to = codes.append(2 * bytes);
      lengths[row] = (int) (table.encode(cells.cellAddress(row), bytes, end, to) - to);
      codes.truncate(before + lengths[row]);
      longest = Math.max(longest, lengths[row]);
    }
    return longest;
  }

  private static void putSymbols(SymbolTable table, long to) {
    long symbols = to + ((table.count() + 7) & ~7);
    for (int code = 0; code < table.count(); code++) {
      Memory.putByte(to + code, (byte) table.length(code));
      Memory.putLong(symbols + 8L * code, table.symbol(code));
    }
  }

  private static void putGroups(ColumnVector cells, int[] lengths, long to) {
    int codeBytes = 0;
    long text = cells.varlenAddress();
    for (int row = 0; row < lengths.length; row++) {
      if (row % GROUP == 0) {
        long group = to + GROUP_BYTES * (row / GROUP);
        Memory.putInt(group, codeBytes);
        Memory.putInt(group + 4, (int) (cells.cellAddress(row) - text));
      }
      codeBytes += lengths[row];
    }
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new Decoder();
  }

  private static final class Decoder extends PageDecoder {
    private final long[] symbols = new long[256];
    private final byte[] symbolLengths = new byte[256];
    private int bits;
    private int rows;
    private int codeBytes;
    private int textBytes;
    private long groups;
    private long lengths;
    private long codes;

    @Override
    String open(long address, int bytes, int rows) {
      if (bytes < HEADER_BYTES) {
        return "symbol table: expected at least %d bytes, found %d".formatted(HEADER_BYTES, bytes);
      }
      int count = Memory.getInt(address);
      bits = Memory.getInt(address + 4);
      codeBytes = Memory.getInt(address + 8);
      textBytes = Memory.getInt(address + 12);
      this.rows = rows;
      if (count < 0 || count > SymbolTable.MOST_SYMBOLS || bits < 0 || bits > MOST_LENGTH_BITS) {
        return "symbol table: expected up to %d symbols and %d bits, found %d and %d"
            .formatted(SymbolTable.MOST_SYMBOLS, MOST_LENGTH_BITS, count, bits);
      }
      int fixed = fixedBytes(rows, count);
      long lengthBytes = BitPacking.packedBytes(rows, bits);
      long expected = fixed + lengthBytes + codeBytes + SymbolTable.SLACK_BYTES;
      if (codeBytes < 0 || expected != bytes) {
        return "symbol table: expected %d bytes, found %d".formatted(expected, bytes);
      }
      if (textBytes < 0 || textBytes > (long) SymbolTable.MOST_SYMBOL_BYTES * codeBytes) {
        return "symbol table: expected text of %d bytes of codes, found %d"
            .formatted(codeBytes, textBytes);
      }
      lengths = address + fixed;
      codes = lengths + lengthBytes;
      groups = lengths - (long) GROUP_BYTES * groups(rows);
      return openSymbols(address + HEADER_BYTES, count);
    }

    private String openSymbols(long address, int count) {
      long at = address + ((count + 7) & ~7);
      boolean sound = true;
      for (int code = 0; code < count; code++) {
        int length = Memory.getByte(address + code);
        sound &= length >= 1 && length <= SymbolTable.MOST_SYMBOL_BYTES;
        symbolLengths[code] = (byte) length;
        symbols[code] = Memory.getLong(at + 8L * code);
      }
      for (int code = count; code < 256; code++) {
        symbolLengths[code] = 0;
      }
      return sound ? null : "symbol table: expected symbols of 1 to 8 bytes, found others";
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
    String read(int first, int count, ColumnVector out) {
      int end = first + count;
      int text = textBefore(groups(end)) - textBefore(first / GROUP);
      if (text < 0 || text > textBytes) {
        return "symbol table: expected text up to %d bytes, found %d".formatted(textBytes, text);
      }
      out.reserve(count, text + SymbolTable.SLACK_BYTES);
      int done = first;
      while (done < end) {
        int stop = Math.min(end, done - done % GROUP + GROUP);
        String wrong = readGroup(done, stop, out);
        if (wrong != null) {
          return wrong;
        }
        done = stop;
      }
      return null;
    }

    /** Appends rows of one group. */
    private String readGroup(int first, int end, ColumnVector out) {
      int group = first / GROUP;
      int from = codesBefore(group);
      int groupEnd = codesBefore(group + 1);
      int text = textBefore(group + 1) - textBefore(group);
      if (from < 0 || groupEnd < from || groupEnd > codeBytes || text < 0 || text > textBytes) {
        return "symbol table: expected codes up to %d, found %d to %d of %d bytes"
            .formatted(codeBytes, from, groupEnd, text);
      }
      for (int row = group * GROUP; row < first; row++) {
        from += (int) BitPacking.get(lengths, bits, row);
      }
      out.reserve(end - first, text + SymbolTable.SLACK_BYTES);
      long start = out.varlenAddress();
      long to = start + out.varlenBytes();
      long limit = to + text;
      long offset = out.dataAddress() + 4L * (out.rowCount() + 1);
      for (int row = first; row < end; row++) {
        int length = (int) BitPacking.get(lengths, bits, row);
        if (from < 0 || length > groupEnd - from) {
          return "symbol table: expected codes up to %d, found %d more at %d"
              .formatted(groupEnd, length, from);
        }
        to = decode(codes + from, length, to, limit);
        if (to < 0) {
          return "symbol table: expected %d bytes of text in a group, found more".formatted(text);
        }
        from += length;
        Memory.putInt(offset, (int) (to - start));
        offset += 4;
      }
      out.advance(end - first, (int) (to - start) - out.varlenBytes());
      return null;
    }

    /**
     * Decodes one row.
     *
     * @param limit where text may end; {@link SymbolTable#SLACK_BYTES} behind it may be written
     * @return where the text ends, or -1 when that is behind the limit
     */
    private long decode(long from, int length, long to, long limit) {
      long[] symbols = this.symbols;
      byte[] symbolLengths = this.symbolLengths;
      long at = from;
      long end = from + length;
      long out = to;
      while (at < end && out <= limit) {
        int code = Memory.getByte(at++) & 0xff;
        if (code != SymbolTable.ESCAPE) {
          Memory.putLong(out, symbols[code]);
          out += symbolLengths[code];
        } else {
          Memory.putByte(out++, Memory.getByte(at++));
        }
      }
      return out <= limit && at == end ? out : -1;
    }
  }
}
