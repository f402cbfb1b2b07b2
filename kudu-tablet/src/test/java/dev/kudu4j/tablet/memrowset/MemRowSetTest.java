package dev.kudu4j.tablet.memrowset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.memory.Allocators;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class MemRowSetTest {
  private static final Schema ALL_TYPES =
      new Schema(
          List.of(
              column("k", DataType.STRING, false, true),
              column("b", DataType.BOOL, true, false),
              column("s", DataType.INT16, false, false),
              column("t", DataType.BINARY, true, false),
              column("d", DataType.DECIMAL128, true, false),
              column("i", DataType.INT32, true, false),
              column("l", DataType.INT64, false, false),
              column("v", DataType.VARCHAR, false, false),
              column("n", DataType.DOUBLE, true, false)));

  private static final Schema NOTHING_NULLABLE =
      new Schema(
          List.of(
              column("k", DataType.STRING, false, true),
              column("l", DataType.INT64, false, false)));

  private static ColumnSchema column(String name, DataType type, boolean nullable, boolean key) {
    return ColumnSchema.builder(name, type).nullable(nullable).key(key).build();
  }

  /** Cells as arrays, null for NULL. */
  private record Cells(List<byte[]> values) implements CellSource {
    @Override
    public boolean isNull(int column) {
      return values.get(column) == null;
    }

    @Override
    public byte[] cellArray(int column) {
      return values.get(column);
    }

    @Override
    public int cellOffset(int column) {
      return 0;
    }

    @Override
    public int cellLength(int column) {
      return values.get(column).length;
    }

    static Cells random(Schema schema, Random random) {
      List<byte[]> values = new ArrayList<>();
      for (ColumnSchema column : schema.columns()) {
        int width = column.type().width();
        byte[] value = new byte[width == 0 ? random.nextInt(40) : width];
        random.nextBytes(value);
        values.add(column.isNullable() && random.nextInt(3) == 0 ? null : value);
      }
      return new Cells(values);
    }
  }

  private record Row(int layout, long timestamp, Cells cells, List<Long> mutations) {}

  @Property(tries = 60)
  void anyRowsReadLikeTheMap(@ForAll @IntRange(max = 1000) int steps, @ForAll long seed) {
    Random random = new Random(seed);
    try (BufferAllocator root = Allocators.root(1 << 28)) {
      try (MemRowSet rows = new MemRowSet(root, 1 << 20, ALL_TYPES)) {
        assertThat(root.getAllocatedMemory()).isZero();
        TreeMap<byte[], Row> model = new TreeMap<>(Arrays::compareUnsigned);
        Schema schema = ALL_TYPES;
        for (int step = 1; step <= steps; step++) {
          if (random.nextInt(50) == 0) {
            schema = random.nextBoolean() ? ALL_TYPES : NOTHING_NULLABLE;
            rows.useSchema(schema);
          }
          write(rows, model, schema, 1000 + step, random);
        }
        assertReads(rows, model);
        assertThat(rows.minTimestamp()).isEqualTo(steps == 0 ? Long.MAX_VALUE : 1001);
        assertThat(rows.maxTimestamp()).isEqualTo(steps == 0 ? 0 : 1000 + steps);
        assertThat(rows.bytes()).isEqualTo(root.getAllocatedMemory());
      }
      assertThat(root.getAllocatedMemory()).isZero();
    }
  }

  /** Inserts a row, or mutates the existing row. */
  private static void write(
      MemRowSet rows,
      NavigableMap<byte[], Row> model,
      Schema schema,
      long timestamp,
      Random random) {
    byte[] key = new byte[random.nextInt(12)];
    random.nextBytes(key);
    if (key.length > 0 && random.nextBoolean()) {
      key = Arrays.copyOf(key, 1);
    }
    long found = rows.find(key, 0, key.length);
    Row known = model.get(key);
    assertThat(found != 0).isEqualTo(known != null);
    if (known == null) {
      Cells cells = Cells.random(schema, random);
      long row = rows.insert(key, 0, key.length, cells, timestamp);
      assertThat(rows.find(key, 0, key.length)).isEqualTo(row);
      assertThat(rows.format(MemRow.layout(row)).schema()).isEqualTo(schema);
      model.put(key, new Row(MemRow.layout(row), timestamp, cells, new ArrayList<>()));
    } else {
      long mutation = rows.mutate(found, timestamp, 3, change(number(timestamp)), 1, 19);
      assertThat(MemRow.newestMutation(found)).isEqualTo(mutation);
      known.mutations().add(0, timestamp);
    }
  }

  private static void assertReads(MemRowSet rows, NavigableMap<byte[], Row> model) {
    assertThat(rows.rowCount()).isEqualTo(model.size());
    MemRowSet.Cursor cursor = rows.cursor();
    for (Map.Entry<byte[], Row> entry : model.entrySet()) {
      assertThat(cursor.next()).isTrue();
      long row = cursor.row();
      byte[] key = bytes(MemRow.keyAddress(row), MemRow.keyLength(row));
      assertThat(key).isEqualTo(entry.getKey());
      assertRow(rows, row, entry.getValue());
    }
    assertThat(cursor.next()).isFalse();
    if (!model.isEmpty()) {
      byte[] last = model.lastKey();
      cursor.seek(last, 0, last.length);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.row()).isEqualTo(rows.find(last, 0, last.length));
    }
  }

  private static void assertRow(MemRowSet rows, long row, Row expected) {
    assertThat(MemRow.layout(row)).isEqualTo(expected.layout());
    assertThat(MemRow.insertTimestamp(row)).isEqualTo(expected.timestamp());
    assertThat(timestamps(row)).isEqualTo(expected.mutations());
    RowFormat format = rows.format(MemRow.layout(row));
    for (int column = 0; column < format.schema().columnCount(); column++) {
      byte[] cell = expected.cells().values().get(column);
      assertThat(format.isNull(row, column)).isEqualTo(cell == null);
      if (cell != null) {
        assertThat(bytes(format.cellAddress(row, column), format.cellLength(row, column)))
            .isEqualTo(cell);
      }
    }
  }

  @Test
  void secondInsertOfAKeyIsRefused() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        MemRowSet rows = new MemRowSet(root, 1 << 20, NOTHING_NULLABLE)) {
      Cells cells = new Cells(List.of(new byte[] {1}, new byte[8]));
      rows.insert(new byte[] {1}, 0, 1, cells, 5);
      assertThatThrownBy(() -> rows.insert(new byte[] {1}, 0, 1, cells, 6))
          .isInstanceOf(IllegalStateException.class);
      assertThat(rows.rowCount()).isEqualTo(1);
    }
  }

  /** Row i has i in its key and in its cells, and its mutations have ascending timestamps. */
  @Property(tries = 3, shrinking = ShrinkingMode.OFF)
  void readersBesideTheWriterSeeWholeRows(@ForAll boolean ascending, @ForAll long seed)
      throws Exception {
    int count = 20_000;
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    if (!ascending) {
      Collections.shuffle(order, new Random(seed));
    }
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    try (BufferAllocator root = Allocators.root(1 << 28);
        MemRowSet rows = new MemRowSet(root, 1 << 20, NOTHING_NULLABLE)) {
      List<Thread> readers =
          List.of(
              new Thread(() -> scanUntil(rows, count)), new Thread(() -> scanUntil(rows, count)));
      readers.forEach(r -> r.setUncaughtExceptionHandler((t, failure) -> failures.add(failure)));
      readers.forEach(Thread::start);
      Random random = new Random(seed);
      for (int i = 0; i < count; i++) {
        insertNumber(rows, order.get(i), 2 * i + 1);
        byte[] picked = number(order.get(random.nextInt(i + 1)));
        rows.mutate(rows.find(picked, 0, 8), 2 * i + 2, 0, change(picked), 1, 19);
      }
      for (Thread reader : readers) {
        reader.join();
      }
    }
    assertThat(failures).as("seed %d", seed).isEmpty();
  }

  private static void insertNumber(MemRowSet rows, int number, long timestamp) {
    byte[] key = number(number);
    rows.insert(key, 0, 8, new Cells(List.of(key, key)), timestamp);
  }

  /** An update of a column of 8 bytes, from index 1. */
  private static byte[] change(byte[] cell) {
    ByteBuffer change = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN).position(1);
    change.put(RowChange.UPDATE).putShort((short) 1).putInt(1).putInt(8).put(cell);
    return change.array();
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  private static void scanUntil(MemRowSet rows, int count) {
    long known;
    do {
      known = rows.rowCount();
      long seen = 0;
      MemRowSet.Cursor cursor = rows.cursor();
      while (cursor.next()) {
        assertWholeRow(rows, cursor.row());
        seen++;
      }
      assertThat(seen).isGreaterThanOrEqualTo(known);
    } while (known < count);
  }

  private static void assertWholeRow(MemRowSet rows, long row) {
    RowFormat format = rows.format(MemRow.layout(row));
    long key = Memory.getLong(MemRow.keyAddress(row));
    assertThat(Memory.getLong(format.cellAddress(row, 0))).isEqualTo(key);
    assertThat(Memory.getLong(format.cellAddress(row, 1))).isEqualTo(key);
    long newer = Long.MAX_VALUE;
    for (long at = MemRow.newestMutation(row); at != 0; at = Mutation.next(at)) {
      assertThat(Mutation.timestamp(at))
          .isLessThan(newer)
          .isGreaterThan(MemRow.insertTimestamp(row));
      assertThat(Memory.getLong(Mutation.changeAddress(at) + 11)).isEqualTo(key);
      newer = Mutation.timestamp(at);
    }
  }

  private static List<Long> timestamps(long row) {
    List<Long> timestamps = new ArrayList<>();
    for (long at = MemRow.newestMutation(row); at != 0; at = Mutation.next(at)) {
      assertThat(Mutation.sequence(at)).isEqualTo(3);
      timestamps.add(Mutation.timestamp(at));
    }
    return timestamps;
  }

  private static byte[] bytes(long address, int count) {
    byte[] bytes = new byte[count];
    Memory.copy(address, bytes, 0, count);
    return bytes;
  }
}
