package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Integers as bit-packed distances from the smallest value of the page.
 *
 * <pre>
 *   smallest i64 | bits i32 (0 to 56) | distances, {@link LanePacking} or {@link BitPacking}
 * </pre>
 *
 * <p>A range of cells is a range of distances, so range predicates are evaluated on the packed
 * numbers.
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

  /** The encoded size of {@code rows} cells that span {@code distance}. */
  static long encodedBytes(int rows, long distance) {
    int bits = BitPacking.bitsFor(distance);
    return bits > BitPacking.MAX_BITS
        ? Long.MAX_VALUE
        : HEADER_BYTES + PackedReader.bytes(rows, bits);
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
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
    if (encodedBytes(rows, largest - smallest) > maxBytes) {
      return false;
    }
    int bits = BitPacking.bitsFor(largest - smallest);
    Memory.putLong(out.append(8), smallest);
    out.appendInt(bits);
    long packed = out.appendZeros((int) PackedReader.bytes(rows, bits));
    for (int i = 0; i < rows; i++) {
      PackedReader.put(packed, rows, bits, i, Cells.get(type, from + (long) i * width) - smallest);
    }
    return true;
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new Decoder(type);
  }

  private static final class Decoder extends PageDecoder {
    private final int width;
    private final boolean unsigned;
    private final boolean numbers;
    private final PackedReader packed = new PackedReader();
    private final RangeSum rangeSum = new RangeSum();
    private long smallest;

    Decoder(DataType type) {
      this.width = type.width();
      this.unsigned = type == DataType.UINT64;
      this.numbers = type.isNumber();
    }

    @Override
    String details() {
      return "%d bits above %d".formatted(packed.bits(), smallest);
    }

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      if (bytes < HEADER_BYTES) {
        return "frame of reference: expected at least %d bytes, found %d"
            .formatted(HEADER_BYTES, bytes);
      }
      smallest = Memory.getLong(address);
      int bits = Memory.getInt(address + 8);
      if (bits < 0 || bits > Math.min(BitPacking.MAX_BITS, 8 * width)) {
        return "frame of reference: expected 0 to %d bits, found %d".formatted(8 * width, bits);
      }
      packed.open(address + HEADER_BYTES, rows, bits);
      long expected = HEADER_BYTES + PackedReader.bytes(rows, bits);
      return expected == bytes
          ? null
          : "frame of reference: expected %d bytes, found %d".formatted(expected, bytes);
    }

    @Override
    @Nullable String read(int first, int count, ColumnVector out) {
      out.reserve(count, 0);
      long to = out.dataAddress() + (long) out.rowCount() * width;
      switch (width) {
        case 1 -> packed.readBytes(first, count, (int) smallest, to);
        case 2 -> packed.readShorts(first, count, (int) smallest, to);
        case 4 -> packed.readInts(first, count, (int) smallest, to);
        default -> packed.readLongs(first, count, smallest, to);
      }
      out.advance(count, 0);
      return null;
    }

    @Override
    boolean filter(
        int first, int count, CellFilter cellFilter, long[] wanted, ColumnVector scratch) {
      if (!cellFilter.isIntegerRange()) {
        return false;
      }
      long maxDistance = BitPacking.mask(packed.bits());
      long low =
          compare(cellFilter.lowInteger(), smallest) <= 0 ? 0 : cellFilter.lowInteger() - smallest;
      long high = cellFilter.highInteger() - smallest;
      if (compare(cellFilter.highInteger(), smallest) < 0
          || Long.compareUnsigned(low, maxDistance) > 0) {
        Arrays.fill(wanted, 0, (count + 63) >>> 6, 0L);
        return true;
      }
      high = Long.compareUnsigned(high, maxDistance) > 0 ? maxDistance : high;
      if (low > 0 || high < maxDistance) {
        packed.retain(first, count, low, high, wanted);
      }
      return true;
    }

    @Override
    boolean sum(
        int first, int count, @Nullable CellFilter cellFilter, CellSum sum, ColumnVector scratch) {
      boolean range = cellFilter == null || cellFilter.isIntegerRange();
      if (!numbers || !range || packed.bits() > LanePacking.MAX_BITS) {
        return false;
      }
      long largest = smallest + BitPacking.mask(packed.bits());
      if (largest < smallest) {
        return false;
      }
      long low = cellFilter == null ? smallest : Math.max(smallest, cellFilter.lowInteger());
      long high = cellFilter == null ? largest : Math.min(largest, cellFilter.highInteger());
      if (low > high) {
        return true;
      }
      rangeSum.begin((int) (low - smallest), (int) (high - smallest));
      packed.visit(first, count, rangeSum);
      rangeSum.finish();
      sum.addRows(rangeSum.count());
      sum.add(rangeSum.total());
      sum.addProduct(smallest, rangeSum.count());
      return true;
    }

    private int compare(long left, long right) {
      return unsigned ? Long.compareUnsigned(left, right) : Long.compare(left, right);
    }

    @Override
    boolean readNumbers(int first, int count, NumberVector out) {
      if (!beginNumbers(out)) {
        return false;
      }
      if (out.kind() == NumberVector.Kind.INTS) {
        packed.unpack(first, count, out.ints(), out.count());
        raise(out.ints(), out.count(), count, (int) smallest);
      } else {
        packed.unpackLongs(first, count, smallest, out.longs(), out.count());
      }
      out.advance(count);
      return true;
    }

    @Override
    boolean pickNumbers(int base, int[] rows, int from, int to, NumberVector out) {
      if (!beginNumbers(out)) {
        return false;
      }
      int at = out.count() - from;
      if (out.kind() == NumberVector.Kind.INTS) {
        int[] ints = out.ints();
        for (int i = from; i < to; i++) {
          ints[at + i] = (int) (smallest + packed.get(base + rows[i]));
        }
      } else {
        long[] longs = out.longs();
        for (int i = from; i < to; i++) {
          longs[at + i] = smallest + packed.get(base + rows[i]);
        }
      }
      out.advance(to - from);
      return true;
    }

    /**
     * Prepares {@code out} for the page's numbers: extends its bounds, and widens it to longs if
     * they do not fit into ints. Returns false if the cells cannot be read as numbers.
     */
    private boolean beginNumbers(NumberVector out) {
      long largest = smallest + BitPacking.mask(packed.bits());
      if (!numbers || largest < smallest) {
        return false;
      }
      boolean fitInts =
          packed.bits() <= LanePacking.MAX_BITS
              && smallest >= Integer.MIN_VALUE
              && largest <= Integer.MAX_VALUE;
      if (!fitInts) {
        out.widen();
      }
      out.cover(smallest, largest);
      return true;
    }

    private static void raise(int[] numbers, int from, int count, int base) {
      if (base != 0) {
        for (int i = from; i < from + count; i++) {
          numbers[i] += base;
        }
      }
    }
  }
}
