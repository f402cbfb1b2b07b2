package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;

/**
 * Builds a {@link SymbolTable} from a sample of a page's cells.
 *
 * <p>Training starts with an empty table. Each round encodes the sample with the current table and
 * counts symbols and pairs of adjacent symbols; a byte without a symbol counts as a symbol. The
 * symbols and the concatenated pairs are the candidates for the next table, which takes those that
 * cover the most bytes. Symbols at most double in length from round to round. Not thread-safe.
 */
final class SymbolTableTrainer {
  private static final int ROUNDS = 5;
  private static final int SAMPLE_BYTES = 24 << 10;
  private static final int MAX_SAMPLED_BYTES_OF_A_CELL = 512;

  /** The number of counters: one per code, and one per byte without a code (256 + byte). */
  private static final int KINDS = 512;

  private final int[] counts = new int[KINDS];
  private final int[] pairs = new int[KINDS * KINDS];
  private int[] seenPairs = new int[1 << 12]; // indexes of nonzero counts
  private int seenPairCount;
  private final Candidates candidates = new Candidates();

  /**
   * Trains a table for cells like the given ones. If the cells have no bytes, the table is empty.
   */
  SymbolTable train(ColumnVector cells) {
    SymbolTable table = new SymbolTable(new long[0], new byte[0], 0);
    for (int round = 0; round < ROUNDS; round++) {
      count(table, cells);
      gatherCandidates(table);
      table = candidates.best(SymbolTable.MAX_SYMBOLS);
      forgetCounts();
    }
    return table;
  }

  private void forgetCounts() {
    Arrays.fill(counts, 0);
    for (int i = 0; i < seenPairCount; i++) {
      pairs[seenPairs[i]] = 0;
    }
    seenPairCount = 0;
    candidates.clear();
  }

  /** Encodes cells spread over the page and counts symbols and pairs. */
  private void count(SymbolTable table, ColumnVector cells) {
    int rows = cells.rowCount();
    long end = cells.varlenAddress() + cells.varlenBytes();
    long step = Math.max(1, cells.varlenBytes() / SAMPLE_BYTES);
    int left = SAMPLE_BYTES;
    for (long row = 0; row < rows && left > 0; row += step) {
      int bytes = Math.min(cells.cellLength((int) row), MAX_SAMPLED_BYTES_OF_A_CELL);
      countCell(table, cells.cellAddress((int) row), bytes, end);
      left -= bytes;
    }
  }

  private void countCell(SymbolTable table, long from, int bytes, long end) {
    int before = -1;
    long at = from;
    long stop = from + bytes;
    while (at < stop) {
      int left = (int) Math.min(8, stop - at);
      long word = SymbolTable.load(at, left, end);
      int match = table.match(word, left);
      boolean none = match == SymbolTable.NONE;
      int kind = none ? 256 | ((int) word & 0xff) : match & 0xff;
      counts[kind]++;
      if (before >= 0) {
        countPair(before * KINDS + kind);
      }
      before = kind;
      at += none ? 1 : match >>> 8;
    }
  }

  private void countPair(int pair) {
    if (pairs[pair]++ == 0) {
      if (seenPairCount == seenPairs.length) {
        seenPairs = Arrays.copyOf(seenPairs, 2 * seenPairCount);
      }
      seenPairs[seenPairCount++] = pair;
    }
  }

  /** Computes how many bytes of the sample each candidate would cover. */
  private void gatherCandidates(SymbolTable table) {
    for (int kind = 0; kind < KINDS; kind++) {
      if (counts[kind] > 0) {
        int length = length(table, kind);
        candidates.add(bytes(table, kind), length, gain(counts[kind], length));
      }
    }
    for (int i = 0; i < seenPairCount; i++) {
      int pair = seenPairs[i];
      int first = length(table, pair / KINDS);
      if (pairs[pair] > 1 && first < SymbolTable.MAX_SYMBOL_BYTES) {
        int length = Math.min(SymbolTable.MAX_SYMBOL_BYTES, first + length(table, pair % KINDS));
        long glued = bytes(table, pair / KINDS) | bytes(table, pair % KINDS) << (8 * first);
        candidates.add(glued & SymbolTable.mask(length), length, gain(pairs[pair], length));
      }
    }
  }

  /** A byte without a symbol costs two bytes, so a symbol for it saves more than its length. */
  private static int gain(int count, int length) {
    return length == 1 ? 4 * count : count * length;
  }

  private static long bytes(SymbolTable table, int kind) {
    return kind >= 256 ? kind & 0xff : table.symbol(kind);
  }

  private static int length(SymbolTable table, int kind) {
    return kind >= 256 ? 1 : table.length(kind);
  }

  /** A hash table of strings of up to 8 bytes with their gains. */
  private static final class Candidates {
    private long[] strings = new long[1 << 12]; // first byte lowest
    private byte[] lengths = new byte[1 << 12]; // 0 for an empty slot
    private int[] gains = new int[1 << 12];
    private int count;

    void clear() {
      Arrays.fill(lengths, (byte) 0);
      count = 0;
    }

    void add(long bytes, int length, int gain) {
      if (2 * count >= lengths.length) {
        grow();
      }
      int at = slot(bytes, length);
      if (lengths[at] == 0) {
        strings[at] = bytes;
        lengths[at] = (byte) length;
        gains[at] = 0;
        count++;
      }
      gains[at] += gain;
    }

    private int slot(long bytes, int length) {
      long mixed = (bytes + length) * 0x9e3779b97f4a7c15L;
      int at = (int) (mixed >>> 32) & (lengths.length - 1);
      while (lengths[at] != 0 && (strings[at] != bytes || lengths[at] != length)) {
        at = (at + 1) & (lengths.length - 1);
      }
      return at;
    }

    private void grow() {
      long[] oldStrings = strings;
      byte[] oldLengths = lengths;
      int[] oldGains = gains;
      strings = new long[2 * oldLengths.length];
      lengths = new byte[2 * oldLengths.length];
      gains = new int[2 * oldLengths.length];
      count = 0;
      for (int i = 0; i < oldLengths.length; i++) {
        if (oldLengths[i] != 0) {
          add(oldStrings[i], oldLengths[i], oldGains[i]);
        }
      }
    }

    /** A table of the candidates with the highest gain. */
    SymbolTable best(int max) {
      long[] order = new long[count]; // gain in the high half, so that the array sorts by gain
      int next = 0;
      for (int at = 0; at < lengths.length; at++) {
        if (lengths[at] != 0) {
          order[next++] = (long) gains[at] << 32 | at;
        }
      }
      Arrays.sort(order);
      int size = Math.min(max, count);
      long[] symbols = new long[size];
      byte[] symbolLengths = new byte[size];
      for (int code = 0; code < size; code++) {
        int at = (int) order[count - 1 - code];
        symbols[code] = strings[at];
        symbolLengths[code] = lengths[at];
      }
      return new SymbolTable(symbols, symbolLengths, size);
    }
  }
}
