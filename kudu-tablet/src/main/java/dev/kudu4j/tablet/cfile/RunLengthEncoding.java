package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Runs of equal fixed-width cells.
 *
 * <pre>
 *   run count i32 | end row (exclusive) of each run i32, ascending | one cell per run
 * </pre>
 *
 * <p>The page stores the ends of runs instead of their lengths, so a read from the middle of a page
 * finds its run by binary search.
 */
final class RunLengthEncoding extends PageEncoding {
  @Override
  int number() {
    return 2;
  }

  @Override
  String name() {
    return "run length";
  }

  @Override
  boolean fits(DataType type) {
    return !type.isVariableLength();
  }

  static long encodedBytes(long runs, int width) {
    return 4 + runs * (4 + width);
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    int rows = cells.rowCount();
    int width = cells.type().width();
    long from = cells.dataAddress();
    int runs = runs(from, width, rows);
    if (encodedBytes(runs, width) > maxBytes) {
      return false;
    }
    out.appendInt(runs);
    long ends = out.append(runs * (4 + width));
    long values = ends + 4L * runs;
    int run = 0;
    for (int i = 0; i < rows; i++) {
      long cell = from + (long) i * width;
      if (i + 1 == rows || !Cells.equal(width, cell, cell + width)) {
        Memory.putInt(ends + 4L * run, i + 1);
        Memory.copy(cell, values + (long) run * width, width);
        run++;
      }
    }
    return true;
  }

  /** The number of runs. */
  static int runs(long cells, int width, int rows) {
    int runs = rows == 0 ? 0 : 1;
    for (long cell = cells; cell < cells + (long) (rows - 1) * width; cell += width) {
      runs += Cells.equal(width, cell, cell + width) ? 0 : 1;
    }
    return runs;
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new Decoder(type.width());
  }

  private static final class Decoder extends PageDecoder {
    private final int width;
    private final MatchingCodes matching = new MatchingCodes();
    private int runs;
    private long ends;
    private long values;

    Decoder(int width) {
      this.width = width;
    }

    @Override
    String details() {
      return runs + " runs";
    }

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      if (bytes < 4) {
        return "run length: expected at least 4 bytes, found %d".formatted(bytes);
      }
      runs = Memory.getInt(address);
      if (runs <= 0 || encodedBytes(runs, width) != bytes) {
        return "run length: expected %d runs, found %d".formatted((bytes - 4) / (4 + width), runs);
      }
      matching.clear();
      ends = address + 4;
      values = ends + 4L * runs;
      if (isKnownSound()) {
        return null;
      }
      int last = 0;
      boolean rising = true;
      for (int run = 0; run < runs; run++) {
        int end = Memory.getInt(ends + 4L * run);
        rising &= end > last;
        last = end;
      }
      return rising && last == rows
          ? null
          : "run length: expected ascending run ends up to %d, found an end at %d"
              .formatted(rows, last);
    }

    /** The run that contains the row. */
    private int runOf(int row) {
      int low = 0;
      int high = runs - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (Memory.getInt(ends + 4L * middle) > row) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }

    @Override
    @Nullable String read(int first, int count, ColumnVector out) {
      out.reserve(count, 0);
      long to = out.dataAddress() + (long) out.rowCount() * width;
      int row = first;
      int end = first + count;
      for (int run = runOf(first); row < end; run++) {
        int stop = Math.min(end, Memory.getInt(ends + 4L * run));
        to = fill(to, stop - row, values + (long) run * width);
        row = stop;
      }
      out.advance(count, 0);
      return null;
    }

    @Override
    boolean filter(
        int first, int count, CellFilter cellFilter, long[] wanted, ColumnVector scratch) {
      if (!matching.isOf(cellFilter)) {
        scratch.reserve(runs, 0);
        Memory.copy(values, scratch.dataAddress(), (long) runs * width);
        scratch.advance(runs, 0);
        matching.find(cellFilter, scratch);
      }
      int row = first;
      int end = first + count;
      for (int run = runOf(first); row < end; run++) {
        int stop = Math.min(end, Memory.getInt(ends + 4L * run));
        if (!matching.matches(run)) {
          clear(wanted, row - first, stop - first);
        }
        row = stop;
      }
      return true;
    }

    private static void clear(long[] bits, int from, int to) {
      int row = from;
      while (row < to) {
        int take = Math.min(64 - (row & 63), to - row);
        bits[row >>> 6] &= ~(-1L >>> (64 - take) << row);
        row += take;
      }
    }

    private long fill(long to, int count, long value) {
      long stop = to + (long) count * width;
      switch (width) {
        case 1 -> Memory.fill(to, count, Memory.getByte(value));
        case 2 -> {
          short cell = Memory.getShort(value);
          for (long at = to; at < stop; at += 2) {
            Memory.putShort(at, cell);
          }
        }
        case 4 -> {
          int cell = Memory.getInt(value);
          for (long at = to; at < stop; at += 4) {
            Memory.putInt(at, cell);
          }
        }
        case 8 -> {
          long cell = Memory.getLong(value);
          for (long at = to; at < stop; at += 8) {
            Memory.putLong(at, cell);
          }
        }
        default -> {
          long low = Memory.getLong(value);
          long high = Memory.getLong(value + 8);
          for (long at = to; at < stop; at += 16) {
            Memory.putLong(at, low);
            Memory.putLong(at + 8, high);
          }
        }
      }
      return stop;
    }
  }
}
