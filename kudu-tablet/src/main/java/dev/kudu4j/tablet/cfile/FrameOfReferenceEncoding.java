package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * Integers as their distance from the smallest of the page, bit-packed in row order.
 *
 * <pre>
 *   smallest i64 | bits i32 (0 to 56) | distances, {@link BitPacking}
 * </pre>
 */
final class FrameOfReferenceEncoding extends PageEncoding {
  private static final int HEADER_BYTES = 12;

  @Override
  int number() {
    return 4;
  }

  @Override
  String name() {
    return "frame of reference";
  }

  @Override
  boolean fits(DataType type) {
    return Cells.areIntegers(type);
  }

  /** Bytes for so many rows whose cells are at most {@code distance} apart. */
  static long encodedBytes(int rows, long distance) {
    int bits = BitPacking.bitsFor(distance);
    return bits > BitPacking.MOST_BITS
        ? Long.MAX_VALUE
        : HEADER_BYTES + BitPacking.packedBytes(rows, bits);
  }

  @Override
  boolean encode(ColumnVector cells, PageOutput out, long mostBytes) {
    DataType type = cells.type();
    int rows = cells.rowCount();
    int width = type.width();
    long from = cells.dataAddress();
    long smallest = Cells.get(type, from);
    long largest = smallest;
    boolean unsigned = type == DataType.UINT64;
    long flip = unsigned ? Long.MIN_VALUE : 0;
    for (int i = 1; i < rows; i++) {
      long value = Cells.get(type, from + (long) i * width);
      smallest = (value ^ flip) < (smallest ^ flip) ? value : smallest;
      largest = (value ^ flip) > (largest ^ flip) ? value : largest;
    }
    if (encodedBytes(rows, largest - smallest) > mostBytes) {
      return false;
    }
    int bits = BitPacking.bitsFor(largest - smallest);
    Memory.putLong(out.append(8), smallest);
    out.appendInt(bits);
    long packed = out.appendZeros((int) BitPacking.packedBytes(rows, bits));
    for (int i = 0; i < rows; i++) {
      BitPacking.put(packed, bits, i, Cells.get(type, from + (long) i * width) - smallest);
    }
    return true;
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new Decoder(type.width());
  }

  private static final class Decoder extends PageDecoder {
    private final int width;
    private long smallest;
    private int bits;
    private long packed;

    Decoder(int width) {
      this.width = width;
    }

    @Override
    String open(long address, int bytes, int rows) {
      if (bytes < HEADER_BYTES) {
        return "frame of reference: expected at least %d bytes, found %d"
            .formatted(HEADER_BYTES, bytes);
      }
      smallest = Memory.getLong(address);
      bits = Memory.getInt(address + 8);
      packed = address + HEADER_BYTES;
      if (bits < 0 || bits > Math.min(BitPacking.MOST_BITS, 8 * width)) {
        return "frame of reference: expected 0 to %d bits, found %d".formatted(8 * width, bits);
      }
      long expected = HEADER_BYTES + BitPacking.packedBytes(rows, bits);
      return expected == bytes
          ? null
          : "frame of reference: expected %d bytes, found %d".formatted(expected, bytes);
    }

    @Override
    String read(int first, int count, ColumnVector out) {
      out.reserve(count, 0);
      long to = out.dataAddress() + (long) out.rowCount() * width;
      switch (width) {
        case 1 -> BitPacking.unpackBytes(packed, bits, first, count, (int) smallest, to);
        case 2 -> BitPacking.unpackShorts(packed, bits, first, count, (int) smallest, to);
        case 4 -> BitPacking.unpackInts(packed, bits, first, count, (int) smallest, to);
        default -> BitPacking.unpackLongs(packed, bits, first, count, smallest, to);
      }
      out.advance(count, 0);
      return null;
    }
  }
}
