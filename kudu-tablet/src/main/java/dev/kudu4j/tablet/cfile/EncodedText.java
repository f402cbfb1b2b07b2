package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import java.util.Arrays;

/**
 * A search string encoded with a page's {@link SymbolTable}, for comparison with the codes of rows.
 * Not thread-safe.
 */
final class EncodedText {
  private byte[] codes = new byte[64];
  private int codeBytes;
  private int textBytes;

  /**
   * Encodes the text greedily, longest symbol first, as {@link SymbolTable} does. Scans all symbols
   * for each code, which for a single string is cheaper than building an index.
   *
   * @param lengths symbol lengths by code; 0 for an unused code
   */
  void encode(byte[] text, long[] symbols, byte[] lengths) {
    textBytes = text.length;
    codes = codes.length < 2 * text.length ? new byte[2 * text.length] : codes;
    codeBytes = 0;
    int at = 0;
    while (at < text.length) {
      int left = Math.min(SymbolTable.MAX_SYMBOL_BYTES, text.length - at);
      int code = longest(word(text, at, left), left, symbols, lengths);
      codes[codeBytes++] = (byte) code;
      if (code == SymbolTable.ESCAPE) {
        codes[codeBytes++] = text[at++];
      } else {
        at += lengths[code];
      }
    }
  }

  private static long word(byte[] text, int at, int bytes) {
    long word = 0;
    for (int i = 0; i < bytes; i++) {
      word |= (text[at + i] & 0xffL) << (8 * i);
    }
    return word;
  }

  private static int longest(long word, int bytes, long[] symbols, byte[] lengths) {
    int longest = SymbolTable.ESCAPE;
    int length = 0;
    for (int code = 0; code < SymbolTable.MAX_SYMBOLS; code++) {
      if (lengths[code] > length
          && lengths[code] <= bytes
          && ((word ^ symbols[code]) & SymbolTable.mask(lengths[code])) == 0) {
        longest = code;
        length = lengths[code];
      }
    }
    return longest;
  }

  int textBytes() {
    return textBytes;
  }

  /**
   * Whether the codes at the address, which end at {@code end}, start with the codes of this text.
   */
  boolean isAt(long address, long end) {
    if (codeBytes > end - address) {
      return false;
    }
    for (int i = 0; i < codeBytes; i++) {
      if (Memory.getByte(address + i) != codes[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return Arrays.toString(Arrays.copyOf(codes, codeBytes));
  }
}
