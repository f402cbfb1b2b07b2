package dev.kudu4j.tablet.scan.top;

import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.PageFilter;
import org.jspecify.annotations.Nullable;

/**
 * The first column of an order, as numbers. The rank of a cell is a signed 64-bit number: a cell
 * with a lower rank comes first, and cells that come at the same place have equal ranks. Different
 * cells of more than 64 bits may have equal ranks, too.
 */
final class RankedColumn {
  private final DataType type;
  private final boolean ascending;
  private final long nullRank;
  private final boolean exact;

  RankedColumn(TopN.Order order) {
    this.type = order.column().type();
    this.ascending = order.ascending();
    this.nullRank = order.nullsFirst() ? Long.MIN_VALUE : Long.MAX_VALUE;
    boolean fits = !type.isVariableLength() && type.width() <= Long.BYTES;
    this.exact = fits && (type.width() < Long.BYTES || !order.column().isNullable());
  }

  /** Whether cells of equal rank are equal. */
  boolean isExact() {
    return exact;
  }

  long rank(ColumnVector cells, int row) {
    return cells.isNull(row) ? nullRank : rank(cells.cellAddress(row), cells.cellLength(row));
  }

  private long rank(long address, int length) {
    return rankOfBits(
        switch (type.width()) {
          case 0 -> firstBytes(address, length);
          case 1 -> Memory.getByte(address);
          case 2 -> Memory.getShort(address);
          case 4 -> Memory.getInt(address);
          case 8 -> Memory.getLong(address);
          default -> Memory.getLong(address + Long.BYTES);
        });
  }

  private long rank(byte[] cell) {
    return rankOfBits(
        switch (type.width()) {
          case 0 -> firstBytes(cell);
          case 1 -> cell[0];
          case 2 -> LittleEndian.getShort(cell, 0);
          case 4 -> LittleEndian.getInt(cell, 0);
          case 8 -> LittleEndian.getLong(cell, 0);
          default -> LittleEndian.getLong(cell, Long.BYTES);
        });
  }

  /**
   * @param bits the cell, its high 64 bits, or its first 8 bytes as a big-endian number
   */
  private long rankOfBits(long bits) {
    long rising =
        switch (type) {
          case BOOL, UINT8, IS_DELETED -> bits & 0xff;
          case UINT16 -> bits & 0xffff;
          case UINT32 -> bits & 0xffffffffL;
          case UINT64, STRING, BINARY, VARCHAR, NESTED -> bits ^ Long.MIN_VALUE;
          case FLOAT -> rankOfNumber(Float.intBitsToFloat((int) bits));
          case DOUBLE -> rankOfNumber(Double.longBitsToDouble(bits));
          default -> bits;
        };
    return ascending ? rising : ~rising;
  }

  /** Orders as {@link Double#compare}, but with -0.0 equal to 0.0. */
  private static long rankOfNumber(double value) {
    long bits = Double.doubleToLongBits(value + 0.0);
    return bits ^ (bits >> (Long.SIZE - 1) & Long.MAX_VALUE);
  }

  private static long firstBytes(long address, int length) {
    if (length >= Long.BYTES) {
      return Long.reverseBytes(Memory.getLong(address));
    }
    long bytes = 0;
    for (int i = 0; i < length; i++) {
      bytes |= (Memory.getByte(address + i) & 0xffL) << (Long.SIZE - Byte.SIZE * (i + 1));
    }
    return bytes;
  }

  private static long firstBytes(byte[] cell) {
    long bytes = 0;
    for (int i = 0; i < Math.min(cell.length, Long.BYTES); i++) {
      bytes |= (cell[i] & 0xffL) << (Long.SIZE - Byte.SIZE * (i + 1));
    }
    return bytes;
  }

  /**
   * Drops pages all of whose cells rank above a bound.
   *
   * @param strict whether to drop also pages whose cells rank at the bound at best
   */
  PageFilter upTo(long bound, boolean strict) {
    return new PageFilter() {
      @Override
      public Verdict judge(
          int rowCount, int nullCount, byte @Nullable [] minimum, byte @Nullable [] maximum) {
        long best = nullCount > 0 ? nullRank : Long.MAX_VALUE;
        if (nullCount < rowCount) {
          byte[] first = ascending ? minimum : maximum;
          if (first == null || (!ascending && type.isFloating())) {
            return Verdict.SOME; // the statistics do not count NaN, which may be first
          }
          best = Math.min(best, rank(first));
        }
        boolean behind = best > bound || (strict && best == bound);
        return behind ? Verdict.NONE : Verdict.SOME;
      }

      @Override
      public boolean isBoundOfOrder() {
        return true;
      }
    };
  }
}
