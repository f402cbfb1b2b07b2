package dev.kudu4j.tablet.scan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.delta.RowChangeBuilder;
import dev.kudu4j.tablet.env.StorageHarness;
import dev.kudu4j.tablet.scan.index.IndexHint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Counts the changes that a reader visits for a row with a hundred thousand changes, compared with
 * a row with one change. Each change sets one column; only the first one also sets a second column.
 */
class HotRowTest {
  private static final int HOT = 5;
  private static final int COLD = 9;
  private static final int CHANGES = 100_000;
  private static final int OFTEN = 1;
  private static final int ONCE = 2;

  /** The maximum number of steps along a chain in memory, with jumps. */
  private static final int FEW = 40;

  private static final ColumnSchema KEY =
      ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build();
  private static final ColumnSchema CHANGED_OFTEN =
      ColumnSchema.builder("often", DataType.INT32).id(OFTEN).build();
  private static final ColumnSchema CHANGED_ONCE =
      ColumnSchema.builder("once", DataType.INT32).id(ONCE).build();
  private static final Schema SCHEMA = new Schema(List.of(KEY, CHANGED_OFTEN, CHANGED_ONCE));

  /** The cost of a read of one row, and the value of the requested column. */
  private record Read(long changes, long fileCalls, int value) {}

  /** A store, or a file, that feeds the changes of all rows. */
  private interface Feeds {
    DeltaIterator open();
  }

  private static byte[] change(int id, int value, boolean first) {
    RowChangeBuilder change = new RowChangeBuilder();
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    change.begin(RowChange.UPDATE);
    change.addCell(id, cell, 0, 4);
    if (first) {
      change.addCell(id == OFTEN ? ONCE : OFTEN, cell, 0, 4);
    }
    byte[] bytes = new byte[change.length()];
    System.arraycopy(change.array(), 0, bytes, 0, bytes.length);
    return bytes;
  }

  private static Read read(
      StorageHarness harness, Feeds feeds, ColumnSchema wanted, long row, long snapshot)
      throws IOException {
    ScanColumns columns = new ScanColumns(SCHEMA, new Schema(List.of(wanted)), List.of());
    CompiledScan plan =
        new CompiledScan(
            columns,
            null,
            snapshot,
            -1,
            null,
            null,
            null,
            1,
            1,
            false,
            IndexHint.NONE,
            new ScanWork());
    try (ChangeOverlay overlay = new ChangeOverlay(plan, harness.allocator());
        DeltaIterator feed = feeds.open()) {
      long calls = harness.files().calls();
      overlay.begin();
      feed.addTo(overlay, row, 1);
      assertThat(overlay.isOverridden(0, 0)).isTrue();
      return new Read(
          overlay.visited(), harness.files().calls() - calls, Memory.getInt(overlay.address(0, 0)));
    }
  }

  /** The hot row at the timestamps 1 to CHANGES, the cold one at 1. */
  private static DeltaMemStore store(StorageHarness harness) {
    DeltaMemStore store = new DeltaMemStore(harness.allocator(), 1 << 20);
    for (int t = 1; t <= CHANGES; t++) {
      byte[] change = change(OFTEN, t, t == 1);
      store.add(HOT, t, 0, change, 0, change.length);
      if (t == 1) {
        store.add(COLD, t, 0, change, 0, change.length);
      }
    }
    return store;
  }

  @Test
  void aReaderInMemoryNeedsFewSteps() throws IOException {
    try (StorageHarness harness = new StorageHarness();
        DeltaMemStore store = store(harness)) {
      Feeds feeds = () -> DeltaIterator.of(store);
      Read cold = read(harness, feeds, CHANGED_OFTEN, COLD, CHANGES + 1);
      assertThat(cold).isEqualTo(new Read(1, 0, 1));
      for (int snapshot : new int[] {CHANGES + 1, CHANGES / 2, 777, 2}) {
        assertThat(read(harness, feeds, CHANGED_OFTEN, HOT, snapshot))
            .isEqualTo(new Read(1, 0, snapshot - 1));
        Read once = read(harness, feeds, CHANGED_ONCE, HOT, snapshot);
        assertThat(once.value()).isEqualTo(1);
        assertThat(once.changes()).isLessThanOrEqualTo(FEW);
      }
    }
  }

  @Test
  void aReaderOfARedoFileReadsFewBlocks() throws IOException {
    try (StorageHarness harness = new StorageHarness(StorageHarness.pages(32 << 10))) {
      Path path = harness.path("redo");
      try (DeltaMemStore store = store(harness);
          DeltaFileWriter writer =
              new DeltaFileWriter(harness.environment(), path, DeltaFileWriter.Kind.REDO)) {
        writer.appendChain(HOT, store.newest(HOT));
        writer.appendChain(COLD, store.newest(COLD));
        writer.finish();
      }
      DeltaFile file = DeltaFile.open(harness.environment().uncached(), path);
      assertThat(file.footer().blocks()).hasSizeGreaterThan(50);
      Feeds feeds = () -> DeltaIterator.of(file, new ScanWork());
      Read cold = read(harness, feeds, CHANGED_OFTEN, COLD, CHANGES + 1);
      assertThat(cold).isEqualTo(new Read(1, 1, 1));
      assertThat(read(harness, feeds, CHANGED_OFTEN, HOT, CHANGES + 1))
          .isEqualTo(new Read(1, 1, CHANGES));
      for (int snapshot : new int[] {CHANGES / 2, 777, 2}) {
        Read old = read(harness, feeds, CHANGED_OFTEN, HOT, snapshot);
        assertThat(old.value()).isEqualTo(snapshot - 1);
        assertThat(old.fileCalls()).isLessThanOrEqualTo(2);
        assertThat(old.changes()).isLessThanOrEqualTo(3);
      }
      Read once = read(harness, feeds, CHANGED_ONCE, HOT, CHANGES + 1);
      assertThat(once.value()).isEqualTo(1);
      assertThat(once.fileCalls()).isLessThanOrEqualTo(2);
      assertThat(once.changes()).isLessThanOrEqualTo(3);
      file.release();
    }
  }

  @Test
  void aReaderOfAnUndoFileReadsFewBlocks() throws IOException {
    try (StorageHarness harness = new StorageHarness(StorageHarness.pages(32 << 10))) {
      Path path = harness.path("undo");
      try (DeltaMemStore changes = new DeltaMemStore(harness.allocator(), 1 << 20);
          DeltaFileWriter writer =
              new DeltaFileWriter(harness.environment(), path, DeltaFileWriter.Kind.UNDO)) {
        for (int t = 1; t <= CHANGES; t++) { // before t the row had t - 1
          byte[] change = change(OFTEN, t - 1, t == 1);
          changes.add(t, t, 0, change, 0, change.length);
          writer.appendEntry(HOT, changes.newest(t));
        }
        writer.appendEntry(COLD, changes.newest(1));
        writer.finish();
      }
      DeltaFile file = DeltaFile.open(harness.environment().uncached(), path);
      assertThat(file.footer().blocks()).hasSizeGreaterThan(50);
      Feeds feeds = () -> DeltaIterator.of(file, new ScanWork());
      assertThat(read(harness, feeds, CHANGED_OFTEN, COLD, 1)).isEqualTo(new Read(1, 1, 0));
      assertThat(read(harness, feeds, CHANGED_OFTEN, HOT, 1)).isEqualTo(new Read(1, 1, 0));
      for (int snapshot : new int[] {777, CHANGES / 2, CHANGES}) {
        Read old = read(harness, feeds, CHANGED_OFTEN, HOT, snapshot);
        assertThat(old.value()).isEqualTo(snapshot - 1);
        assertThat(old.fileCalls()).isLessThanOrEqualTo(2);
        assertThat(old.changes()).isLessThanOrEqualTo(3);
      }
      file.release();
    }
  }
}
