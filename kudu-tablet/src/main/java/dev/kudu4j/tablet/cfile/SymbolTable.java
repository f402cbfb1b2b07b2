package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Up to {@value #MAX_SYMBOLS} strings of 1 to 8 bytes with one-byte codes, as in FSST (Boncz,
 * Neumann, Leis 2020). A byte that no symbol covers is written as {@link #ESCAPE} followed by the
 * byte. Immutable.
 *
 * <p>Encoding is greedy, longest symbol first, and therefore deterministic: equal strings have
 * equal codes.
 */
final class SymbolTable {
  static final int MAX_SYMBOLS = 255;
  static final int MAX_SYMBOL_BYTES = 8;
  static final int ESCAPE = 255;

  /** Bytes that may be read or written beyond the end of the input or output. */
  static final int SLACK_BYTES = 8;

  /** The result of {@link #match} if no symbol matches. */
  static final int NONE = 0;

  private static final int BUCKET_BITS = 12;

  private final int count;
  private final long[] symbols; // by code; first byte lowest
  private final byte[] lengths;

  // Encoding. A match is a symbol's length * 256 + its code.
  private final char[] pairs =
      new char[1 << 16]; // by two bytes: the match of at most two bytes, or NONE
  private final char[] singles = new char[1 << 8]; // by one byte
  private final char[] buckets =
      new char[1 << BUCKET_BITS]; // by the hash of three bytes: first index * 256 + count
  private final long[] longSymbols; // of three bytes and more, by bucket, longest first
  private final long[] longMasks;
  private final char[] longMatches;

  /**
   * @param symbols distinct, first byte lowest, zeros above their length; takes ownership
   */
  SymbolTable(long[] symbols, byte[] lengths, int count) {
    this.count = count;
    this.symbols = symbols;
    this.lengths = lengths;
    indexShort();
    int[] order = longCodes();
    longSymbols = new long[order.length];
    longMasks = new long[order.length];
    longMatches = new char[order.length];
    indexLong(order);
  }

  private char matchOf(int code) {
    return (char) (lengths[code] << 8 | code);
  }

  private void indexShort() {
    for (int code = 0; code < count; code++) {
      if (lengths[code] == 1) {
        singles[(int) symbols[code]] = matchOf(code);
      }
    }
    for (int pair = 0; pair < pairs.length; pair++) {
      pairs[pair] = singles[pair & 0xff];
    }
    for (int code = 0; code < count; code++) {
      if (lengths[code] == 2) {
        pairs[(int) symbols[code]] = matchOf(code);
      }
    }
  }

  /** The codes of symbols of three or more bytes, by bucket and longest first. */
  private int[] longCodes() {
    return IntStream.range(0, count)
        .filter(code -> lengths[code] > 2)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(code -> bucket(symbols[code]))
                .thenComparingInt(code -> -lengths[code]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private void indexLong(int[] order) {
    for (int i = 0; i < order.length; i++) {
      int code = order[i];
      longSymbols[i] = symbols[code];
      longMasks[i] = mask(lengths[code]);
      longMatches[i] = matchOf(code);
      int bucket = bucket(symbols[code]);
      buckets[bucket] = (char) (buckets[bucket] == 0 ? i << 8 | 1 : buckets[bucket] + 1);
    }
  }

  private static int bucket(long word) {
    return (((int) word & 0xff_ffff) * 0x9e3779b1) >>> (32 - BUCKET_BITS);
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

  /**
   * The longest symbol that is a prefix of the {@code bytes} low bytes of the word: its length *
   * 256 + its code, or {@link #NONE}. {@code bytes} is at least 1.
   */
  int match(long word, int bytes) {
    int bucket = buckets[bucket(word)];
    int at = bucket >>> 8;
    for (int end = at + (bucket & 0xff); at < end; at++) {
      if (((word ^ longSymbols[at]) & longMasks[at]) == 0 && longMatches[at] >>> 8 <= bytes) {
        return longMatches[at];
      }
    }
    return bytes > 1 ? pairs[(int) word & 0xffff] : singles[(int) word & 0xff];
  }

  /**
   * Encodes a string.
   *
   * @param end nothing is read at or beyond this address
   * @param to has space for twice the input bytes
   * @return the end of the codes
   */
  long encode(long from, int bytes, long end, long to) {
    long at = from;
    long stop = from + bytes;
    long out = to;
    while (at < stop) {
      int left = (int) Math.min(8, stop - at);
      long word = load(at, left, end);
      int match = match(word, left);
      if (match != NONE) {
        Memory.putByte(out++, (byte) match);
        at += match >>> 8;
      } else {
        Memory.putByte(out, (byte) ESCAPE);
        Memory.putByte(out + 1, (byte) word);
        out += 2;
        at++;
      }
    }
    return out;
  }

  /** The next {@code bytes} bytes, at most 8, first byte lowest. Higher bytes are undefined. */
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
