package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import java.util.Arrays;

/**
 * Up to {@value #MOST_SYMBOLS} strings of 1 to 8 bytes with a code of one byte each, in the manner
 * of FSST (Boncz, Neumann, Leis 2020). What no symbol covers is written as {@link #ESCAPE} and the
 * byte itself. Immutable.
 *
 * <p>Encoding is greedy, the longest symbol first, and so always the same: equal strings have equal
 * codes.
 */
final class SymbolTable {
  static final int MOST_SYMBOLS = 255;
  static final int MOST_SYMBOL_BYTES = 8;
  static final int ESCAPE = 255;

  /** Bytes that may be read, and written, behind the end of what is encoded or decoded. */
  static final int SLACK_BYTES = 8;

  private final int count;
  private final long[] symbols; // by code; first byte lowest
  private final byte[] lengths;

  // Encoding: candidates by their first two bytes, the longest first, then by their first byte.
  private final short[] chains; // by two bytes: where their candidates begin in `order`
  private final byte[] order; // codes of symbols of two and more bytes
  private final short[] single; // by byte: code, or -1

  /**
   * @param symbols distinct, first byte lowest, zeros above their length; taken
   */
  SymbolTable(long[] symbols, byte[] lengths, int count) {
    this.count = count;
    this.symbols = symbols;
    this.lengths = lengths;
    chains = new short[1 << 16];
    single = new short[256];
    Arrays.fill(single, (short) -1);
    Arrays.fill(chains, (short) -1);
    order = chain();
  }

  private byte[] chain() {
    Integer[] codes = new Integer[count];
    for (int code = 0; code < count; code++) {
      codes[code] = code;
      if (lengths[code] == 1) {
        single[(int) symbols[code] & 0xff] = (short) code;
      }
    }
    Arrays.sort(
        codes,
        (left, right) -> {
          int first = Integer.compare((int) symbols[left] & 0xffff, (int) symbols[right] & 0xffff);
          return first != 0 ? first : Integer.compare(lengths[right], lengths[left]);
        });
    byte[] sorted = new byte[count];
    int last = -1;
    int next = 0;
    for (int code : codes) {
      if (lengths[code] > 1) {
        int pair = (int) symbols[code] & 0xffff;
        if (pair != last) {
          chains[pair] = (short) next;
          last = pair;
        }
        sorted[next++] = (byte) code;
      }
    }
    return Arrays.copyOf(sorted, next);
  }

  int count() {
    return count;
  }

  long symbol(int code) {
    return symbols[code];
  }

  int length(int code) {
    return lengths[code];
  }

  static long mask(int bytes) {
    return bytes >= 8 ? -1L : (1L << (8 * bytes)) - 1;
  }

  /** The code of the longest symbol that begins the word's {@code bytes} low bytes; -1 for none. */
  int find(long word, int bytes) {
    if (bytes > 1) {
      int pair = (int) word & 0xffff;
      int at = chains[pair];
      if (at >= 0) {
        do {
          int code = order[at] & 0xff;
          int length = lengths[code];
          if (length <= bytes && ((word ^ symbols[code]) & mask(length)) == 0) {
            return code;
          }
          at++;
        } while (at < order.length && ((int) symbols[order[at] & 0xff] & 0xffff) == pair);
      }
    }
    return single[(int) word & 0xff];
  }

  /**
   * Encodes a string.
   *
   * @param end nothing is read from here on
   * @param to room for twice the bytes
   * @return where the codes end
   */
  long encode(long from, int bytes, long end, long to) {
    long at = from;
    long stop = from + bytes;
    long out = to;
    while (at < stop) {
      int left = (int) Math.min(8, stop - at);
      long word = load(at, left, end);
      int code = find(word, left);
      if (code >= 0) {
        Memory.putByte(out++, (byte) code);
        at += lengths[code];
      } else {
        Memory.putByte(out, (byte) ESCAPE);
        Memory.putByte(out + 1, (byte) word);
        out += 2;
        at++;
      }
    }
    return out;
  }

  /** The next {@code bytes} bytes, at most 8, first one lowest; others are anything. */
  static long load(long at, int bytes, long end) {
    if (at + 8 <= end) {
      return Memory.getLong(at);
    }
    long word = 0;
    for (int i = 0; i < bytes; i++) {
      word |= (Memory.getByte(at + i) & 0xffL) << (8 * i);
    }
    return word;
  }
}
