package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Fixed-width cells as bit planes: the lowest bit of every cell first, then the second bit, and so
 * on. A general-purpose compressor then finds long runs. The result is small, but decoding costs
 * more than LZ4 decompression, so this encoding is used only if the column's schema requests it.
 *
 * <pre>
 *   plane 0: bit 0 of byte 0 of each row, (rows + 7) / 8 bytes
 *     | plane 1: bit 1 of byte 0 | ... | plane 8 * width - 1
 * </pre>
 */
final class BitShuffleEncoding extends PageEncoding {
  @Override
  int number() {
    return 5;
  }

  @Override
  String name() {
    return "bit shuffle";
  }

  @Override
  boolean fits(DataType type) {
    return !type.isVariableLength();
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    int rows = cells.rowCount();
    int width = cells.type().width();
    int planeBytes = (rows + 7) >>> 3;
    long from = cells.dataAddress();
    long planes = out.append(8 * width * planeBytes);
    for (int group = 0; group < planeBytes; group++) {
      int inGroup = Math.min(8, rows - 8 * group);
      for (int b = 0; b < width; b++) {
        long square = 0;
        for (int i = 0; i < inGroup; i++) {
          long cell = from + (8L * group + i) * width;
          square |= (Memory.getByte(cell + b) & 0xffL) << (8 * i);
        }
        square = transpose(square);
        for (int bit = 0; bit < 8; bit++) {
          long plane = planes + (8L * b + bit) * planeBytes;
          Memory.putByte(plane + group, (byte) (square >>> (8 * bit)));
        }
      }
    }
    return true;
  }

  /** Transposes an 8 by 8 bit matrix: bit c of byte r becomes bit r of byte c. */
  static long transpose(long square) {
    long x = square;
    long t = (x ^ (x >>> 7)) & 0x00aa00aa00aa00aaL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >>> 14)) & 0x0000cccc0000ccccL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >>> 28)) & 0x00000000f0f0f0f0L;
    return x ^ t ^ (t << 28);
  }

  @Override
  PageDecoder decoder(DataType type) {
    return new Decoder(type.width());
  }

  /** Decodes a range of the page in whole groups of 8 rows. */
  private static final class Decoder extends PageDecoder {
    private final int width;
    private final byte[] group = new byte[128];
    private long planes;
    private int planeBytes;

    Decoder(int width) {
      this.width = width;
    }

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      planes = address;
      planeBytes = (rows + 7) >>> 3;
      long expected = 8L * width * planeBytes;
      return expected == bytes
          ? null
          : "bit shuffle: expected %d bytes, found %d".formatted(expected, bytes);
    }

    @Override
    @Nullable String read(int first, int count, ColumnVector out) {
      out.reserve(count, 0);
      long to = out.dataAddress() + (long) out.rowCount() * width;
      int row = first;
      int end = first + count;
      while (row < end) {
        int skip = row & 7;
        int take = Math.min(8 - skip, end - row);
        turn(row >>> 3);
        Memory.copy(group, skip * width, to, take * width);
        to += (long) take * width;
        row += take;
      }
      out.advance(count, 0);
      return null;
    }

    private void turn(int index) {
      for (int b = 0; b < width; b++) {
        long square = 0;
        for (int bit = 0; bit < 8; bit++) {
          long plane = planes + (8L * b + bit) * planeBytes;
          square |= (Memory.getByte(plane + index) & 0xffL) << (8 * bit);
        }
        square = transpose(square);
        for (int i = 0; i < 8; i++) {
          group[i * width + b] = (byte) (square >>> (8 * i));
        }
      }
    }
  }
}
