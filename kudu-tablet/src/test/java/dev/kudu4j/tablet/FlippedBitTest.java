package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Flips one bit in a file of a tablet. The checker finds it and reports the place. Opening, reading
 * and writing the tablet fail with the file and the offset, or have the right result, never a wrong
 * one.
 */
class FlippedBitTest {
  private static final int FLIPS_PER_FILE = 12;
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("value", DataType.INT32).id(1).build(),
              ColumnSchema.builder("text", DataType.STRING).id(2).nullable(true).build()));

  @Property(tries = 20)
  void aFlippedBitIsDetectedWithItsPlace(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    try (TabletHarness harness =
        new TabletHarness(SCHEMA, new TabletOptions(128, 2048, 64, 1 << 12, 1 << 10, 1 << 8))) {
      live(harness, random);
      List<List<String>> answers = readAll(harness);
      List<String> files = harness.files().list(TabletHarness.DIRECTORY);
      assertThat(kinds(files)).contains("base", "columns", "redo", "undo", "rows", "superblock");
      for (String file : files) {
        for (int i = 0; i < FLIPS_PER_FILE; i++) {
          flip(harness, file, random, answers);
        }
      }
      assertThat(readAll(harness)).isEqualTo(answers);
      TabletChecker.verify(harness.environment());
    }
  }

  private static Set<String> kinds(List<String> files) {
    return files.stream()
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void flip(
      TabletHarness harness, String file, Random random, List<List<String>> answers)
      throws IOException {
    Path path = TabletHarness.DIRECTORY.resolve(file);
    long bit = random.nextInt(8 * harness.files().readAll(path).length);
    harness.files().flipBit(path, bit);
    try {
      assertThat(TabletChecker.check(harness.environment()))
          .as("%s, byte %d", file, bit / 8)
          .isNotEmpty()
          .first()
          .asString()
          .contains(path.toString())
          .contains("offset");
      KuduException refused = harness.tryRestart();
      if (refused == null) {
        refused = readBroken(harness, answers);
      }
      if (refused != null) {
        assertThat(refused.code()).as(refused.toString()).isEqualTo(StatusCode.CORRUPTION);
        assertThat(refused).hasMessageContaining(path.toString()).hasMessageContaining("offset");
      }
    } finally {
      harness.files().flipBit(path, bit);
    }
    assertThat(harness.tryRestart()).isNull();
  }

  /** The error that a reader gets; null if it gets the right rows. */
  private static KuduException readBroken(TabletHarness harness, List<List<String>> answers)
      throws IOException {
    try {
      assertThat(readAll(harness)).isEqualTo(answers);
      return null;
    } catch (KuduException e) {
      return e;
    }
  }

  /** Whole rows of the latest snapshot and of some older ones. */
  private static List<List<String>> readAll(TabletHarness harness) throws IOException {
    List<List<String>> answers = new ArrayList<>();
    long latest = harness.tablet().latestSnapshot();
    for (long snapshot = latest; snapshot > 1000; snapshot -= (latest - 1000) / 4 + 1) {
      answers.add(
          TabletScanText.read(harness.tablet(), harness.environment().allocator(), snapshot));
    }
    return answers;
  }

  /** Writes at least two rowsets with files of all kinds, and an entry that is only in the log. */
  private static void live(TabletHarness harness, Random random) throws IOException {
    write(harness, random, OperationType.INSERT, 100);
    for (int round = 0; round < 3; round++) {
      write(harness, random, OperationType.UPSERT, 40);
      write(harness, random, OperationType.DELETE, 5);
      harness.tablet().flush();
      for (MaintenanceTask task : harness.tablet().maintenance().candidates(0, 1 << 20)) {
        if (task.kind() == MaintenanceTask.Kind.MAJOR_DELTA_COMPACTION) {
          task.run();
        }
      }
    }
    write(harness, random, OperationType.UPSERT, 60);
    write(harness, random, OperationType.DELETE, 5);
    RowOp staged = TabletTest.op(OperationType.INSERT, 0, 1000, 1, 1, 2, "staged");
    harness.write(List.of(RowOp.request(null, 7, 0, 1, SCHEMA, List.of(staged))));
    harness.tablet().flush();
    write(harness, random, OperationType.UPSERT, 10);
  }

  private static void write(TabletHarness harness, Random random, OperationType type, int count) {
    List<RowOp> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int key = random.nextInt(150);
      rows.add(
          type == OperationType.DELETE
              ? TabletTest.op(type, 0, key)
              : TabletTest.op(type, 0, key, 1, random.nextInt(), 2, "text " + random.nextInt(20)));
    }
    harness.write(List.of(RowOp.request(null, 0, 1, SCHEMA, rows)));
  }
}
