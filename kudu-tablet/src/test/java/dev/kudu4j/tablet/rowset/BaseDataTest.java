package dev.kudu4j.tablet.rowset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.StorageHarness;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * Looking up keys in base data and reading rows by ordinal give the same results as a sorted map.
 */
class BaseDataTest {
  @Property(tries = 60)
  void lookupsAgreeWithANavigableMap(
      @ForAll @IntRange(min = 1, max = 3000) int rows,
      @ForAll @IntRange(min = 0, max = 3) int keyShape,
      @ForAll int seed)
      throws IOException {
    Random random = new Random(seed);
    NavigableMap<byte[], Long> model = keys(rows, keyShape, random);
    try (StorageHarness harness = new StorageHarness(StorageHarness.pages(2048))) {
      Path path = harness.path("base");
      RowSetFixture.write(harness, path, new ArrayList<>(model.keySet()), 500);
      BaseData data = BaseData.open(harness.environment(), path);
      try {
        assertThat(data.rowCount()).isEqualTo(model.size());
        assertThat(data.minKey()).isEqualTo(model.firstKey());
        assertThat(data.maxKey()).isEqualTo(model.lastKey());
        for (byte[] probe : probes(model, random)) {
          Long expected = model.get(probe);
          byte[] framed = new byte[probe.length + 5];
          System.arraycopy(probe, 0, framed, 3, probe.length);
          assertThat(data.find(framed, 3, probe.length))
              .isEqualTo(expected == null ? -1 : expected);
          var above = model.ceilingEntry(probe);
          assertThat(data.lowerBound(framed, 3, probe.length))
              .isEqualTo(above == null ? model.size() : above.getValue());
        }
        checkCursor(data, new ArrayList<>(model.keySet()), random);
      } finally {
        data.release();
      }
    }
  }

  private static NavigableMap<byte[], Long> keys(int rows, int shape, Random random) {
    NavigableMap<byte[], Long> keys = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < rows; i++) {
      byte[] key =
          switch (shape) {
            case 0 -> new byte[8];
            case 1 -> new byte[random.nextInt(12)];
            case 2 -> new byte[200 + random.nextInt(3)];
            default -> new byte[random.nextInt(100) == 0 ? 9000 : 3];
          };
      for (int b = 0; b < key.length; b++) {
        boolean prefix = shape == 2 && b < 195;
        key[b] = prefix ? 7 : (byte) random.nextInt();
      }
      keys.put(key, 0L);
    }
    long ordinal = 0;
    for (var entry : keys.entrySet()) {
      entry.setValue(ordinal++);
    }
    return keys;
  }

  private static List<byte[]> probes(NavigableMap<byte[], Long> model, Random random) {
    List<byte[]> probes = new ArrayList<>();
    probes.add(new byte[0]);
    probes.add(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
    for (byte[] key : model.keySet()) {
      if (random.nextInt(Math.max(1, model.size() / 200)) > 0) {
        continue;
      }
      probes.add(key);
      probes.add(Arrays.copyOf(key, key.length + 1));
      if (key.length > 0) {
        probes.add(Arrays.copyOf(key, key.length - 1));
        byte[] changed = key.clone();
        changed[random.nextInt(key.length)] += (byte) (1 + random.nextInt(3));
        probes.add(changed);
      }
    }
    return probes;
  }

  private static void checkCursor(BaseData data, List<byte[]> keys, Random random)
      throws IOException {
    try (RowSetKeyCursor cursor = data.openKeys()) {
      for (byte[] key : keys) {
        assertThat(cursor.next()).isTrue();
        assertThat(Arrays.copyOf(cursor.keyArray(), cursor.keyLength())).isEqualTo(key);
      }
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.next()).isFalse();
      for (int i = 0; i < 20; i++) {
        int ordinal = random.nextInt(keys.size());
        cursor.seek(ordinal);
        for (int j = ordinal; j < Math.min(keys.size(), ordinal + 40); j++) {
          assertThat(cursor.ordinal()).isEqualTo(j);
          assertThat(Arrays.copyOf(cursor.keyArray(), cursor.keyLength())).isEqualTo(keys.get(j));
          assertThat(cursor.next()).isEqualTo(j + 1 < keys.size());
        }
      }
      cursor.seek(keys.size());
      assertThat(cursor.next()).isFalse();
    }
  }

  @Test
  void columnsAndTimestampsAreReadByOrdinal() throws IOException {
    try (StorageHarness harness = new StorageHarness(StorageHarness.pages(512))) {
      Path path = harness.path("base");
      RowSetFixture.write(harness, path, numbered(1000), 300);
      BaseData data = BaseData.open(harness.environment(), path);
      assertThat(data.hasColumn(12)).isTrue();
      assertThat(data.hasColumn(13)).isFalse();
      assertThat(data.minInsertTimestamp()).isEqualTo(1000);
      assertThat(data.maxInsertTimestamp()).isEqualTo(1099);
      long[] timestamps = new long[100];
      data.readInsertTimestamps(450, 100, timestamps);
      assertThat(timestamps[3]).isEqualTo(RowSetFixture.timestamp(453));
      try (ColumnReader values = data.openColumn(11);
          ColumnReader notes = data.openColumn(12);
          ColumnVector value = new ColumnVector(harness.allocator(), DataType.INT64, false);
          ColumnVector note = new ColumnVector(harness.allocator(), DataType.STRING, true)) {
        assertThat(values.pageCount()).isGreaterThan(5);
        assertThat(values.column().id()).isEqualTo(11);
        values.read(100, 800, value);
        notes.read(100, 800, note);
        for (int i = 0; i < 800; i++) {
          assertThat(Memory.getLong(value.cellAddress(i))).isEqualTo(RowSetFixture.value(100 + i));
          byte[] expected = RowSetFixture.note(100 + i);
          assertThat(note.isNull(i)).isEqualTo(expected == null);
          if (expected != null) {
            byte[] found = new byte[note.cellLength(i)];
            Memory.copy(note.cellAddress(i), found, 0, found.length);
            assertThat(found).isEqualTo(expected);
          }
        }
      }
      data.release();
    }
  }

  @Test
  void bloomFilterAnswersMostAbsentKeys() throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      Path path = harness.path("base");
      List<byte[]> keys = numbered(100_000);
      RowSetFixture.write(harness, path, keys, 10_000);
      BaseData data = BaseData.open(harness.environment(), path);
      assertThat(data.footer().keys().chunkCount()).isGreaterThan(2);
      long before = harness.files().calls();
      int absent = 0;
      for (byte[] key : keys) {
        byte[] other = Arrays.copyOf(key, key.length + 1);
        absent += data.find(other, 0, other.length) < 0 ? 1 : 0;
      }
      assertThat(absent).isEqualTo(keys.size());
      long pagesRead = harness.files().calls() - before;
      assertThat(pagesRead).as("key pages read for absent keys").isLessThan(keys.size() / 100);
      data.release();
    }
  }

  @Test
  void anEmptyRowSetHasNoKeys() throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      RowSetFixture.write(harness, harness.path("base"), List.of(), 10);
      BaseData data = BaseData.open(harness.environment(), harness.path("base"));
      assertThat(data.rowCount()).isZero();
      assertThat(data.footer().keys().minKey()).isNull();
      assertThat(data.find(new byte[1], 0, 1)).isEqualTo(-1);
      assertThat(data.lowerBound(new byte[1], 0, 1)).isZero();
      data.release();
    }
  }

  @Test
  void keysOutOfOrderAreRefused() throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      List<byte[]> keys = List.of(new byte[] {1}, new byte[] {2}, new byte[] {2});
      assertThatThrownBy(() -> RowSetFixture.write(harness, harness.path("base"), keys, 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Keys must be in ascending order");
    }
  }

  @Test
  void theLastReleaseCloses() throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      RowSetFixture.write(harness, harness.path("base"), numbered(10), 10);
      BaseData data = BaseData.open(harness.environment(), harness.path("base"));
      data.retain();
      data.release();
      assertThat(harness.files().openFiles()).isEqualTo(1);
      byte[] key = numbered(10).get(4);
      assertThat(data.find(key, 0, key.length)).isEqualTo(4);
      data.release();
      assertThat(harness.files().openFiles()).isZero();
      assertThatThrownBy(data::retain).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void unfinishedBaseDataIsRejected() throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      Path path = harness.path("base");
      try (DiskRowSetWriter writer =
          new DiskRowSetWriter(harness.environment(), path, RowSetFixture.SCHEMA, 10)) {
        RowSetFixture.append(harness, writer, numbered(500), 0, 500);
        assertThat(writer.rowCount()).isEqualTo(500);
        assertThat(writer.estimatedBytes()).isGreaterThan(5000);
      }
      assertThatThrownBy(() -> BaseData.open(harness.environment(), path))
          .hasMessageContaining("base")
          .hasMessageContaining("expected");
    }
  }

  static List<byte[]> numbered(int rows) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      keys.add(new byte[] {(byte) 0x80, (byte) (i >>> 16), (byte) (i >>> 8), (byte) i});
    }
    return keys;
  }
}
