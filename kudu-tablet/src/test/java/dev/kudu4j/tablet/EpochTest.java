package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints;
import dev.kudu4j.tablet.checkpoint.PinnedCheckpoint;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletOptions;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tablet freezes its stores at the boundaries of epochs; here an epoch has 1000 timestamps. */
class EpochTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("value", DataType.INT32).id(1).build()));
  private static final long LENGTH = 1000;
  private static final long SECOND = HybridTime.ofMicros(1_000_000);

  private TabletHarness harness;
  private Tablet tablet;

  @BeforeEach
  void makeTablet() throws IOException {
    harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT);
    tablet = harness.tablet();
  }

  @AfterEach
  void closeTablet() {
    harness.close();
  }

  private void useEpochs() {
    harness.attribute(TabletDescriptor.EPOCHS, new Epochs(LENGTH).toBytes());
  }

  /** Writes a row at a timestamp. */
  private void writeAt(long timestamp, OperationType type, int key) {
    harness.advanceClock(timestamp - harness.nextTimestamp());
    RowOp op = TabletTest.op(type, 0, key, 1, (int) timestamp);
    harness.write(List.of(RowOp.request(null, 0, 1, harness.tablet().schema(), List.of(op))));
  }

  private void insertAt(long timestamp, int key) {
    writeAt(timestamp, OperationType.INSERT, key);
  }

  private boolean hasFrozenStores() {
    Components now = tablet.pinComponents();
    try {
      return now.hasFrozenStores();
    } finally {
      now.unpin();
    }
  }

  @Test
  void theFlushOfAnEpochWritesWhatIsOlderThanTheBoundary() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    insertAt(2999, 2);
    insertAt(3000, 3);
    insertAt(3500, 4);
    assertThat(hasFrozenStores()).isTrue();
    assertThat(tablet.oldestInMemory()).isEqualTo(2500);
    long boundary = tablet.applied().index() - 2;
    assertThat(tablet.flushEpoch().index()).isEqualTo(boundary);
    assertThat(tablet.checkpoint().index()).isEqualTo(boundary);
    assertThat(tablet.oldestInMemory()).isEqualTo(3000);
    assertThat(tablet.statistics().memRowSetBytes()).isPositive();
    assertThat(TabletScanText.count(tablet, harness.environment().allocator(), 3000)).isEqualTo(2);
    assertThat(TabletScanText.count(tablet, harness.environment().allocator(), 3501)).isEqualTo(4);
  }

  @Test
  void changesInDeltaMemStoresAreFrozenWithTheRows() throws IOException {
    useEpochs();
    insertAt(2100, 1);
    tablet.flush();
    writeAt(2200, OperationType.UPDATE, 1);
    writeAt(3100, OperationType.UPDATE, 1);
    assertThat(tablet.oldestInMemory()).isEqualTo(2200);
    tablet.flushEpoch();
    assertThat(tablet.oldestInMemory()).isEqualTo(3100);
  }

  @Test
  void aChangeOfAFrozenRowStaysInMemory() throws IOException {
    useEpochs();
    insertAt(2100, 1);
    insertAt(3100, 2);
    writeAt(3200, OperationType.UPDATE, 1);
    writeAt(3300, OperationType.UPDATE, 2);
    tablet.flushEpoch();
    assertThat(tablet.oldestInMemory()).isEqualTo(3100);
    List<String> before = read(3400);
    assertThat(read(3000)).isNotEqualTo(read(3250)).hasSize(1);
    harness.restart();
    tablet = harness.tablet();
    assertThat(read(3400)).isEqualTo(before);
  }

  private List<String> read(long snapshot) throws IOException {
    return TabletScanText.read(tablet, harness.environment().allocator(), snapshot);
  }

  @Test
  void nothingIsFrozenWithoutEpochs() throws IOException {
    insertAt(2500, 1);
    insertAt(3500, 2);
    assertThat(hasFrozenStores()).isFalse();
    assertThat(tablet.maintenance().epochDelay(3500 + 10 * SECOND)).isZero();
    assertThat(tablet.flushEpoch()).as("a whole flush").isEqualTo(tablet.applied());
    useEpochs();
    insertAt(4500, 3);
    harness.attribute(TabletDescriptor.EPOCHS, Epochs.NONE.toBytes());
    insertAt(5500, 4);
    assertThat(hasFrozenStores()).as("turned off again").isFalse();
  }

  @Test
  void nothingIsFrozenIfNothingIsInMemory() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    tablet.flush();
    insertAt(3500, 2);
    assertThat(hasFrozenStores()).isFalse();
    assertThat(tablet.maintenance().epochDelay(3600)).isZero();
  }

  @Test
  void aBoundaryIsSkippedWhileFrozenStoresWait() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    insertAt(3500, 2);
    insertAt(4500, 3);
    tablet.flushEpoch();
    assertThat(tablet.oldestInMemory()).as("not frozen at 4000").isEqualTo(3500);
    assertThat(hasFrozenStores()).isFalse();
    insertAt(5500, 4);
    tablet.flushEpoch();
    assertThat(tablet.oldestInMemory()).isEqualTo(5500);
  }

  @Test
  void aBoundaryIsSkippedWhileAFlushOrACompactionRuns() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    harness.atCrashPoint(
        point -> {
          if (point.equals(CheckpointCrashPoints.BEFORE_SUPERBLOCK)) {
            insertAt(harness.nextTimestamp() + LENGTH, (int) harness.nextTimestamp());
          }
        });
    tablet.flush();
    assertThat(hasFrozenStores()).isFalse();
    tablet.flush();
    assertThat(hasFrozenStores()).isFalse();
    tablet.maintenance().compactRowSets(rowSetIds(), 0);
    assertThat(hasFrozenStores()).isFalse();
    harness.atCrashPoint(null);
    assertThat(read(tablet.latestSnapshot())).as("rows written meanwhile").hasSize(4);
    insertAt(harness.nextTimestamp() + LENGTH, 9);
    assertThat(hasFrozenStores()).as("the next boundary").isTrue();
  }

  private List<Long> rowSetIds() {
    Components now = tablet.pinComponents();
    try {
      return now.rowSets().stream().map(rowSet -> rowSet.id()).toList();
    } finally {
      now.unpin();
    }
  }

  @Test
  void aBoundaryIsSkippedUntilAFailedCheckpointIsRepeated() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    harness.files().fillUpAfter(10);
    assertThat(flushFails()).isTrue();
    harness.files().fillUpAfter(Long.MAX_VALUE);
    insertAt(3500, 2);
    tablet.flushEpoch();
    assertThat(tablet.oldestInMemory()).isEqualTo(3500);
    insertAt(4500, 3);
    assertThat(hasFrozenStores()).isTrue();
  }

  @Test
  void frozenStoresWaitAfterAFailedFlushOfTheirEpoch() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    insertAt(3500, 2);
    harness.files().fillUpAfter(10);
    assertThat(flushFails()).isTrue();
    harness.files().fillUpAfter(Long.MAX_VALUE);
    insertAt(4500, 3);
    assertThat(tablet.oldestInMemory()).isEqualTo(2500);
    tablet.flushEpoch();
    assertThat(tablet.oldestInMemory()).isEqualTo(3500);
    assertThat(read(4600)).hasSize(3);
  }

  @Test
  void frozenStoresAreFlushedWhenEpochsAreTurnedOff() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    insertAt(3500, 2);
    harness.attribute(TabletDescriptor.EPOCHS, Epochs.NONE.toBytes());
    assertThat(tablet.maintenance().epochDelay(4000)).isPositive();
    tablet.flushEpoch();
    assertThat(tablet.oldestInMemory()).isEqualTo(3500);
    assertThat(tablet.maintenance().epochDelay(4000)).isZero();
    assertThat(read(4000)).hasSize(2);
  }

  @Test
  void aClosedTabletIsNotFlushedWithoutItsFrozenStores() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    insertAt(3500, 2);
    Tablet closed = tablet;
    harness.restart();
    tablet = harness.tablet();
    assertThatThrownBy(closed::flush).isInstanceOf(KuduException.class);
    assertThatThrownBy(closed::flushEpoch).isInstanceOf(KuduException.class);
    assertThat(read(4000)).hasSize(2);
  }

  @Test
  void aPinnedCheckpointHasNoFrozenStores() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    tablet.flush();
    insertAt(2600, 2);
    insertAt(3500, 3);
    try (PinnedCheckpoint pinned = tablet.pinCheckpoint()) {
      assertThat(pinned.position()).isEqualTo(tablet.checkpoint());
      tablet.flushEpoch();
      assertThat(pinned.position().index()).isLessThan(tablet.checkpoint().index());
    }
  }

  private boolean flushFails() {
    try {
      tablet.flushEpoch();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void aCompactionWritesTheFrozenStoresFirst() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    tablet.flush();
    insertAt(2600, 2);
    insertAt(3500, 3);
    tablet.maintenance().compactRowSets(rowSetIds(), 0);
    assertThat(hasFrozenStores()).isFalse();
    assertThat(tablet.oldestInMemory()).isEqualTo(3500);
    assertThat(read(3600)).hasSize(3);
  }

  @Test
  void aCrashAfterAFreezeLosesNothing() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    insertAt(3500, 2);
    List<String> rows = read(3600);
    harness.crash(null);
    tablet = harness.tablet();
    assertThat(read(3600)).isEqualTo(rows).hasSize(2);
    assertThat(hasFrozenStores()).as("the replay freezes at the same boundary").isTrue();
    tablet.flushEpoch();
    assertThat(tablet.oldestInMemory()).isEqualTo(3500);
  }

  @Test
  void theFlushIsDueAtOnceForFrozenStoresAndElseASecondAfterTheBoundary() throws IOException {
    useEpochs();
    insertAt(2500, 1);
    assertThat(tablet.maintenance().epochDelay(2999)).as("the epoch goes on").isZero();
    assertThat(tablet.maintenance().epochDelay(2999 + SECOND)).as("no later entry").isZero();
    assertThat(tablet.maintenance().epochDelay(3000 + SECOND)).isEqualTo(SECOND);
    insertAt(3500, 2);
    assertThat(tablet.maintenance().epochDelay(3600)).as("frozen").isEqualTo(600);
    tablet.flushEpoch();
    assertThat(tablet.maintenance().epochDelay(3600 + SECOND / 2)).isZero();
  }
}
