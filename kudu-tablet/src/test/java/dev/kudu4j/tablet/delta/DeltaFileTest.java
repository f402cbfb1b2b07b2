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
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.ArrowBuf;
import org.junit.jupiter.api.Test;

/** A delta file returns its changes in order, from any row. */
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
    List<Change> changes = changes(count, random, kind);
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
      assertSkips(file, changes, random);
      file.release();
    }
  }

  /** Checks that a filtered cursor finds all relevant changes, in the order of the rows. */
  private static void assertSkips(DeltaFile file, List<Change> changes, Random random)
      throws IOException {
    for (int walk = 0; walk < 4; walk++) {
      long columns = walk == 0 ? 0 : 1L << random.nextInt(6);
      long from = random.nextInt(60);
      long to = from + random.nextInt(60);
      try (DeltaFile.Cursor cursor = file.openCursor()) {
        int at = 0;
        boolean more = cursor.next();
        while (more) {
          while (!isAt(cursor, changes.get(at))) {
            Change left = changes.get(at++);
            assertThat(left.ordinal).isEqualTo(changes.get(at - 2).ordinal);
            boolean wanted = (columns(left) & columns) != 0;
            assertThat(wanted && left.timestamp >= from && left.timestamp < to).isFalse();
          }
          boolean followed =
              at + 1 < changes.size() && changes.get(at + 1).ordinal == cursor.ordinal();
          assertThat(cursor.hasMoreOfRow()).isEqualTo(followed);
          if (random.nextInt(20) == 0) {
            long row = cursor.ordinal();
            while (at < changes.size() && changes.get(at).ordinal == row) {
              at++;
            }
            more = cursor.nextRow();
          } else {
            at++;
            more = cursor.nextRelevant(columns, from, to);
          }
        }
        long row = changes.isEmpty() ? 0 : changes.get(changes.size() - 1).ordinal;
        assertThat(changes.subList(at, changes.size())).allMatch(c -> c.ordinal == row);
      }
    }
  }

  private static boolean isAt(DeltaFile.Cursor cursor, Change change) {
    return cursor.ordinal() == change.ordinal
        && cursor.timestamp() == change.timestamp
        && cursor.sequence() == change.sequence;
  }

  private static long columns(Change change) {
    return change.bytes[0] == RowChange.UPDATE ? 1L << change.bytes[3] : -1L;
  }

  @Test
  void onlyRelevantBlocksOfAHotRowAreRead() throws IOException {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      changes.add(new Change(7, 20_000 - i, 0, update(i == 15_000 ? 3 : 2)));
    }
    changes.add(new Change(8, 5, 0, update(2)));
    try (StorageHarness harness = new StorageHarness()) {
      write(harness, harness.path("hot"), DeltaFileWriter.Kind.REDO, changes);
      DeltaFile file = DeltaFile.open(harness.environment(), harness.path("hot"));
      int blocks = file.footer().blocks().size();
      assertThat(blocks).isGreaterThan(10);
      assertThat(steps(file, 1L << 3, 0, Long.MAX_VALUE)).isLessThanOrEqualTo(5);
      assertThat(steps(file, 1L << 2, 0, 100)).isLessThanOrEqualTo(99 + 3);
      assertThat(steps(file, 1L << 2, 0, Long.MAX_VALUE)).isEqualTo(19_999);
      try (DeltaFile.Cursor cursor = file.openCursor()) {
        cursor.next();
        assertThat(cursor.timestamp()).isEqualTo(20_000);
        assertThat(cursor.nextRow()).isTrue();
        assertThat(cursor.ordinal()).isEqualTo(8);
        assertThat(cursor.nextRow()).isFalse();
      }
      file.release();
    }
  }

  /** The number of changes of the first row that the cursor visits. */
  private static int steps(DeltaFile file, long columns, long from, long to) throws IOException {
    try (DeltaFile.Cursor cursor = file.openCursor()) {
      int steps = 1;
      cursor.next();
      while (cursor.nextRelevant(columns, from, to) && cursor.ordinal() == 7) {
        steps++;
      }
      return steps;
    }
  }

  private static byte[] update(int columnId) {
    ByteBuffer change = ByteBuffer.allocate(15).order(ByteOrder.LITTLE_ENDIAN);
    return change.put(RowChange.UPDATE).putShort((short) 1).putInt(columnId).putInt(4).array();
  }

  private static boolean touches(Change change, int columnId) {
    return change.bytes.length > 3 && change.bytes[3] == columnId;
  }

  private static void assertReads(
      DeltaFile.Cursor cursor, List<Change> changes, int first, int limit) throws IOException {
    for (int i = first; i < changes.size(); i++) {
      if (i - first >= limit) {
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
    if (changes.size() - first < limit) {
      assertThat(cursor.next()).isFalse();
    }
  }

  static List<Change> changes(int count, Random random, DeltaFileWriter.Kind kind) {
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
          timestamp = random.nextInt(1, 101);
          sequence = random.nextInt(3);
        }
      }
      changes.add(new Change(ordinal, timestamp, sequence, change(random)));
    }
    if (kind == DeltaFileWriter.Kind.REDO) {
      changes.sort(
          Comparator.comparingLong(Change::ordinal)
              .thenComparing(
                  Comparator.comparingLong(Change::timestamp)
                      .thenComparingInt(Change::sequence)
                      .reversed()));
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
    write(harness, path, kind, changes(count, new Random(seed), kind));
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
            List.of(new Change(5, 1, 0, delete), new Change(5, 2, 0, delete)),
            List.of(new Change(5, 2, 0, delete), new Change(5, 2, 1, delete)),
            List.of(new Change(5, 2, 1, delete), new Change(5, 2, 1, delete)));
    for (List<Change> changes : wrong) {
      try (StorageHarness harness = new StorageHarness()) {
        assertThatThrownBy(
                () -> write(harness, harness.path("d"), DeltaFileWriter.Kind.REDO, changes))
            .hasMessageContaining("out of order");
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
