package dev.kudu4j.tablet.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.scan.source.ScanWork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The counters of scans of a tablet with three DiskRowSets of 10,000 rows each and a MemRowSet of
 * 500. The keys of the rows are 0, 2, 4 and so on, in this order; a second column has ten times the
 * number of the row, a third its remainder by 7.
 */
class ScanCountersTest {
  private static final int ROWSETS = 3;
  private static final int ROWS = 10_000;
  private static final int ROWS_IN_MEMORY = 500;
  private static final int BLOCK_ROWS = 4096;
  private static final int INSERTED = 100;
  private static final int LATER = 1000;
  private static final ColumnSchema KEY =
      ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build();
  private static final ColumnSchema RISING = TabletParts.column(1, "rising", DataType.INT64, false);
  private static final ColumnSchema REST = TabletParts.column(2, "rest", DataType.INT32, false);
  private static final Schema SCHEMA = new Schema(List.of(KEY, RISING, REST));
  private static final Schema NOTHING = new Schema(List.of());

  @TempDir private Path directory;
  private TabletParts parts;

  @BeforeEach
  void load() throws IOException {
    parts = new TabletParts(directory, SCHEMA, BLOCK_ROWS, 2048);
    for (int i = 0; i < ROWSETS * ROWS + ROWS_IN_MEMORY; i++) {
      if (i > 0 && i % ROWS == 0) {
        parts.flushStep();
        parts.flushStep();
      }
      parts.insert(TabletParts.key(SCHEMA, cells(i)), cells(i), INSERTED);
    }
    assertThat(parts.diskCount()).isEqualTo(ROWSETS);
  }

  @AfterEach
  void close() {
    parts.close();
  }

  @Test
  void aWholeScanReadsEachPageOnce() throws IOException {
    ScanWork work = work(ScanSpec.of(SCHEMA, LATER), ROWSETS * ROWS + ROWS_IN_MEMORY);
    assertThat(work.rowSets()).isEqualTo(ROWSETS);
    assertThat(work.rowSetsOutside() + work.rowSetsWithoutKeys() + work.rowSetsCounted()).isZero();
    assertThat(work.memRowSets()).isEqualTo(1);
    long pages = pages(KEY, page -> true) + pages(RISING, page -> true) + pages(REST, page -> true);
    assertThat(pages).isGreaterThan(3 * ROWSETS);
    assertThat(work.pages()).isEqualTo(pages);
    assertThat(work.reads().columnPages()).isEqualTo(pages);
    assertThat(work.pagesExcluded() + work.pagesBehind() + work.pagesCertain()).isZero();
    assertThat(work.reads().diskBytes() + work.reads().cachedBytes())
        .isEqualTo(bytes(KEY) + bytes(RISING) + bytes(REST));
    assertThat(work.rowsVisited()).isEqualTo(ROWSETS * ROWS + ROWS_IN_MEMORY);
    assertThat(work.rowsMatched()).isEqualTo(ROWSETS * ROWS + ROWS_IN_MEMORY);
    assertThat(work.rowsCounted()).isZero();
    assertThat(work.cellsDecoded()).isEqualTo(3 * (ROWSETS * ROWS + ROWS_IN_MEMORY));
    assertThat(work.deltaFilesRead()).isZero();
    assertThat(work.changes()).isZero();
  }

  @Test
  void anOrderedScanReadsTheSame() throws IOException {
    ScanSpec ordered =
        new ScanSpec(SCHEMA, List.of(), LATER, -1, null, null, null, true, true, Long.MAX_VALUE);
    ScanWork work = work(ordered, ROWSETS * ROWS + ROWS_IN_MEMORY);
    assertThat(work.reads().columnPages()).isEqualTo(work.pages());
    assertThat(work.rowsMatched()).isEqualTo(ROWSETS * ROWS + ROWS_IN_MEMORY);
  }

  @Test
  void statisticsExcludePagesOfAPredicate() throws IOException {
    ColumnPredicate range = new ColumnPredicate.Range(RISING, int64(50_000), int64(50_100));
    ScanWork work = work(filtered(new Schema(List.of(RISING)), range), 10);
    long matching = pages(RISING, page -> page >= 50_000 && page < 50_100);
    long excluded = excluded(50_000, 50_099);
    assertThat(work.pages()).isEqualTo(pages(RISING, page -> true));
    assertThat(work.pagesExcluded()).isEqualTo(excluded);
    assertThat(work.reads().columnPages()).isEqualTo(work.pages() - excluded);
    assertThat(matching).isLessThanOrEqualTo(work.pages() - excluded);
    assertThat(work.rowsMatched()).isEqualTo(10);
    assertThat(work.rowsVisited()).isEqualTo(ROWSETS * ROWS + ROWS_IN_MEMORY);
    assertThat(work.cellsDecoded()).isLessThan(2 * BLOCK_ROWS);
  }

  @Test
  void pagesThatMatchAsAWholeAreNotReadForThePredicate() throws IOException {
    ColumnPredicate all = new ColumnPredicate.Range(RISING, int64(-1), int64(10_000_000));
    ScanWork work = work(filtered(NOTHING, all), ROWSETS * ROWS + ROWS_IN_MEMORY);
    assertThat(work.pagesCertain()).isEqualTo(pages(RISING, page -> true));
    assertThat(work.reads().columnPages()).isZero();
    assertThat(work.reads().diskBytes() + work.reads().cachedBytes()).isZero();
    assertThat(work.rowsMatched()).isEqualTo(ROWSETS * ROWS + ROWS_IN_MEMORY);
  }

  @Test
  void keyBoundsExcludeRowSets() throws IOException {
    byte[] lower = TabletParts.key(SCHEMA, cells(ROWS));
    byte[] upper = TabletParts.key(SCHEMA, cells(ROWS + 200));
    ScanSpec bounded =
        new ScanSpec(
            SCHEMA, List.of(), LATER, -1, lower, upper, null, false, false, Long.MAX_VALUE);
    ScanWork work = work(bounded, 200);
    assertThat(work.rowSets()).isEqualTo(ROWSETS);
    assertThat(work.rowSetsOutside()).isEqualTo(ROWSETS - 1);
    assertThat(work.rowsVisited()).isEqualTo(200);
    assertThat(work.rowsMatched()).isEqualTo(200);
    ScanSpec nowhere =
        new ScanSpec(
            SCHEMA, List.of(), LATER, -1, upper, lower, null, false, false, Long.MAX_VALUE);
    assertThat(work(nowhere, 0).rowSetsOutside()).isEqualTo(ROWSETS);
  }

  @Test
  void aKeyThatDoesNotExistReadsNoPage() throws IOException {
    ColumnPredicate between = new ColumnPredicate.Equality(KEY, int32(2 * ROWS + 1));
    ScanWork work = work(filtered(SCHEMA, between), 0);
    assertThat(work.rowSetsOutside()).isEqualTo(ROWSETS - 1);
    assertThat(work.rowSetsWithoutKeys()).isEqualTo(1);
    assertThat(work.pages()).isZero();
    assertThat(work.rowsVisited()).isZero();
    ScanWork found = work(filtered(SCHEMA, new ColumnPredicate.Equality(KEY, int32(4))), 1);
    assertThat(found.rowSetsWithoutKeys()).isZero();
    assertThat(found.reads().columnPages()).isEqualTo(3);
    assertThat(found.rowsVisited()).isEqualTo(1);
  }

  @Test
  void rowsAreCountedWithoutReading() throws IOException {
    ScanWork work = work(ScanSpec.of(NOTHING, LATER), ROWSETS * ROWS + ROWS_IN_MEMORY);
    assertThat(work.rowSetsCounted()).isEqualTo(ROWSETS);
    assertThat(work.rowsCounted()).isEqualTo(ROWSETS * ROWS);
    assertThat(work.rowsVisited()).isEqualTo(ROWS_IN_MEMORY);
    assertThat(work.rowsMatched()).isEqualTo(ROWSETS * ROWS + ROWS_IN_MEMORY);
    assertThat(work.pages()).isZero();
    Aggregation extremes =
        new Aggregation(
            List.of(), List.of(Aggregate.count(), Aggregate.max(Expression.column(RISING))));
    ScanWork greatest = work(ScanSpec.of(NOTHING, LATER).withAggregation(extremes), 1);
    assertThat(greatest.rowSetsCounted()).isEqualTo(ROWSETS);
    assertThat(greatest.pages()).isEqualTo(pages(RISING, page -> true));
    assertThat(greatest.reads().columnPages()).isZero();
  }

  @Test
  void onlyDeltaFilesOfScannedColumnsAreRead() throws IOException {
    for (int i = 0; i < 5; i++) {
      update(0, i, 1, INSERTED + 1);
    }
    parts.flushDeltasStep(0);
    parts.flushDeltasStep(0);
    update(0, 7, 1, INSERTED + 2);
    update(1, ROWS + 7, 1, INSERTED + 2);
    int files = ROWSETS * 2 + 1; // each flush has written an empty REDO and an UNDO file
    int all = ROWSETS * ROWS + ROWS_IN_MEMORY;
    ScanWork work = work(ScanSpec.of(new Schema(List.of(RISING)), LATER), all);
    assertThat(work.deltaFiles()).isEqualTo(files);
    assertThat(work.deltaFilesRead()).isEqualTo(1);
    assertThat(work.changes()).isEqualTo(7);
    assertThat(work.reads().diskBytes() + work.reads().cachedBytes()).isGreaterThan(bytes(RISING));
    ScanWork other = work(ScanSpec.of(new Schema(List.of(REST)), LATER), all);
    assertThat(other.deltaFiles()).isEqualTo(files);
    assertThat(other.deltaFilesRead()).isZero();
    assertThat(other.reads().diskBytes() + other.reads().cachedBytes()).isEqualTo(bytes(REST));
  }

  @Test
  void theBoundOfAnOrderSkipsPages() throws IOException {
    TopN first = new TopN(List.of(new TopN.Order(RISING, true, true)), 10);
    ScanWork work = work(ScanSpec.of(new Schema(List.of(RISING)), LATER).withTop(first), 10);
    int read;
    long all = 0;
    BaseData base = open(0);
    try (ColumnReader reader = base.openColumn(RISING.id())) {
      read = reader.pageOf(BLOCK_ROWS - 1) + 1; // of the first block; later blocks are behind
      int second = reader.pageOf(BLOCK_ROWS);
      all = pages(RISING, page -> true);
      assertThat(work.pagesBehind()).isEqualTo(all - second);
    } finally {
      base.release();
    }
    assertThat(work.reads().columnPages()).isEqualTo(read);
    assertThat(work.pagesExcluded()).isZero();
    assertThat(work.rowsMatched()).isEqualTo(ROWSETS * ROWS + ROWS_IN_MEMORY);
  }

  /** The first rows are returned in rounds that fit into the memory. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 4000, 6000, 20_000})
  void manyFirstRowsNeedLittleMemory(int wanted) throws IOException {
    TopN last = new TopN(List.of(new TopN.Order(RISING, false, true)), wanted);
    ScanSpec spec = ScanSpec.of(SCHEMA, LATER).withTop(last);
    Set<Long> found = new HashSet<>();
    try (BufferAllocator scans = parts.allocator().newChildAllocator("scans", 0, 768 << 10);
        TabletScanner scanner = parts.scan(spec, scans);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), SCHEMA)) {
      boolean more = true;
      while (more) {
        batch.clear();
        more = scanner.next(batch, 64 << 10);
        for (int row = 0; row < batch.rowCount(); row++) {
          found.add(LittleEndian.getLong(TabletParts.row(batch, row).get(1), 0) / 10);
        }
      }
    }
    long rows = ROWSETS * ROWS + ROWS_IN_MEMORY;
    assertThat(LongStream.range(rows - wanted, rows).allMatch(found::contains)).isTrue();
  }

  @Test
  void encodedCellsAreCounted() throws IOException {
    Aggregation sums =
        new Aggregation(List.of(REST), List.of(Aggregate.sum(Expression.column(RISING))));
    ScanWork work = work(ScanSpec.of(NOTHING, LATER).withAggregation(sums), 7);
    assertThat(work.rowsMatched()).isEqualTo(ROWSETS * ROWS + ROWS_IN_MEMORY);
    int all = ROWSETS * ROWS + ROWS_IN_MEMORY;
    assertThat(work.cellsDecoded() + work.reads().encodedCells())
        .as("groups and numbers of each row")
        .isEqualTo(2L * all);
    assertThat(work.reads().columnPages()).isEqualTo(work.pages());
    Aggregation sum = new Aggregation(List.of(), List.of(Aggregate.sum(Expression.column(REST))));
    ScanWork rest = work(ScanSpec.of(NOTHING, LATER).withAggregation(sum), 1);
    assertThat(rest.reads().encodedCells()).isEqualTo(ROWSETS * ROWS);
    assertThat(rest.cellsDecoded()).isEqualTo(ROWS_IN_MEMORY);
  }

  @Test
  void aCellIsCountedAsDecodedOrEncodedNotBoth() throws IOException {
    ColumnPredicate rest = new ColumnPredicate.Equality(REST, int32(3));
    int all = ROWSETS * ROWS + ROWS_IN_MEMORY;
    ScanWork work = work(filtered(NOTHING, rest), (all + 3) / 7);
    assertThat(work.cellsDecoded() + work.reads().encodedCells()).isEqualTo(all);
    ColumnPredicate ends = new ColumnPredicate.InList(RISING, List.of(int64(50), int64(304_990)));
    ScanWork list = work(filtered(NOTHING, ends), 2);
    assertThat(list.cellsDecoded() + list.reads().encodedCells()).isLessThanOrEqualTo(all);
  }

  @Test
  void aSumOnEncodedPagesCountsExcludedAndCertainPages() throws IOException {
    Aggregation sum = new Aggregation(List.of(), List.of(Aggregate.sum(Expression.column(RISING))));
    ColumnPredicate few = new ColumnPredicate.Range(RISING, int64(50_000), int64(50_100));
    long excluded = excluded(50_000, 50_099);
    ScanWork work = work(filtered(NOTHING, few).withAggregation(sum), 1);
    assertThat(work.rowsMatched()).isEqualTo(10);
    assertThat(work.pagesExcluded()).isEqualTo(excluded);
    assertThat(work.pagesCertain()).isZero();
    assertThat(work.reads().columnPages()).isEqualTo(work.pages() - excluded);
    ColumnPredicate all = new ColumnPredicate.Range(RISING, int64(-1), int64(10_000_000));
    ScanWork whole = work(filtered(NOTHING, all).withAggregation(sum), 1);
    assertThat(whole.pagesCertain()).isEqualTo(whole.pages());
    assertThat(whole.pagesExcluded()).isZero();
    ScanWork unfiltered = work(ScanSpec.of(NOTHING, LATER).withAggregation(sum), 1);
    assertThat(unfiltered.pagesCertain()).isZero();
  }

  private void update(int place, int row, int column, int timestamp) throws IOException {
    byte[] key = TabletParts.key(SCHEMA, cells(row));
    parts.mutate(place, key, RowChange.UPDATE, List.of(column), cells(row), timestamp, 0);
  }

  private static byte[][] cells(int row) {
    return new byte[][] {int32(2 * row), int64(10L * row), int32(row % 7)};
  }

  private BaseData open(int rowSet) throws IOException {
    // Each rowset has a file of base data, one of UNDO and one of REDO deltas.
    return BaseData.open(parts.environment(), directory.resolve("base-" + 3 * rowSet));
  }

  /** The number of pages of a column in all rowsets whose least cell is accepted. */
  private long pages(ColumnSchema column, LongPredicate atLeast) throws IOException {
    long count = 0;
    for (int i = 0; i < ROWSETS; i++) {
      BaseData base = open(i);
      try (ColumnReader reader = base.openColumn(column.id())) {
        for (int page = 0; page < reader.pageCount(); page++) {
          byte[] cell = reader.minimum(page);
          count += atLeast.test(cell.length == 8 ? LittleEndian.getLong(cell, 0) : 0) ? 1 : 0;
        }
      } finally {
        base.release();
      }
    }
    return count;
  }

  /** The number of pages of the rising column without a number from least to greatest. */
  private long excluded(long atLeast, long greatest) throws IOException {
    long count = 0;
    for (int i = 0; i < ROWSETS; i++) {
      BaseData base = open(i);
      try (ColumnReader reader = base.openColumn(RISING.id())) {
        for (int page = 0; page < reader.pageCount(); page++) {
          boolean below = LittleEndian.getLong(reader.maximum(page), 0) < atLeast;
          count += below || LittleEndian.getLong(reader.minimum(page), 0) > greatest ? 1 : 0;
        }
      } finally {
        base.release();
      }
    }
    return count;
  }

  private long bytes(ColumnSchema column) throws IOException {
    long bytes = 0;
    for (int i = 0; i < ROWSETS; i++) {
      BaseData base = open(i);
      try {
        bytes += base.columnBytes(column.id());
      } finally {
        base.release();
      }
    }
    return bytes;
  }

  private static ScanSpec filtered(Schema projection, ColumnPredicate predicate) {
    return new ScanSpec(
        projection, List.of(predicate), LATER, -1, null, null, null, false, false, Long.MAX_VALUE);
  }

  /** Reads a scan to its end, which has this number of rows. */
  private ScanWork work(ScanSpec spec, int rows) throws IOException {
    Schema columns =
        spec.aggregation() == null ? spec.projection() : spec.aggregation().resultColumns();
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), columns)) {
      while (scanner.next(batch, Long.MAX_VALUE)) {
        // all rows into one batch
      }
      assertThat(batch.rowCount()).isEqualTo(rows);
      return scanner.work();
    }
  }

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
}
