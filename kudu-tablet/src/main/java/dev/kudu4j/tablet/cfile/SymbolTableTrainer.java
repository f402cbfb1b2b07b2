package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds a {@link SymbolTable} for the cells of a page from a sample of them.
 *
 * <p>Starts from nothing. Each round encodes the sample with the table so far and counts its
 * symbols (a byte without one counts as one) and pairs of neighbours. Symbols, and pairs glued
 * together, are the candidates of the next table; those that cover the most bytes get in. Symbols
 * double in length at most from round to round. Not thread-safe.
 */
final class SymbolTableTrainer {
  private static final int ROUNDS = 5;
  private static final int SAMPLE_BYTES = 24 << 10;
  private static final int MOST_SAMPLED_BYTES_OF_A_CELL = 512;

  /** What a symbol is counted under: its code, or 256 and the byte when it has none. */
  private static final int KINDS = 512;

  private final int[] counts = new int[KINDS];
  private final int[] pairs = new int[KINDS * KINDS];

  /** A string of up to 8 bytes, first byte lowest. */
  private record Candidate(long bytes, int length) {}

  /** A table for cells like these, which are borrowed. Without bytes it is empty. */
  SymbolTable train(ColumnVector cells) {
    SymbolTable table = new SymbolTable(new long[0], new byte[0], 0);
    for (int round = 0; round < ROUNDS; round++) {
      Arrays.fill(counts, 0);
      Arrays.fill(pairs, 0);
      count(table, cells);
      table = best(candidates(table));
    }
    return table;
  }

  /** Encodes cells spread over the page, and counts. */
  private void count(SymbolTable table, ColumnVector cells) {
    int rows = cells.rowCount();
    long end = cells.varlenAddress() + cells.varlenBytes();
    long step = Math.max(1, cells.varlenBytes() / SAMPLE_BYTES);
    int left = SAMPLE_BYTES;
    for (long row = 0; row < rows && left > 0; row += step) {
      int bytes = Math.min(cells.cellLength((int) row), MOST_SAMPLED_BYTES_OF_A_CELL);
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
      int code = table.find(word, left);
      int kind = code >= 0 ? code : 256 | (int) word & 0xff;
      counts[kind]++;
      if (before >= 0) {
        pairs[before * KINDS + kind]++;
      }
      before = kind;
      at += code >= 0 ? table.length(code) : 1;
    }
  }

  /** How many bytes of the sample each candidate would cover. */
  private Map<Candidate, Integer> candidates(SymbolTable table) {
    Map<Candidate, Integer> gains = new HashMap<>();
    for (int kind = 0; kind < KINDS; kind++) {
      if (counts[kind] == 0) {
        continue;
      }
      Candidate first = candidate(table, kind);
      gains.merge(first, gain(counts[kind], first.length), Integer::sum);
      for (int next = 0; next < KINDS && first.length < 8; next++) {
        int count = pairs[kind * KINDS + next];
        if (count > 1) {
          Candidate glued = glue(first, candidate(table, next));
          gains.merge(glued, gain(count, glued.length), Integer::sum);
        }
      }
    }
    return gains;
  }

  /** A single byte without a symbol costs two: having it saves more than its length. */
  private static int gain(int count, int length) {
    return length == 1 ? 4 * count : count * length;
  }

  private static Candidate candidate(SymbolTable table, int kind) {
    return kind >= 256
        ? new Candidate(kind & 0xff, 1)
        : new Candidate(table.symbol(kind), table.length(kind));
  }

  private static Candidate glue(Candidate left, Candidate right) {
    int length = Math.min(SymbolTable.MOST_SYMBOL_BYTES, left.length + right.length);
    long bytes = left.bytes | right.bytes << (8 * left.length);
    return new Candidate(bytes & SymbolTable.mask(length), length);
  }

  private static SymbolTable best(Map<Candidate, Integer> gains) {
    List<Map.Entry<Candidate, Integer>> sorted = new ArrayList<>(gains.entrySet());
    sorted.sort(
        Map.Entry.<Candidate, Integer>comparingByValue(Comparator.reverseOrder())
            .thenComparing(entry -> entry.getKey().length)
            .thenComparing(entry -> entry.getKey().bytes));
    int count = Math.min(SymbolTable.MOST_SYMBOLS, sorted.size());
    long[] symbols = new long[count];
    byte[] lengths = new byte[count];
    for (int code = 0; code < count; code++) {
      Candidate chosen = sorted.get(code).getKey();
      symbols[code] = chosen.bytes;
      lengths[code] = (byte) chosen.length;
    }
    return new SymbolTable(symbols, lengths, count);
  }
}
