package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Delta compactions change files, but not the results of scans. */
class DeltaCompactionTest {
  private static final int VALUE = 1;
  private static final int TEXT = 2;
  private static final int ADDED = 3;
  private static final long BUDGET = 128 << 20;
  private static final MaintenanceTask.Kind MINOR = MaintenanceTask.Kind.MINOR_DELTA_COMPACTION;
  private static final MaintenanceTask.Kind MAJOR = MaintenanceTask.Kind.MAJOR_DELTA_COMPACTION;
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("value", DataType.INT32).id(VALUE).build(),
              ColumnSchema.builder("text", DataType.STRING).id(TEXT).nullable(true).build()));

  private TabletHarness harness;

  @BeforeEach
  void makeTablet() throws IOException {
    harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT);
  }

  @AfterEach
  void closeTablet() {
    harness.close();
  }

  private void write(OperationType type, Object... idsAndValues) {
    RowOp op = TabletTest.op(type, idsAndValues);
    harness.write(List.of(RowOp.request(null, 0, 1, harness.tablet().schema(), List.of(op))));
  }

  /**
   * Writes twenty rows. Then updates each column, deletes a row and inserts it again, with flushes
   * in between.
   */
  private void live() throws IOException {
    for (int key = 0; key < 20; key++) {
      write(OperationType.INSERT, 0, key, VALUE, key, TEXT, "first " + key);
    }
    harness.tablet().flush();
    for (int round = 1; round <= 4; round++) {
      write(OperationType.UPDATE, 0, round, VALUE, 100 * round);
      write(OperationType.UPDATE, 0, 7, VALUE, 100 * round, TEXT, "round " + round);
      write(OperationType.UPDATE, 0, 8, TEXT, round % 2 == 0 ? null : "odd");
      write(OperationType.DELETE, 0, 10 + round);
      harness.tablet().flush();
    }
    write(OperationType.INSERT, 0, 11, VALUE, -11);
    harness.tablet().flush();
  }

  /** The rows at each snapshot that can be read. */
  private Map<Long, List<String>> everySnapshot() throws IOException {
    Map<Long, List<String>> read = new TreeMap<>();
    for (long t = lowestSnapshot(); t <= harness.tablet().latestSnapshot(); t++) {
      read.put(t, TabletScanText.read(harness.tablet(), harness.environment().allocator(), t));
    }
    return read;
  }

  private long lowestSnapshot() {
    return Math.max(1000, harness.tablet().statistics().ancientHistoryMark());
  }

  private MaintenanceTask candidate(MaintenanceTask.Kind kind, long mark) {
    return harness.tablet().maintenance().candidates(mark, BUDGET).stream()
        .filter(task -> task.kind() == kind)
        .findAny()
        .orElse(null);
  }

  /** Runs tasks of the kind until there is no candidate. */
  private int runAll(MaintenanceTask.Kind kind, long mark) throws IOException {
    int runs = 0;
    for (MaintenanceTask task = candidate(kind, mark); task != null; task = candidate(kind, mark)) {
      assertThat(task.readGain()).isPositive();
      assertThat(task.ioBytes()).isPositive();
      task.run();
      assertThat(++runs).as("compactions terminate").isLessThan(20);
    }
    return runs;
  }

  private List<DeltaFile> deltas(Function<DiskRowSet, List<DeltaFile>> of) {
    Components now = harness.tablet().pinComponents();
    try {
      List<DeltaFile> found = new ArrayList<>();
      now.rowSets().forEach(rowSet -> found.addAll(of.apply(rowSet)));
      return found;
    } finally {
      now.unpin();
    }
  }

  private void assertStillReads(Map<Long, List<String>> expected) throws IOException {
    assertThat(everySnapshot()).isEqualTo(expected);
    TabletChecker.verify(harness.environment());
    harness.restart();
    assertThat(everySnapshot()).isEqualTo(expected);
  }

  @Test
  void minorCompactionMergesFilesAndKeepsAllSnapshots() throws IOException {
    live();
    Map<Long, List<String>> before = everySnapshot();
    int files = deltas(DiskRowSet::redoFiles).size();
    assertThat(runAll(MINOR, 0)).isPositive();
    assertThat(deltas(DiskRowSet::redoFiles)).hasSizeLessThan(files);
    assertThat(deltas(DiskRowSet::undoFiles)).isEmpty();
    assertStillReads(before);
  }

  @Test
  void majorCompactionLeavesOnlyDeletionsInRedoAndKeepsTheHistory() throws IOException {
    live();
    Map<Long, List<String>> before = everySnapshot();
    assertThat(runAll(MAJOR, 0)).isPositive();
    assertThat(deltas(DiskRowSet::redoFiles))
        .allMatch(file -> file.count() == file.livenessChangeCount())
        .isNotEmpty();
    assertThat(deltas(DiskRowSet::undoFiles)).isNotEmpty();
    assertStillReads(before);
  }

  @Test
  void majorCompactionSkipsColumnsWithFewChanges() throws IOException {
    for (int key = 0; key < 300; key++) {
      write(OperationType.INSERT, 0, key, VALUE, key, TEXT, "first " + key);
    }
    harness.tablet().flush();
    for (int key = 0; key < 300; key += 10) {
      write(OperationType.UPDATE, 0, key, VALUE, -key);
    }
    write(OperationType.UPDATE, 0, 50, VALUE, 5, TEXT, "rare");
    harness.tablet().flush();
    Map<Long, List<String>> before = everySnapshot();
    assertThat(runAll(MAJOR, 0)).isEqualTo(1);
    assertThat(deltas(DiskRowSet::redoFiles))
        .singleElement()
        .matches(file -> file.changesOf(TEXT) == 1 && !file.touchesColumn(VALUE));
    assertStillReads(before);
    harness.tablet().maintenance().compactFully(0);
    assertThat(deltas(DiskRowSet::redoFiles)).isEmpty();
    assertStillReads(before);
  }

  @Test
  void undoFilesOfManyMajorCompactionsAreMerged() throws IOException {
    live();
    for (int round = 0; round < 4; round++) {
      runAll(MAJOR, 0);
      write(OperationType.UPDATE, 0, 3, VALUE, round);
      write(OperationType.UPDATE, 0, 4, TEXT, "again " + round, VALUE, round);
      write(OperationType.DELETE, 0, 15 + round);
      harness.tablet().flush();
    }
    runAll(MAJOR, 0);
    Map<Long, List<String>> before = everySnapshot();
    int files = deltas(DiskRowSet::undoFiles).size();
    assertThat(runAll(MINOR, 0)).isPositive();
    assertThat(deltas(DiskRowSet::undoFiles)).hasSizeLessThan(files);
    assertStillReads(before);
  }

  @Test
  void historyBelowTheMarkIsRemovedAndLaterScansOfItRejected() throws IOException {
    live();
    long mark = harness.tablet().latestSnapshot() - 8;
    Map<Long, List<String>> before = everySnapshot();
    before.keySet().removeIf(snapshot -> snapshot < mark);
    assertThat(runAll(MAJOR, mark)).isPositive();
    assertThat(deltas(DiskRowSet::undoFiles)).allMatch(file -> file.minTimestamp() >= mark);
    assertThat(harness.tablet().statistics().ancientHistoryMark()).isEqualTo(mark);
    assertStillReads(before);
    assertThatThrownBy(
            () ->
                TabletScanText.read(harness.tablet(), harness.environment().allocator(), mark - 1))
        .hasMessageContaining("tablet_history_max_age_sec");
    ScanSpec ancient = TabletScanText.spec(harness.tablet().schema(), mark - 1);
    Aggregation count = new Aggregation(List.of(), List.of(Aggregate.count()));
    assertThatThrownBy(() -> harness.tablet().aggregate(ancient, count))
        .hasMessageContaining("tablet_history_max_age_sec");
  }

  @Test
  void writesDuringACompactionAreKept() throws IOException {
    for (MaintenanceTask.Kind kind : List.of(MINOR, MAJOR)) {
      live();
      for (String step : CheckpointCrashPoints.OF_CHANGE) {
        harness.atCrashPoint(
            point -> {
              if (point.equals(step)) {
                write(OperationType.UPDATE, 0, 2, VALUE, 2222, TEXT, step);
                write(OperationType.UPSERT, 0, 12, VALUE, 1212);
                write(OperationType.DELETE, 0, 13);
              }
            });
        MaintenanceTask task = candidate(kind, 0);
        if (task != null) {
          task.run();
        }
        harness.atCrashPoint(null);
        Map<Long, List<String>> lived = everySnapshot();
        harness.crash(null);
        assertThat(everySnapshot()).isEqualTo(lived);
        write(OperationType.UPSERT, 0, 13, VALUE, 13);
        harness.tablet().flush();
      }
    }
  }

  @Test
  void aCrashAtAnyStepLosesNothing() throws IOException {
    for (MaintenanceTask.Kind kind : List.of(MINOR, MAJOR)) {
      for (String step : CheckpointCrashPoints.OF_CHANGE) {
        live();
        Map<Long, List<String>> before = everySnapshot();
        harness.atCrashPoint(
            point -> {
              if (point.equals(step)) {
                throw new SimulatedCrash(point);
              }
            });
        boolean died = false;
        try {
          candidate(kind, 0).run();
        } catch (SimulatedCrash expected) {
          died = true;
        }
        boolean passed =
            !step.equals(CheckpointCrashPoints.DURING_CARRY_OVER) // it carries nothing over
                && !step.equals(CheckpointCrashPoints.BEFORE_INDEX_SYNC) // there are no indexes
                && !step.equals(CheckpointCrashPoints.BEFORE_STAGED_SYNC) // only checkpoints do it
                && !(kind == MINOR && step.equals(CheckpointCrashPoints.BEFORE_BASE_SYNC));
        assertThat(died).as("%s: %s", kind, step).isEqualTo(passed);
        harness.crash(null);
        assertStillReads(before);
      }
    }
  }

  @Test
  void aScanOpenedBeforeReadsTheOldFilesToItsEnd() throws IOException {
    live();
    Schema schema = harness.tablet().schema();
    long snapshot = harness.tablet().latestSnapshot() - 5;
    List<String> expected = everySnapshot().get(snapshot);
    try (TabletScanner scan = harness.tablet().scan(TabletScanText.spec(schema, snapshot))) {
      runAll(MINOR, 0);
      runAll(MAJOR, 0);
      assertThat(TabletScanText.drain(scan, schema, harness.environment().allocator()))
          .isEqualTo(expected);
    }
  }

  @Test
  void cellsOfADroppedColumnAreNotRewritten() throws IOException {
    live();
    List<ColumnSchema> columns = new ArrayList<>(SCHEMA.columns());
    columns.remove(TEXT);
    harness.alter(new Schema(columns), "table");
    harness.tablet().flush();
    Map<Long, List<String>> before = everySnapshot();
    assertThat(deltas(DiskRowSet::redoFiles)).anyMatch(file -> file.touchesColumn(TEXT));
    runAll(MAJOR, 0);
    assertThat(deltas(DiskRowSet::redoFiles)).noneMatch(file -> file.touchesColumn(TEXT));
    assertThat(deltas(DiskRowSet::undoFiles)).noneMatch(file -> file.touchesColumn(TEXT));
    assertStillReads(before);
    harness.tablet().maintenance().compactFully(0);
    Components now = harness.tablet().pinComponents();
    assertThat(now.rowSets()).noneMatch(rowSet -> rowSet.base().hasColumn(TEXT));
    now.unpin();
    assertStillReads(before);
  }

  @Test
  void aColumnAddedLaterIsWrittenWithItsDefault() throws IOException {
    live();
    List<ColumnSchema> columns = new ArrayList<>(SCHEMA.columns());
    columns.add(
        ColumnSchema.builder("added", DataType.INT32)
            .id(ADDED)
            .readDefault(TabletTest.int32(77))
            .build());
    harness.alter(new Schema(columns), "table");
    write(OperationType.UPDATE, 0, 5, ADDED, 55);
    write(OperationType.UPDATE, 0, 6, ADDED, 66, VALUE, 66);
    harness.tablet().flush();
    Map<Long, List<String>> before = everySnapshot();
    runAll(MAJOR, 0);
    Components now = harness.tablet().pinComponents();
    assertThat(now.rowSets())
        .anyMatch(
            rowSet ->
                rowSet.onDisk().columnFiles().stream().anyMatch(file -> file.hasColumn(ADDED)));
    now.unpin();
    assertStillReads(before);
  }

  @Test
  void compactFullyLeavesNoUpdatesInRedoAndIsIdempotent() throws IOException {
    live();
    Map<Long, List<String>> before = everySnapshot();
    harness.tablet().maintenance().compactFully(0);
    assertThat(deltas(DiskRowSet::redoFiles))
        .allMatch(file -> file.count() == file.livenessChangeCount());
    assertStillReads(before);
    write(OperationType.UPDATE, 0, 3, VALUE, -3);
    harness.tablet().maintenance().compactFully(0);
    List<String> files = harness.files().list(TabletHarness.DIRECTORY);
    harness.tablet().maintenance().compactFully(0);
    assertThat(harness.files().list(TabletHarness.DIRECTORY)).isEqualTo(files);
  }
}
