package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.index.IndexHint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Indexes of rows in memory, with enough rows for several sorted runs. */
class MemoryIndexTest {
  private static final int REQUEST_ROWS = 500;
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("number", DataType.INT32).id(1).nullable(true).build(),
              ColumnSchema.builder("text", DataType.STRING).id(2).build()));
  private static final ColumnSchema ADDED =
      ColumnSchema.builder("added", DataType.INT64).id(3).readDefault(int64(7)).build();

  private final Random random = new Random(5);

  private static byte[] int32(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  private static byte[] int64(long value) {
    byte[] cell = new byte[8];
    LittleEndian.putLong(cell, 0, value);
    return cell;
  }

  private RowOp row(OperationType type, int key, Schema schema) {
    Map<Integer, byte[]> cells = new TreeMap<>();
    cells.put(0, int32(key));
    if (type != OperationType.DELETE) {
      cells.put(1, random.nextInt(10) == 0 ? null : int32(random.nextInt(3000)));
      cells.put(2, ("text " + random.nextInt(3000)).getBytes(StandardCharsets.UTF_8));
      if (schema.columnCount() > 3) {
        cells.put(3, int64(random.nextInt(100)));
      }
    }
    return new RowOp(type, cells);
  }

  private void write(TabletHarness harness, OperationType type, List<Integer> keys) {
    Schema schema = harness.tablet().schema();
    for (int first = 0; first < keys.size(); first += REQUEST_ROWS) {
      List<RowOp> rows = new ArrayList<>();
      for (int key : keys.subList(first, Math.min(keys.size(), first + REQUEST_ROWS))) {
        rows.add(row(type, key, schema));
      }
      harness.write(List.of(RowOp.request(null, 0, 1, schema, rows)));
    }
  }

  private void compare(TabletHarness harness, long... snapshots) throws IOException {
    for (long snapshot : snapshots) {
      for (int i = 0; i < 6; i++) {
        IndexedScans.compare(harness.tablet(), harness.environment().allocator(), random, snapshot);
      }
    }
  }

  private List<Integer> keys(int from, int to, int step) {
    List<Integer> keys = new ArrayList<>();
    for (int key = from; key < to; key += step) {
      keys.add(key * 31 % 100_003);
    }
    return keys;
  }

  @Test
  void scansAreTheSameWithAndWithoutIndexes() throws IOException {
    List<IndexDefinition> indexes =
        List.of(
            new IndexDefinition(0, "by_number", List.of(1), List.of()),
            new IndexDefinition(1, "by_text", List.of(2, 1), List.of()));
    try (TabletHarness harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT)) {
      write(harness, OperationType.INSERT, List.of(-1));
      harness.attribute(TabletDescriptor.INDEXES, IndexWire.toBytes(indexes));
      harness.tablet().flush(); // the next rows in memory are indexed
      write(harness, OperationType.INSERT, keys(0, 3000, 1));
      compare(harness, harness.tablet().latestSnapshot());
      write(harness, OperationType.INSERT, keys(3000, 14_000, 1));
      long early = harness.tablet().latestSnapshot();
      compare(harness, early);
      write(harness, OperationType.UPDATE, keys(0, 14_000, 13));
      write(harness, OperationType.DELETE, keys(0, 14_000, 29));
      long middle = harness.tablet().latestSnapshot();
      compare(harness, early, middle);

      List<ColumnSchema> columns = new ArrayList<>(SCHEMA.columns());
      columns.add(ADDED);
      harness.alter(new Schema(columns), "t");
      indexes = new ArrayList<>(indexes);
      indexes.add(new IndexDefinition(2, "by_added", List.of(3), List.of()));
      harness.attribute(TabletDescriptor.INDEXES, IndexWire.toBytes(indexes));
      write(harness, OperationType.INSERT, keys(14_000, 24_000, 1));
      compare(harness, early, middle, harness.tablet().latestSnapshot());
      harness.tablet().flush();
      write(harness, OperationType.INSERT, keys(24_000, 30_000, 1));
      compare(harness, early, middle, harness.tablet().latestSnapshot());
    }
  }

  /** Readers sort new rows while the writer adds more rows. */
  @Test
  void scansDuringInsertsSeeTheirSnapshots() throws Exception {
    List<IndexDefinition> indexes =
        List.of(
            new IndexDefinition(0, "by_number", List.of(1), List.of()),
            new IndexDefinition(1, "by_text", List.of(2), List.of()));
    try (TabletHarness harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT)) {
      write(harness, OperationType.INSERT, List.of(-1));
      harness.attribute(TabletDescriptor.INDEXES, IndexWire.toBytes(indexes));
      harness.tablet().flush();
      write(harness, OperationType.INSERT, keys(0, 2000, 1));
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> write(harness, OperationType.INSERT, keys(2000, 30_000, 1)));
      Random own = new Random(9);
      while (!writer.isDone()) {
        IndexedScans.compare(
            harness.tablet(),
            harness.environment().allocator(),
            own,
            harness.tablet().latestSnapshot());
      }
      writer.get();
    }
  }

  @Test
  void anIndexFindsTheRowsOfOneValue() throws IOException {
    List<IndexDefinition> indexes =
        List.of(new IndexDefinition(0, "by_text", List.of(2), List.of()));
    try (TabletHarness harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT)) {
      write(harness, OperationType.INSERT, List.of(-1));
      harness.attribute(TabletDescriptor.INDEXES, IndexWire.toBytes(indexes));
      harness.tablet().flush();
      write(harness, OperationType.INSERT, keys(0, 12_000, 1));
      ScanSpec spec =
          new ScanSpec(
                  SCHEMA,
                  List.of(
                      new ColumnPredicate.Equality(
                          SCHEMA.column(2), "text 5".getBytes(StandardCharsets.UTF_8))),
                  harness.tablet().latestSnapshot(),
                  -1,
                  null,
                  null,
                  null,
                  false,
                  false,
                  Long.MAX_VALUE)
              .withIndexHint(IndexHint.CHOSEN);
      try (TabletScanner scanner = harness.tablet().scan(spec)) {
        int rows = TabletScanText.drain(scanner, SCHEMA, harness.environment().allocator()).size();
        assertThat(rows).isPositive();
        assertThat(scanner.work().rowsIndexed()).isEqualTo(rows);
        assertThat(scanner.work().rowsVisited()).isLessThan(2 * rows + 2);
      }
    }
  }
}
