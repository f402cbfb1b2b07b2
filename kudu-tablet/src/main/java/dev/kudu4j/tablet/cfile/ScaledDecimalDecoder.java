package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Decodes pages of {@link ScaledDecimalEncoding}. */
final class ScaledDecimalDecoder extends PageDecoder {
  /** Rows per decoding step. The arrays of this size fit into the L1 cache. */
  private static final int STEP = 1024;

  /**
   * If the absolute value of the page's smallest number is at most this, every sum of the page's
   * numbers fits into 64 bits.
   */
  private static final long LARGEST_SUMMED = 1L << 44;

  private final PackedReader packed = new PackedReader();
  private final RangeSum rangeSum = new RangeSum();
  private int[] distances = {}; // grows to the longest read so far
  private double[] decoded = {};
  private int rows;
  private long smallest;
  private double power;
  private int exceptions;
  private long exceptionRows;
  private long exceptionCells;

  private @Nullable CellFilter rangeOf; // the filter of the cached distances
  private long firstDistance;
  private long lastDistance;
  private long[] keptExceptions = new long[1];

  @Override
  @Nullable String open(long address, int bytes, int rowCount) {
    int headerBytes = ScaledDecimalEncoding.HEADER_BYTES;
    if (bytes < headerBytes) {
      return "scaled decimal: expected at least %d bytes, found %d".formatted(headerBytes, bytes);
    }
    rows = rowCount;
    smallest = Memory.getLong(address);
    int bits = Memory.getInt(address + 8);
    int exponent = Memory.getInt(address + 12);
    exceptions = Memory.getInt(address + 16);
    if (bits < 0 || bits > BitPacking.MAX_BITS) {
      return "scaled decimal: expected 0 to %d bits, found %d".formatted(BitPacking.MAX_BITS, bits);
    }
    if (exponent < 0 || exponent > ScaledDecimalEncoding.MAX_DIGITS) {
      return "scaled decimal: expected 0 to %d digits, found %d"
          .formatted(ScaledDecimalEncoding.MAX_DIGITS, exponent);
    }
    if (exceptions < 0 || exceptions > rows || Memory.getInt(address + 20) != 0) {
      return "scaled decimal: expected 0 to %d exceptions, found %d".formatted(rows, exceptions);
    }
    long expected = ScaledDecimalEncoding.expectedBytes(rows, bits, exceptions);
    if (expected != bytes) {
      return "scaled decimal: expected %d bytes, found %d".formatted(expected, bytes);
    }
    rangeOf = null;
    power = ScaledDecimalEncoding.power(exponent);
    packed.open(address + headerBytes, rows, bits);
    exceptionRows = address + headerBytes + PackedReader.bytes(rows, bits);
    exceptionCells = exceptionRows + 4L * exceptions;
    return isKnownSound() ? null : checkExceptions();
  }

  private @Nullable String checkExceptions() {
    int last = -1;
    for (int i = 0; i < exceptions; i++) {
      int row = exceptionRow(i);
      if (row <= last || row >= rows) {
        return "scaled decimal: expected an exception after row %d, found row %d of %d"
            .formatted(last, row, rows);
      }
      last = row;
    }
    return null;
  }

  private int exceptionRow(int index) {
    return Memory.getInt(exceptionRows + 4L * index);
  }

  private double exceptionCell(int index) {
    return Memory.getDouble(exceptionCells + 8L * index);
  }

  /** The index of the first exception at or after a row. */
  private int exceptionFrom(int row) {
    int from = 0;
    int to = exceptions;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (exceptionRow(middle) < row) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  @Override
  @Nullable String read(int first, int count, ColumnVector out) {
    out.reserve(count, 0);
    for (int done = 0; done < count; done += STEP) {
      int step = Math.min(STEP, count - done);
      makeRoom(step);
      decode(first + done, step, decoded, 0);
      store(decoded, step, out.dataAddress() + 8L * out.rowCount());
      out.advance(step, 0);
    }
    return null;
  }

  private static void store(double[] numbers, int count, long to) {
    for (int i = 0; i < count; i++) {
      Memory.putLong(to + 8L * i, Double.doubleToRawLongBits(numbers[i]));
    }
  }

  private void makeRoom(int step) {
    if (decoded.length < step) {
      decoded = new double[step];
      distances = new int[step];
    }
  }

  /** Writes the doubles of at most {@link #STEP} rows to {@code out[at..]}. */
  private void decode(int first, int count, double[] out, int at) {
    if (packed.bits() <= LanePacking.MAX_BITS) {
      makeRoom(count);
      packed.unpack(first, count, distances, 0);
      convert(distances, count, smallest, out, at);
    } else {
      for (int i = 0; i < count; i++) {
        out[at + i] = smallest + packed.get(first + i);
      }
    }
    if (power != 1) {
      divide(out, at, count, power);
    }
    int last = first + count;
    for (int i = exceptionFrom(first); i < exceptions && exceptionRow(i) < last; i++) {
      out[at + exceptionRow(i) - first] = exceptionCell(i);
    }
  }

  private static void convert(int[] distances, int count, long smallest, double[] out, int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] = smallest + distances[i];
    }
  }

  private static void divide(double[] numbers, int from, int count, double by) {
    for (int i = from; i < from + count; i++) {
      numbers[i] /= by;
    }
  }

  @Override
  boolean readNumbers(int first, int count, NumberVector out) {
    for (int done = 0; done < count; done += STEP) {
      int step = Math.min(STEP, count - done);
      decode(first + done, step, out.doubles(), out.count());
      out.advance(step);
    }
    return true;
  }

  @Override
  boolean pickNumbers(int base, int[] picked, int from, int to, NumberVector out) {
    double[] numbers = out.doubles();
    int at = out.count() - from;
    int exception = exceptionFrom(base + picked[from]);
    for (int i = from; i < to; i++) {
      int row = base + picked[i];
      while (exception < exceptions && exceptionRow(exception) < row) {
        exception++;
      }
      boolean isException = exception < exceptions && exceptionRow(exception) == row;
      numbers[at + i] =
          isException ? exceptionCell(exception) : (smallest + packed.get(row)) / power;
    }
    out.advance(to - from);
    return true;
  }

  @Override
  boolean filter(int first, int count, CellFilter cellFilter, long[] wanted, ColumnVector scratch) {
    if (!cellFilter.isFloatingRange()) {
      return false;
    }
    findRangeOf(cellFilter);
    int from = exceptionFrom(first);
    int to = exceptionFrom(first + count);
    keepMatching(from, to, first, cellFilter, wanted);
    if (firstDistance > lastDistance) {
      Arrays.fill(wanted, 0, (count + 63) >>> 6, 0L);
    } else if (firstDistance > 0 || lastDistance < BitPacking.mask(packed.bits())) {
      packed.retain(first, count, firstDistance, lastDistance, wanted);
    }
    for (int i = from; i < to; i++) {
      int row = exceptionRow(i) - first;
      long kept = keptExceptions[(i - from) >>> 6] >>> (i - from) & 1;
      wanted[row >>> 6] = (wanted[row >>> 6] & ~(1L << row)) | kept << row;
    }
    return true;
  }

  @Override
  boolean sum(
      int first, int count, @Nullable CellFilter cellFilter, CellSum sum, ColumnVector scratch) {
    boolean range = cellFilter == null || cellFilter.isFloatingRange();
    if (!range || packed.bits() > LanePacking.MAX_BITS || Math.abs(smallest) > LARGEST_SUMMED) {
      return false;
    }
    if (cellFilter == null) {
      rangeSum.begin(0, (int) BitPacking.mask(packed.bits()));
    } else {
      findRangeOf(cellFilter);
      rangeSum.begin((int) firstDistance, (int) lastDistance);
    }
    packed.visit(first, count, rangeSum);
    rangeSum.finish();
    int to = exceptionFrom(first + count);
    for (int i = exceptionFrom(first); i < to; i++) {
      // An exception has a placeholder among the packed numbers.
      rangeSum.remove((int) packed.get(exceptionRow(i)));
      addIfMatching(exceptionCell(i), cellFilter, sum);
    }
    sum.addRows(rangeSum.count());
    sum.add((rangeSum.total() + smallest * rangeSum.count()) / power);
    return true;
  }

  private static void addIfMatching(double cell, @Nullable CellFilter cellFilter, CellSum sum) {
    if (cellFilter == null || (cell >= cellFilter.lowDouble() && cell <= cellFilter.highDouble())) {
      sum.addRows(1);
      sum.add(cell);
    }
  }

  /** Records which of the exceptions {@code [from, to)} are selected and match. */
  private void keepMatching(int from, int to, int first, CellFilter cellFilter, long[] wanted) {
    int words = (to - from + 63) >>> 6;
    if (keptExceptions.length < words) {
      keptExceptions = new long[words];
    }
    Arrays.fill(keptExceptions, 0, words, 0L);
    for (int i = from; i < to; i++) {
      int row = exceptionRow(i) - first;
      double cell = exceptionCell(i);
      boolean matches = cell >= cellFilter.lowDouble() && cell <= cellFilter.highDouble();
      if (matches && (wanted[row >>> 6] & 1L << row) != 0) {
        keptExceptions[(i - from) >>> 6] |= 1L << (i - from);
      }
    }
  }

  /**
   * Computes the range of the distances whose doubles are in the filter's range. Caches it for the
   * last filter.
   */
  private void findRangeOf(CellFilter cellFilter) {
    if (rangeOf == cellFilter) {
      return;
    }
    long max = BitPacking.mask(packed.bits());
    rangeOf = cellFilter;
    firstDistance = 0;
    lastDistance = -1;
    if (cellFilter.lowDouble() <= cellFilter.highDouble()) {
      firstDistance = firstAtLeast(cellFilter.lowDouble(), max);
      boolean unbounded = cellFilter.highDouble() == Double.POSITIVE_INFINITY;
      lastDistance = unbounded ? max : firstAtLeast(Math.nextUp(cellFilter.highDouble()), max) - 1;
    }
  }

  /** The first distance whose double is at least the bound; {@code max + 1} if there is none. */
  private long firstAtLeast(double bound, long max) {
    long from = 0;
    long to = max + 1;
    while (from < to) {
      long middle = (from + to) >>> 1;
      if ((smallest + middle) / power < bound) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
