package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import org.jspecify.annotations.Nullable;

/**
 * Cells in the layout of a {@link ColumnVector}.
 *
 * <pre>
 *   fixed width:   cells back to back
 *   text, binary:  rows + 1 offsets i32, the first 0 | bytes
 * </pre>
 */
final class PlainEncoding extends PageEncoding {
  @Override
  int number() {
    return 1;
  }

  @Override
  String name() {
    return "plain";
  }

  @Override
  boolean fits(DataType type) {
    return true;
  }

  @Override
  boolean encode(ColumnVector cells, PageBuilder out, long maxBytes) {
    int rows = cells.rowCount();
    DataType type = cells.type();
    if (!type.isVariableLength()) {
      out.append(cells.dataAddress(), rows * type.width());
      return true;
    }
    out.append(cells.dataAddress(), 4 * (rows + 1));
    out.append(cells.varlenAddress(), cells.varlenBytes());
    return true;
  }

  @Override
  PageDecoder decoder(DataType type) {
    return type.isVariableLength() ? new TextDecoder() : new FixedDecoder(type);
  }

  private static final class FixedDecoder extends PageDecoder {
    private final DataType type;
    private final int width;
    private long cells;

    FixedDecoder(DataType type) {
      this.type = type;
      this.width = type.width();
    }

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      cells = address;
      return (long) rows * width == bytes
          ? null
          : "plain cells: expected %d bytes, found %d".formatted((long) rows * width, bytes);
    }

    @Override
    @Nullable String read(int first, int count, ColumnVector out) {
      out.reserve(count, 0);
      long to = out.dataAddress() + (long) out.rowCount() * width;
      Memory.copy(cells + (long) first * width, to, (long) count * width);
      out.advance(count, 0);
      return null;
    }

    @Override
    boolean readNumbers(int first, int count, NumberVector out) {
      long from = cells + (long) first * width;
      int at = out.count();
      switch (type) {
        case DOUBLE -> copyDoubles(from, out.doubles(), at, count);
        case INT64, UNIXTIME_MICROS, DECIMAL64 -> {
          out.widen();
          Memory.copy(from, out.longs(), at, count);
          out.cover(min(), max());
        }
        default -> {
          return false;
        }
      }
      out.advance(count);
      return true;
    }

    @Override
    boolean sum(
        int first, int count, @Nullable CellFilter cellFilter, CellSum sum, ColumnVector scratch) {
      long from = cells + (long) first * width;
      return switch (type) {
        case DOUBLE -> PlainSums.addDoubles(from, count, cellFilter, sum);
        case INT64, UNIXTIME_MICROS, DECIMAL64 ->
            PlainSums.addLongs(from, count, cellFilter, min(), max(), sum);
        default -> false;
      };
    }

    private static void copyDoubles(long from, double[] to, int at, int count) {
      for (int i = 0; i < count; i++) {
        to[at + i] = Memory.getDouble(from + 8L * i);
      }
    }
  }

  private static final class TextDecoder extends PageDecoder {
    private long offsets;
    private long text;

    @Override
    @Nullable String open(long address, int bytes, int rows) {
      long offsetBytes = 4L * (rows + 1);
      if (offsetBytes > bytes) {
        return "plain offsets: expected %d bytes, found %d".formatted(offsetBytes, bytes);
      }
      offsets = address;
      text = address + offsetBytes;
      return isKnownSound() ? null : checkOffsets(offsets, rows, bytes - offsetBytes);
    }

    @Override
    @Nullable String read(int first, int count, ColumnVector out) {
      int from = Memory.getInt(offsets + 4L * first);
      int bytes = Memory.getInt(offsets + 4L * (first + count)) - from;
      out.reserve(count, bytes);
      int end = out.varlenBytes();
      Memory.copy(text + from, out.varlenAddress() + end, bytes);
      copyOffsets(
          offsets + 4L * (first + 1),
          out.dataAddress() + 4L * (out.rowCount() + 1),
          count,
          end - from);
      out.advance(count, bytes);
      return null;
    }

    private static void copyOffsets(long from, long to, int count, int shift) {
      for (long at = 0; at < 4L * count; at += 4) {
        Memory.putInt(to + at, Memory.getInt(from + at) + shift);
      }
    }
  }

  /**
   * Checks that offsets start at 0, never decrease and end at {@code bytes}; returns null, or a
   * description of the corruption.
   */
  static @Nullable String checkOffsets(long offsets, int rows, long bytes) {
    int last = 0;
    boolean rising = Memory.getInt(offsets) == 0;
    for (int i = 1; i <= rows; i++) {
      int next = Memory.getInt(offsets + 4L * i);
      rising &= next >= last;
      last = next;
    }
    return rising && last == bytes
        ? null
        : "offsets: expected ascending values from 0 to %d, found %d at the end%s"
            .formatted(bytes, last, rising ? "" : " and a decrease");
  }
}
