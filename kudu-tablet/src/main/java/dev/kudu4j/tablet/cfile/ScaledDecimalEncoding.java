package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;

/**
 * Doubles that are decimals of few digits, such as amounts of money. A double v is stored as an
 * integer n with v = n / 10^exponent; the integers are encoded as in {@link
 * FrameOfReferenceEncoding}. The scheme follows ALP (Afroozeh, Kuffó, Boncz 2023) but divides
 * instead of multiplying; division is exact for every decimal of up to 15 digits.
 *
 * <pre>
 *   smallest i64 | bits i32 (0 to 56) | exponent i32 (0 to 15) | exception count i32 | 0 i32
 *   distances, {@link LanePacking} or {@link BitPacking}
 *   rows of exceptions i32, ascending | their cells
 * </pre>
 *
 * <p>Any other value, including NaN, the infinities and -0.0, is stored as an exception; its
 * distance is 0, as a placeholder. A larger n never stands for a smaller double, so a range of
 * cells is a range of distances.
 */
final class ScaledDecimalEncoding extends PageEncoding {
  static final int HEADER_BYTES = 24;
  static final int MAX_DIGITS = 15;
  private static final int EXCEPTION_BYTES = 12;
  private static final int SAMPLED_ROWS = 128;
  private static final long MAX_INTEGER = 1L << 53;
  private static final double[] POWERS = new double[MAX_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  @Override
  int number() {
    return 9;
  }

  @Override
  String name() {
    return "scaled decimal";
  }

  @Override
  boolean fits(DataType type) {
    return type == DataType.DOUBLE;
  }

  static double power(int exponent) {
    return POWERS[exponent];
  }

  /** Whether {@code scaled / power} equals {@code value} bit by bit. */
  private static boolean isScaled(double value, double scaled, double power) {
    return Math.abs(scaled) <= MAX_INTEGER
        && Double.doubleToRawLongBits(scaled / power) == Double.doubleToRawLongBits(value);
  }

  private static double scaled(double value, double power) {
    return Math.rint(value * power) + 0.0; // turns -0.0 into +0.0
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    int rows = cells.rowCount();
    long from = cells.dataAddress();
    int exponent = exponent(from, rows);
    if (exponent < 0) {
      return false;
    }
    double power = POWERS[exponent];
    long[] numbers = new long[rows];
    int[] exceptions = new int[16];
    int exceptionCount = 0;
    long smallest = Long.MAX_VALUE;
    long largest = Long.MIN_VALUE;
    for (int row = 0; row < rows; row++) {
      double value = Memory.getDouble(from + 8L * row);
      double scaled = scaled(value, power);
      if (isScaled(value, scaled, power)) {
        numbers[row] = (long) scaled;
        smallest = Math.min(smallest, numbers[row]);
        largest = Math.max(largest, numbers[row]);
      } else {
        if (exceptionCount == exceptions.length) {
          exceptions = Arrays.copyOf(exceptions, 2 * exceptionCount);
        }
        exceptions[exceptionCount++] = row;
      }
    }
    if (exceptionCount == rows) {
      return false;
    }
    int bits = BitPacking.bitsFor(largest - smallest);
    long packedBytes = PackedReader.bytes(rows, bits);
    if (HEADER_BYTES + packedBytes + (long) EXCEPTION_BYTES * exceptionCount > maxBytes) {
      return false;
    }
    long header = out.appendZeros(HEADER_BYTES);
    Memory.putLong(header, smallest);
    Memory.putInt(header + 8, bits);
    Memory.putInt(header + 12, exponent);
    Memory.putInt(header + 16, exceptionCount);
    for (int i = 0; i < exceptionCount; i++) {
      numbers[exceptions[i]] = smallest;
    }
    long packed = out.appendZeros((int) packedBytes);
    for (int row = 0; row < rows; row++) {
      PackedReader.put(packed, rows, bits, row, numbers[row] - smallest);
    }
    appendExceptions(cells, exceptions, exceptionCount, out);
    return true;
  }

  private static void appendExceptions(
      ColumnVector cells, int[] exceptions, int count, PageBuilder out) {
    for (int i = 0; i < count; i++) {
      out.appendInt(exceptions[i]);
    }
    for (int i = 0; i < count; i++) {
      out.append(cells.dataAddress() + 8L * exceptions[i], 8);
    }
  }

  /** The exponent that fits most cells of a sample; -1 if every exponent fits too few of them. */
  private static int exponent(long from, int rows) {
    int sampled = Math.min(rows, SAMPLED_ROWS);
    int best = -1;
    int fewest = sampled / 8 + 1; // more exceptions do not pay off
    for (int exponent = 0; exponent <= MAX_DIGITS && fewest > 0; exponent++) {
      double power = POWERS[exponent];
      int misses = 0;
      for (int i = 0; i < sampled && misses < fewest; i++) {
        double value = Memory.getDouble(from + 8 * ((long) i * rows / sampled));
        misses += isScaled(value, scaled(value, power), power) ? 0 : 1;
      }
      if (misses < fewest) {
        fewest = misses;
        best = exponent;
      }
    }
    return best;
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new ScaledDecimalDecoder();
  }

  static long expectedBytes(int rows, int bits, int exceptions) {
    return HEADER_BYTES + PackedReader.bytes(rows, bits) + (long) EXCEPTION_BYTES * exceptions;
  }
}
