package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Integers as the differences (steps) between neighbouring rows, for cells that are sorted or
 * nearly so, such as keys and times. A step is packed as its distance from the smallest step. Every
 * {@value #GROUP}th value is stored whole, as its distance from the smallest value, so reading one
 * cell adds fewer than {@value #GROUP} steps.
 *
 * <pre>
 *   smallest value i64 | smallest step i64 | bits of a whole value i32 | bits of a step i32
 *     (both bit counts 0 to 56)
 *   whole values, {@link BitPacking}: one per {@value #GROUP} rows
 *   steps, {@link BitPacking}: one per row; undefined for rows with a whole value
 * </pre>
 *
 * <p>All arithmetic wraps at 64 bits.
 */
final class DeltaEncoding extends PageEncoding {
  static final int GROUP = 64;

  private static final int HEADER_BYTES = 24;

  @Override
  int number() {
    return 7;
  }

  @Override
  String name() {
    return "delta";
  }

  @Override
  boolean fits(DataType type) {
    return Cells.areIntegers(type);
  }

  private static int groups(int rows) {
    return (rows + GROUP - 1) / GROUP;
  }

  private static long encodedBytes(int rows, int wholeBits, int stepBits) {
    return HEADER_BYTES
        + BitPacking.packedBytes(groups(rows), wholeBits)
        + BitPacking.packedBytes(rows, stepBits);
  }

  /**
   * The encoded size of cells with the profile; {@link Long#MAX_VALUE} if they cannot be encoded.
   */
  static long encodedBytes(IntegerProfile profile, int rows) {
    int wholeBits = BitPacking.bitsFor(profile.range());
    int stepBits = BitPacking.bitsFor(profile.stepRange());
    return Math.max(wholeBits, stepBits) > BitPacking.MAX_BITS
        ? Long.MAX_VALUE
        : encodedBytes(rows, wholeBits, stepBits);
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    DataType type = cells.type();
    int rows = cells.rowCount();
    int width = type.width();
    long from = cells.dataAddress();
    IntegerProfile profile = new IntegerProfile(type, from, rows);
    long bytes = encodedBytes(profile, rows);
    if (bytes > maxBytes || bytes == Long.MAX_VALUE) {
      return false;
    }
    long smallest = profile.smallest();
    long smallestStep = profile.smallestStep();
    int wholeBits = BitPacking.bitsFor(profile.range());
    int stepBits = BitPacking.bitsFor(profile.stepRange());
    long header = out.append(HEADER_BYTES);
    Memory.putLong(header, smallest);
    Memory.putLong(header + 8, smallestStep);
    Memory.putInt(header + 16, wholeBits);
    Memory.putInt(header + 20, stepBits);
    long wholes = out.appendZeros((int) BitPacking.packedBytes(groups(rows), wholeBits));
    for (int group = 0; group < groups(rows); group++) {
      long value = Cells.get(type, from + (long) group * GROUP * width);
      BitPacking.put(wholes, wholeBits, group, value - smallest);
    }
    long steps = out.appendZeros((int) BitPacking.packedBytes(rows, stepBits));
    long value = 0;
    for (int row = 0; row < rows; row++) {
      long next = Cells.get(type, from + (long) row * width);
      if (row % GROUP != 0) {
        BitPacking.put(steps, stepBits, row, next - value - smallestStep);
      }
      value = next;
    }
    return true;
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new Decoder(type.width());
  }

  private static final class Decoder extends PageDecoder {
    private final int width;
    private long smallestWhole;
    private long smallestStep;
    private int wholeBits;
    private int stepBits;
    private long wholes;
    private long steps;

    Decoder(int width) {
      this.width = width;
    }

    @Override
    String details() {
      return "steps of %d bits above %d".formatted(stepBits, smallestStep);
    }

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      if (bytes < HEADER_BYTES) {
        return "delta: expected at least %d bytes, found %d".formatted(HEADER_BYTES, bytes);
      }
      smallestWhole = Memory.getLong(address);
      smallestStep = Memory.getLong(address + 8);
      wholeBits = Memory.getInt(address + 16);
      stepBits = Memory.getInt(address + 20);
      if (!isWidth(wholeBits) || !isWidth(stepBits)) {
        return "delta: expected 0 to %d bits, found %d and %d"
            .formatted(BitPacking.MAX_BITS, wholeBits, stepBits);
      }
      wholes = address + HEADER_BYTES;
      steps = wholes + BitPacking.packedBytes(groups(rows), wholeBits);
      long expected = encodedBytes(rows, wholeBits, stepBits);
      return expected == bytes
          ? null
          : "delta: expected %d bytes, found %d".formatted(expected, bytes);
    }

    private static boolean isWidth(int bits) {
      return bits >= 0 && bits <= BitPacking.MAX_BITS;
    }

    @Override
    @Nullable String read(int first, int count, ColumnVector out) {
      out.reserve(count, 0);
      long to = out.dataAddress() + (long) out.rowCount() * width;
      int row = first;
      int end = first + count;
      while (row < end) {
        int stop = Math.min(end, row - row % GROUP + GROUP);
        long value = valueAt(row);
        switch (width) {
          case 1 -> bytes(steps, stepBits, smallestStep, row, stop, (byte) value, to);
          case 2 -> shorts(steps, stepBits, smallestStep, row, stop, (short) value, to);
          case 4 -> ints(steps, stepBits, (int) smallestStep, row, stop, (int) value, to);
          default -> longs(steps, stepBits, smallestStep, row, stop, value, to);
        }
        to += (long) (stop - row) * width;
        row = stop;
      }
      out.advance(count, 0);
      return null;
    }

    private long valueAt(int row) {
      int group = row / GROUP;
      long value = smallestWhole + BitPacking.get(wholes, wholeBits, group);
      for (int i = group * GROUP + 1; i <= row; i++) {
        value += smallestStep + BitPacking.get(steps, stepBits, i);
      }
      return value;
    }

    private static void longs(
        long steps, int bits, long smallest, int row, int stop, long first, long to) {
      long mask = BitPacking.mask(bits);
      long bit = (long) row * bits;
      long value = first;
      long at = to;
      Memory.putLong(at, value);
      for (int i = row + 1; i < stop; i++) {
        bit += bits;
        at += 8;
        value += smallest + (Memory.getLong(steps + (bit >>> 3)) >>> (bit & 7) & mask);
        Memory.putLong(at, value);
      }
    }

    private static void ints(
        long steps, int bits, int smallest, int row, int stop, int first, long to) {
      long mask = BitPacking.mask(bits);
      long bit = (long) row * bits;
      int value = first;
      long at = to;
      Memory.putInt(at, value);
      for (int i = row + 1; i < stop; i++) {
        bit += bits;
        at += 4;
        value += smallest + (int) (Memory.getLong(steps + (bit >>> 3)) >>> (bit & 7) & mask);
        Memory.putInt(at, value);
      }
    }

    private static void shorts(
        long steps, int bits, long smallest, int row, int stop, short first, long to) {
      long value = first;
      Memory.putShort(to, first);
      for (int i = row + 1; i < stop; i++) {
        value += smallest + BitPacking.get(steps, bits, i);
        Memory.putShort(to + 2L * (i - row), (short) value);
      }
    }

    private static void bytes(
        long steps, int bits, long smallest, int row, int stop, byte first, long to) {
      long value = first;
      Memory.putByte(to, first);
      for (int i = row + 1; i < stop; i++) {
        value += smallest + BitPacking.get(steps, bits, i);
        Memory.putByte(to + (i - row), (byte) value);
      }
    }
  }
}
