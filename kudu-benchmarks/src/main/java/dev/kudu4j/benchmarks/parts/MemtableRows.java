package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.memrowset.CellSource;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows with a 16-byte key and about 100 bytes of cells, for a MemRowSet and for the alternative
 * from the JDK, a skip list of byte arrays.
 */
public final class MemtableRows {
  static final int COUNT = 500_000;
  private static final int COLUMNS = 12;

  private static final Schema SCHEMA = schema();

  private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
  private final byte[][] keys = new byte[COUNT][];
  private final byte[] cells = new byte[8 * COLUMNS];

  MemtableRows(Order order) {
    for (int i = 0; i < COUNT; i++) {
      long number = order == Order.SORTED ? i : Long.reverse(i) >>> 1;
      keys[i] = ByteBuffer.allocate(16).putLong(number).putLong(~number).array();
    }
    new Random(1).nextBytes(cells);
  }

  /** The order of the keys. */
  public enum Order {
    SORTED,
    RANDOM
  }

  private static Schema schema() {
    ColumnSchema[] columns = new ColumnSchema[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
      columns[i] = ColumnSchema.builder("c" + i, DataType.INT64).id(i).key(i < 2).build();
    }
    return new Schema(List.of(columns));
  }

  byte[] key(int index) {
    return keys[index];
  }

  MemRowSet newMemRowSet() {
    return new MemRowSet(allocator, 1 << 20, SCHEMA);
  }

  MemRowSet fillMemRowSet() {
    MemRowSet rows = newMemRowSet();
    CellSource source = new SameCells();
    for (int i = 0; i < COUNT; i++) {
      rows.insert(keys[i], 0, keys[i].length, source, i + 1L);
    }
    return rows;
  }

  ConcurrentSkipListMap<byte[], byte[]> fillSkipList() {
    ConcurrentSkipListMap<byte[], byte[]> rows =
        new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < COUNT; i++) {
      rows.put(keys[i].clone(), cells.clone());
    }
    return rows;
  }

  void close() {
    allocator.close();
  }

  /** Provides the same cells for all rows, because only copying them into memory is measured. */
  private final class SameCells implements CellSource {
    @Override
    public boolean isNull(int column) {
      return false;
    }

    @Override
    public byte[] cellArray(int column) {
      return cells;
    }

    @Override
    public int cellOffset(int column) {
      return 8 * column;
    }

    @Override
    public int cellLength(int column) {
      return 8;
    }
  }
}
