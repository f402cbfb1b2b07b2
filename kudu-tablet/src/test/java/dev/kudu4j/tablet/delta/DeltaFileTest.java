package dev.kudu4j.tablet.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.env.StorageHarness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.ArrowBuf;
import org.junit.jupiter.api.Test;

/** A delta file gives back its changes in order, from any row. */
public class DeltaFileTest {
  /** A change in the model. */
  record Change(long ordinal, long timestamp, int sequence, byte[] bytes) {}

  @Property(tries = 100)
  void changesReadBackFromAnyRow(
      @ForAll @IntRange(min = 0, max = 1500) int count,
      @ForAll @IntRange(min = 64, max = 5000) int blockBytes,
      @ForAll DeltaFileWriter.Kind kind,
      @ForAll int seed)
      throws IOException {
    Random random = new Random(seed);
    List<Change> changes = changes(count, random);
    try (StorageHarness harness = new StorageHarness(StorageHarness.pages(blockBytes))) {
      Path path = harness.path("delta");
      write(harness, path, kind, changes);
      DeltaFile file = DeltaFile.open(harness.environment(), path);
      assertThat(file.kind()).isEqualTo(kind);
      assertThat(file.count()).isEqualTo(count);
      assertThat(file.livenessChangeCount())
          .isEqualTo(changes.stream().filter(c -> c.bytes[0] != RowChange.UPDATE).count());
      assertThat(file.minTimestamp())
          .isEqualTo(changes.stream().mapToLong(Change::timestamp).min().orElse(Long.MAX_VALUE));
      assertThat(file.maxTimestamp())
          .isEqualTo(changes.stream().mapToLong(Change::timestamp).max().orElse(0));
      for (int id = 0; id < 6; id++) {
        int wanted = id;
        assertThat(file.touchesColumn(id))
            .isEqualTo(changes.stream().anyMatch(c -> touches(c, wanted)));
      }
      try (DeltaFile.Cursor cursor = file.openCursor()) {
        assertReads(cursor, changes, 0, Integer.MAX_VALUE);
        long last = changes.isEmpty() ? 3 : changes.get(count - 1).ordinal;
        for (int i = 0; i < 30; i++) {
          long ordinal = random.nextLong(last + 3);
          cursor.seek(ordinal);
          int first = 0;
          while (first < count && changes.get(first).ordinal < ordinal) {
            first++;
          }
          assertReads(cursor, changes, first, random.nextInt(20));
        }
        for (long ordinal = 0; ordinal < last + 2; ordinal += 1 + random.nextInt(50)) {
          cursor.seek(ordinal);
          int first = 0;
          while (first < count && changes.get(first).ordinal < ordinal) {
            first++;
          }
          assertReads(cursor, changes, first, random.nextInt(3));
        }
      }
      file.release();
    }
  }

  private static boolean touches(Change change, int columnId) {
    return change.bytes.length > 3 && change.bytes[3] == columnId;
  }

  private static void assertReads(
      DeltaFile.Cursor cursor, List<Change> changes, int first, int most) throws IOException {
    for (int i = first; i < changes.size(); i++) {
      if (i - first >= most) {
        return;
      }
      Change expected = changes.get(i);
      assertThat(cursor.next()).isTrue();
      byte[] bytes = new byte[cursor.changeLength()];
      Memory.copy(cursor.changeAddress(), bytes, 0, bytes.length);
      assertThat(cursor.ordinal()).isEqualTo(expected.ordinal);
      assertThat(cursor.timestamp()).isEqualTo(expected.timestamp);
      assertThat(cursor.sequence()).isEqualTo(expected.sequence);
      assertThat(bytes).isEqualTo(expected.bytes);
    }
    if (changes.size() - first < most) {
      assertThat(cursor.next()).isFalse();
    }
  }

  static List<Change> changes(int count, Random random) {
    List<Change> changes = new ArrayList<>();
    long ordinal = 0;
    long timestamp = 10;
    int sequence = 0;
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(4)) {
        case 0 -> sequence++;
        case 1 -> timestamp += 1 + random.nextInt(5);
        default -> {
          ordinal += 1 + random.nextInt(10);
          timestamp = 1 + random.nextInt(100);
          sequence = random.nextInt(3);
        }
      }
      changes.add(new Change(ordinal, timestamp, sequence, change(random)));
    }
    return changes;
  }

  private static byte[] change(Random random) {
    int kind = 1 + random.nextInt(3);
    if (kind == RowChange.DELETE) {
      return new byte[] {RowChange.DELETE, 0, 0};
    }
    byte[] cell = new byte[random.nextInt(30)];
    random.nextBytes(cell);
    boolean isNull = random.nextInt(5) == 0;
    int length = isNull ? 0 : cell.length;
    ByteBuffer change = ByteBuffer.allocate(11 + length).order(ByteOrder.LITTLE_ENDIAN);
    change.put((byte) kind).putShort((short) 1).putInt(random.nextInt(6));
    change.putInt(isNull ? -1 : length).put(cell, 0, length);
    return change.array();
  }

  public static void write(
      StorageHarness harness, Path path, DeltaFileWriter.Kind kind, int count, int seed)
      throws IOException {
    write(harness, path, kind, changes(count, new Random(seed)));
  }

  private static void write(
      StorageHarness harness, Path path, DeltaFileWriter.Kind kind, List<Change> changes)
      throws IOException {
    try (DeltaFileWriter writer = new DeltaFileWriter(harness.environment(), path, kind);
        ArrowBuf buffer = harness.allocator().buffer(1024)) {
      for (Change change : changes) {
        append(writer, buffer, change);
      }
      assertThat(writer.count()).isEqualTo(changes.size());
      writer.finish();
    }
    harness.files().syncDirectory(path.getParent());
  }

  private static void append(DeltaFileWriter writer, ArrowBuf buffer, Change change)
      throws IOException {
    Memory.copy(change.bytes, 0, buffer.memoryAddress(), change.bytes.length);
    writer.append(
        change.ordinal,
        change.timestamp,
        change.sequence,
        buffer.memoryAddress(),
        change.bytes.length);
  }

  @Test
  void changesOutOfOrderAreRefused() throws IOException {
    byte[] delete = {RowChange.DELETE, 0, 0};
    List<List<Change>> wrong =
        List.of(
            List.of(new Change(5, 1, 0, delete), new Change(4, 2, 0, delete)),
            List.of(new Change(5, 2, 0, delete), new Change(5, 1, 0, delete)),
            List.of(new Change(5, 2, 1, delete), new Change(5, 2, 1, delete)));
    for (List<Change> changes : wrong) {
      try (StorageHarness harness = new StorageHarness()) {
        assertThatThrownBy(
                () -> write(harness, harness.path("d"), DeltaFileWriter.Kind.REDO, changes))
            .hasMessageContaining("Changes must rise");
      }
    }
  }

  @Test
  void bytesThatAreNoChangeAreRefused() throws IOException {
    List<byte[]> wrong =
        Arrays.asList(
            new byte[] {1, 0},
            new byte[] {4, 0, 0},
            new byte[] {2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
            new byte[] {1, 1, 0, 9, 0, 0, 0, 5, 0, 0, 0, 1},
            new byte[] {1, 0, 0, 0});
    for (byte[] bytes : wrong) {
      try (StorageHarness harness = new StorageHarness()) {
        List<Change> changes = List.of(new Change(0, 1, 0, bytes));
        assertThatThrownBy(
                () -> write(harness, harness.path("d"), DeltaFileWriter.Kind.UNDO, changes))
            .hasMessageContaining("Not a row change");
      }
    }
  }
}
