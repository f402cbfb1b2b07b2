package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.expression.SampleHash;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.predicate.FastHash;
import dev.kudu4j.common.schema.DataType;

/** Adds the cells of a column to the hashes of up to 64 rows; see {@link SampleHash}. */
public final class CellHasher {
  private CellHasher() {}

  /**
   * @param firstRow the row of {@code cells} that bit 0 of {@code selected} stands for
   * @param selected these rows are added, and possibly others between them; not 0
   * @param hashes one per bit
   */
  public static void add(ColumnVector cells, int firstRow, long selected, long[] hashes) {
    if (cells.isNullable() || cells.type().isVariableLength()) {
      addEach(cells, firstRow, selected, hashes);
      return;
    }
    int from = Long.numberOfTrailingZeros(selected);
    int to = Long.SIZE - Long.numberOfLeadingZeros(selected);
    long address = cells.dataAddress() + (long) firstRow * cells.type().width();
    boolean signed = !cells.type().isUnsigned();
    switch (cells.type().width()) {
      case 1 -> addBytes(address, from, to, signed ? -1 : 0xff, hashes);
      case 2 -> addShorts(address, from, to, signed ? -1 : 0xffff, hashes);
      case 4 -> addInts(address, from, to, signed ? -1 : 0xffffffffL, hashes);
      case 8 -> addLongs(address, from, to, hashes);
      default -> addPairs(address, from, to, hashes);
    }
  }

  private static void addBytes(long address, int from, int to, long mask, long[] hashes) {
    for (int i = from; i < to; i++) {
      hashes[i] = SampleHash.add(hashes[i], Memory.getByte(address + i) & mask);
    }
  }

  private static void addShorts(long address, int from, int to, long mask, long[] hashes) {
    for (int i = from; i < to; i++) {
      hashes[i] = SampleHash.add(hashes[i], Memory.getShort(address + 2L * i) & mask);
    }
  }

  private static void addInts(long address, int from, int to, long mask, long[] hashes) {
    for (int i = from; i < to; i++) {
      hashes[i] = SampleHash.add(hashes[i], Memory.getInt(address + 4L * i) & mask);
    }
  }

  private static void addLongs(long address, int from, int to, long[] hashes) {
    for (int i = from; i < to; i++) {
      hashes[i] = SampleHash.add(hashes[i], Memory.getLong(address + 8L * i));
    }
  }

  private static void addPairs(long address, int from, int to, long[] hashes) {
    for (int i = from; i < to; i++) {
      long lower = SampleHash.add(hashes[i], Memory.getLong(address + 16L * i));
      hashes[i] = SampleHash.add(lower, Memory.getLong(address + 16L * i + 8));
    }
  }

  private static void addEach(ColumnVector cells, int firstRow, long selected, long[] hashes) {
    for (long left = selected; left != 0; left &= left - 1) {
      int bit = Long.numberOfTrailingZeros(left);
      int row = firstRow + bit;
      hashes[bit] =
          cells.isNull(row)
              ? SampleHash.add(hashes[bit], SampleHash.NULL_WORD)
              : addCell(cells, row, hashes[bit]);
    }
  }

  private static long addCell(ColumnVector cells, int row, long hash) {
    DataType type = cells.type();
    long address = cells.cellAddress(row);
    return switch (type.width()) {
      case 0 -> SampleHash.add(hash, FastHash.hash64(address, cells.cellLength(row), 0));
      case 16 ->
          SampleHash.add(
              SampleHash.add(hash, Memory.getLong(address)), Memory.getLong(address + 8));
      default -> SampleHash.add(hash, number(type, address));
    };
  }

  private static long number(DataType type, long address) {
    boolean signed = !type.isUnsigned();
    return switch (type.width()) {
      case 1 -> Memory.getByte(address) & (signed ? -1 : 0xffL);
      case 2 -> Memory.getShort(address) & (signed ? -1 : 0xffffL);
      case 4 -> Memory.getInt(address) & (signed ? -1 : 0xffffffffL);
      default -> Memory.getLong(address);
    };
  }
}
