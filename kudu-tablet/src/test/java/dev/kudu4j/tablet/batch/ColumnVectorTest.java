package dev.kudu4j.tablet.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.memory.Allocators;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** A vector against a plain list of cells, null for NULL. */
class ColumnVectorTest {
  private static final DataType[] TYPES = {
    DataType.INT8,
    DataType.INT16,
    DataType.INT32,
    DataType.INT64,
    DataType.DECIMAL128,
    DataType.BOOL,
    DataType.STRING
  };

  @Property(tries = 150)
  void anyAppendsReadLikeTheList(
      @ForAll @IntRange(max = 6) int type,
      @ForAll boolean nullable,
      @ForAll @IntRange(max = 300) int rows,
      @ForAll long seed) {
    Random random = new Random(seed);
    try (BufferAllocator root = Allocators.root(1 << 26);
        ColumnVector source = new ColumnVector(root, TYPES[type], nullable);
        ColumnVector target = new ColumnVector(root, TYPES[type], true)) {
      List<byte[]> sourceModel = appendRandom(source, random, rows);
      assertReads(source, sourceModel);

      List<byte[]> model = new ArrayList<>(appendRandom(target, random, random.nextInt(70)));
      for (int step = 0; step < 4; step++) {
        int first = rows == 0 ? 0 : random.nextInt(rows);
        int count = random.nextInt(rows - first + 1);
        target.appendRange(source, first, count);
        model.addAll(sourceModel.subList(first, first + count));

        long[] words = randomWords(random, rows);
        int considered = random.nextInt(rows + 1);
        target.appendSelected(source, words, considered);
        for (int row = 0; row < considered; row++) {
          if ((words[row >>> 6] >>> row & 1) != 0) {
            model.add(sourceModel.get(row));
          }
        }
        model.addAll(appendRandom(target, random, 3));
      }
      assertReads(target, model);

      target.clear();
      assertReads(target, List.of());
      assertReads(target, appendRandom(target, random, rows));
    }
  }

  @Property(tries = 100)
  void anyChangesInPlaceReadLikeTheList(
      @ForAll @IntRange(max = 6) int type,
      @ForAll boolean nullable,
      @ForAll @IntRange(min = 1, max = 200) int rows,
      @ForAll long seed) {
    Random random = new Random(seed);
    try (BufferAllocator root = Allocators.root(1 << 26);
        ArrowBuf scratch = root.buffer(64);
        ColumnVector vector = new ColumnVector(root, TYPES[type], nullable)) {
      List<byte[]> model = appendRandom(vector, random, rows);
      for (int round = 0; round < 3; round++) {
        for (int change = random.nextInt(20); change > 0; change--) {
          int row = random.nextInt(rows);
          byte[] cell = randomCell(vector, random);
          model.set(row, cell);
          if (cell == null) {
            vector.setNull(row);
          } else {
            Memory.copy(cell, 0, scratch.memoryAddress(), cell.length);
            vector.set(row, scratch.memoryAddress(), cell.length);
          }
        }
        vector.applyPatches();
        assertReads(vector, model);
        model.addAll(appendRandom(vector, random, 2));
      }
      assertReads(vector, model);
    }
  }

  @Test
  void theLayoutEqualsTheWireFormat() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        ColumnVector text = new ColumnVector(root, DataType.STRING, true);
        ColumnVector decimal = new ColumnVector(root, DataType.DECIMAL64, true)) {
      append(text, "hello".getBytes(StandardCharsets.UTF_8));
      append(text, null);
      append(text, "v4".getBytes(StandardCharsets.UTF_8));
      assertThat(bytes(text.dataAddress(), text.dataBytes()))
          .containsExactly(0, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0);
      assertThat(bytes(text.varlenAddress(), text.varlenBytes())).asString().isEqualTo("hellov4");
      assertThat(bytes(text.presenceAddress(), text.presenceBytes())).containsExactly(5);

      append(decimal, new byte[] {(byte) 0x87, (byte) 0xd6, 0x12, 0, 0, 0, 0, 0});
      append(decimal, null);
      assertThat(bytes(decimal.dataAddress(), decimal.dataBytes()))
          .containsExactly(0x87, 0xd6, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
      assertThat(bytes(decimal.presenceAddress(), 1)).containsExactly(1);
    }
  }

  @Test
  void anEmptyVectorHasOneOffset() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        ColumnVector text = new ColumnVector(root, DataType.BINARY, false);
        ArrowBuf shared = text.shareData();
        ArrowBuf none = text.shareVarlen()) {
      assertThat(text.dataBytes()).isEqualTo(4);
      assertThat(Memory.getInt(text.dataAddress())).isZero();
      assertThat(shared.capacity()).isEqualTo(4);
      assertThat(none.capacity()).isZero();
    }
  }

  @Test
  void cellsMayBeWrittenDirectly() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        ArrowBuf bitmap = root.buffer(1);
        ColumnVector text = new ColumnVector(root, DataType.STRING, true)) {
      append(text, new byte[] {'x'});
      text.reserve(3, 4);
      Memory.copy("aabb".getBytes(StandardCharsets.UTF_8), 0, text.varlenAddress() + 1, 4);
      Memory.putInt(text.dataAddress() + 8, 3);
      Memory.putInt(text.dataAddress() + 12, 3);
      Memory.putInt(text.dataAddress() + 16, 5);
      text.advance(3, 4);
      assertThat(text.isNull(2)).isFalse();
      Memory.putByte(bitmap.memoryAddress(), (byte) 0b101_000);
      text.copyPresenceOfLast(3, bitmap.memoryAddress(), 3);
      assertReads(text, List.of(new byte[] {'x'}, new byte[] {'a', 'a'}), 2);
      assertThat(text.isNull(2)).isTrue();
      assertThat(bytes(text.cellAddress(3), text.cellLength(3))).asString().isEqualTo("bb");
    }
  }

  @Test
  void sharedMemorySurvivesClearAndClose() {
    try (BufferAllocator root = Allocators.root(1 << 20)) {
      ColumnVector vector = new ColumnVector(root, DataType.STRING, true);
      append(vector, new byte[] {1, 2, 3});
      long before = vector.varlenAddress();
      ArrowBuf data = vector.shareData();
      ArrowBuf varlen = vector.shareVarlen();
      ArrowBuf presence = vector.sharePresence();
      vector.clear();
      append(vector, new byte[] {9, 9, 9, 9});
      assertThat(vector.varlenAddress()).isNotEqualTo(before);
      vector.close();
      assertThat(bytes(data.memoryAddress(), 8)).containsExactly(0, 0, 0, 0, 3, 0, 0, 0);
      assertThat(bytes(varlen.memoryAddress(), 3)).containsExactly(1, 2, 3);
      assertThat(bytes(presence.memoryAddress(), 1)).containsExactly(1);
      data.close();
      varlen.close();
      presence.close();
      assertThat(root.getAllocatedMemory()).isZero();
    }
  }

  @Test
  void clearKeepsUnsharedMemory() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        ColumnVector vector = new ColumnVector(root, DataType.INT64, false)) {
      append(vector, new byte[8]);
      long address = vector.dataAddress();
      vector.shareData().close();
      vector.clear();
      append(vector, new byte[8]);
      assertThat(vector.dataAddress()).isEqualTo(address);
    }
  }

  @Test
  void batchCountsRowsWithAndWithoutColumns() {
    Schema schema =
        new Schema(
            List.of(
                ColumnSchema.builder("a", DataType.INT32).key(true).build(),
                ColumnSchema.builder("b", DataType.STRING).nullable(true).build()));
    try (BufferAllocator root = Allocators.root(1 << 20);
        ColumnBatch batch = new ColumnBatch(root, schema);
        ColumnBatch bare = new ColumnBatch(root, new Schema(List.of()))) {
      append(batch.column(0), new byte[4]);
      append(batch.column(1), new byte[] {7, 7});
      batch.setRowCount(1);
      assertThat(batch.rowCount()).isEqualTo(1);
      assertThat(batch.bytes()).isEqualTo(4 + 8 + 2 + 1);
      bare.setRowCount(17);
      assertThat(bare.rowCount()).isEqualTo(17);
      bare.clear();
      assertThat(bare.rowCount()).isZero();
    }
  }

  private static List<byte[]> appendRandom(ColumnVector vector, Random random, int rows) {
    List<byte[]> cells = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      cells.add(randomCell(vector, random));
    }
    for (byte[] cell : cells) {
      append(vector, cell);
    }
    return cells;
  }

  private static byte[] randomCell(ColumnVector vector, Random random) {
    if (vector.isNullable() && random.nextInt(3) == 0) {
      return null;
    }
    int width = vector.type().width();
    byte[] cell = new byte[width == 0 ? random.nextInt(45) : width];
    random.nextBytes(cell);
    return cell;
  }

  private static void append(ColumnVector vector, byte[] cell) {
    if (cell == null) {
      vector.appendNull();
    } else {
      vector.append(cell, 0, cell.length);
    }
  }

  private static long[] randomWords(Random random, int rows) {
    long[] words = new long[(rows + 63) / 64];
    for (int i = 0; i < words.length; i++) {
      words[i] =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -1L;
            case 2 -> 0x1000_0000_0040_0001L << random.nextInt(64);
            default -> random.nextLong();
          };
    }
    return words;
  }

  private static void assertReads(ColumnVector vector, List<byte[]> model) {
    assertThat(vector.rowCount()).isEqualTo(model.size());
    assertReads(vector, model, model.size());
    int lastBits = vector.rowCount() & 7;
    if (vector.isNullable() && lastBits != 0) {
      int last = Memory.getByte(vector.presenceAddress() + vector.rowCount() / 8) & 0xff;
      assertThat(last >>> lastBits).as("bits behind the last row").isZero();
    }
  }

  private static void assertReads(ColumnVector vector, List<byte[]> model, int rows) {
    for (int row = 0; row < rows; row++) {
      byte[] expected = model.get(row);
      byte[] found = bytes(vector.cellAddress(row), vector.cellLength(row));
      assertThat(vector.isNull(row)).as("row %d is NULL", row).isEqualTo(expected == null);
      byte[] zeros = new byte[vector.type().width()];
      assertThat(found).as("row %d", row).isEqualTo(expected == null ? zeros : expected);
    }
  }

  private static byte[] bytes(long address, int count) {
    byte[] bytes = new byte[count];
    Memory.copy(address, bytes, 0, count);
    return bytes;
  }
}
