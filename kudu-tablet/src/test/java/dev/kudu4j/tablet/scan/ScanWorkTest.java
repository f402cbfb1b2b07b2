package dev.kudu4j.tablet.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.delta.RowChange;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data that a scan reads, and the data that it skips. */
class ScanWorkTest {
  private static final int ROWS = 20_000;
  private static final int INSERTED = 100;
  private static final int LATER = 1000;
  private static final ColumnSchema KEY =
      ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build();
  private static final ColumnSchema RISING = TabletParts.column(1, "rising", DataType.INT64, false);
  private static final ColumnSchema TEXT = TabletParts.column(2, "text", DataType.STRING, true);
  private static final Schema SCHEMA = new Schema(List.of(KEY, RISING, TEXT));
  private static final Schema NOTHING = new Schema(List.of());

  @TempDir Path directory;

  @Test
  void equalityOnTheWholeKeyLooksAtOneRow() throws IOException {
    try (TabletParts parts = flushedRows()) {
      ScanSpec spec = filtered(SCHEMA, new ColumnPredicate.Equality(KEY, int32(777)));
      try (TabletScanner scanner = parts.scan(spec);
          ColumnBatch batch = new ColumnBatch(parts.allocator(), SCHEMA)) {
        assertThat(scanner.next(batch, 1)).isFalse();
        assertThat(batch.rowCount()).isEqualTo(1);
        assertThat(TabletParts.row(batch, 0).get(0)).isEqualTo(int32(777));
        assertThat(scanner.rowsScanned()).isEqualTo(1);
      }
    }
  }

  @Test
  void pagesRuledOutByStatisticsAreNotRead() throws IOException {
    try (TabletParts parts = flushedRows()) {
      long all = bytesRead(parts, ScanSpec.of(SCHEMA, LATER), ROWS);
      ScanSpec few =
          filtered(SCHEMA, new ColumnPredicate.Range(RISING, int64(50_000), int64(50_100)));
      assertThat(bytesRead(parts, few, 10)).isLessThan(all / 20);
    }
  }

  @Test
  void aPageIsReadWhenAChangeMayMakeItMatch() throws IOException {
    try (TabletParts parts = flushedRows()) {
      byte[][] cells = {int32(5), int64(50_000), null};
      byte[] key = TabletParts.key(SCHEMA, cells);
      parts.mutate(0, key, RowChange.UPDATE, List.of(1), cells, INSERTED + 1, 0);
      ScanSpec spec = filtered(NOTHING, new ColumnPredicate.Equality(RISING, int64(50_000)));
      assertThat(count(parts, spec)).isEqualTo(2);
    }
  }

  @Test
  void countingRowsReadsNoCells() throws IOException {
    try (TabletParts parts = flushedRows()) {
      assertThat(bytesRead(parts, ScanSpec.of(NOTHING, LATER), ROWS)).isZero();
      byte[][] cells = {int32(5), null, null};
      byte[] key = TabletParts.key(SCHEMA, cells);
      parts.mutate(0, key, RowChange.DELETE, List.of(), cells, INSERTED + 1, 0);
      assertThat(bytesRead(parts, ScanSpec.of(NOTHING, LATER), ROWS - 1)).isZero();
      assertThat(count(parts, ScanSpec.of(NOTHING, INSERTED + 1))).isEqualTo(ROWS);
      assertThat(count(parts, ScanSpec.of(NOTHING, INSERTED))).isZero();
    }
  }

  @Test
  void extremesAndPresentCellsAreReadFromStatistics() throws IOException {
    try (TabletParts parts = flushedRows()) {
      long texts = ROWS - (ROWS + 2) / 3;
      assertThat(extremes(parts, true)).containsExactly((long) ROWS, 0L, 10L * (ROWS - 1), texts);
      byte[][] cells = {int32(0), int64(-7), null};
      byte[] key = TabletParts.key(SCHEMA, cells);
      parts.mutate(0, key, RowChange.UPDATE, List.of(1), cells, INSERTED + 1, 0);
      assertThat(extremes(parts, false)).containsExactly((long) ROWS, -7L, 10L * (ROWS - 1), texts);
      parts.mutate(0, key, RowChange.DELETE, List.of(), cells, INSERTED + 2, 0);
      assertThat(extremes(parts, false)).containsExactly(ROWS - 1L, 10L, 10L * (ROWS - 1), texts);
    }
  }

  /** The rows, the least and the greatest rising number, and the cells with text. */
  private static List<Long> extremes(TabletParts parts, boolean withoutReading) throws IOException {
    Expression rising = Expression.column(RISING);
    Aggregation aggregation =
        new Aggregation(
            List.of(),
            List.of(
                Aggregate.count(),
                Aggregate.min(rising),
                Aggregate.max(rising),
                Aggregate.count(Expression.column(TEXT))));
    ScanSpec spec = ScanSpec.of(NOTHING, LATER).withAggregation(aggregation);
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), aggregation.resultColumns())) {
      assertThat(scanner.next(batch, Long.MAX_VALUE)).isFalse();
      assertThat(scanner.bytesRead() == 0).isEqualTo(withoutReading);
      List<byte[]> row = TabletParts.row(batch, 0);
      return row.stream().map(cell -> LittleEndian.getLong(cell, 0)).toList();
    }
  }

  @Test
  void aSnapshotDoesNotChangeDuringWrites() throws IOException {
    try (TabletParts parts = flushedRows()) {
      for (int i = ROWS; i < ROWS + 2000; i++) {
        insert(parts, i);
      }
      AtomicBoolean stop = new AtomicBoolean();
      CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> writeOn(parts, stop));
      try {
        for (int round = 0; round < 20; round++) {
          assertThat(checksum(parts, round % 2 == 0)).isEqualTo(sumOfKeys(ROWS + 2000));
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
  }

  private static void writeOn(TabletParts parts, AtomicBoolean stop) {
    try {
      for (int i = 0; !stop.get() && i < 500_000; i++) {
        int number = (int) (i * 7919L % (ROWS + 2000));
        byte[][] cells = {int32(number), int64(-1), null};
        byte[] key = TabletParts.key(SCHEMA, cells);
        byte kind = i % 3 == 0 ? RowChange.DELETE : RowChange.UPDATE;
        List<Integer> columns = kind == RowChange.DELETE ? List.of() : List.of(1, 2);
        parts.mutate(number < ROWS ? 0 : -2, key, kind, columns, cells, LATER + i, 0);
        byte[][] fresh = {int32(-1 - i), int64(0), null};
        parts.insert(TabletParts.key(SCHEMA, fresh), fresh, LATER + i);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long sumOfKeys(int rows) {
    return (long) rows * (rows - 1) / 2 * 11;
  }

  /** The sum of both numbers of all rows: 11 times the key each. */
  private static long checksum(TabletParts parts, boolean ordered) throws IOException {
    ScanSpec spec =
        new ScanSpec(
            SCHEMA, List.of(), LATER, -1, null, null, null, ordered, false, Long.MAX_VALUE);
    long sum = 0;
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), SCHEMA)) {
      boolean more = true;
      while (more) {
        more = scanner.next(batch, 1);
        for (int i = 0; i < batch.rowCount(); i++) {
          List<byte[]> row = TabletParts.row(batch, i);
          sum += LittleEndian.getInt(row.get(0), 0) + LittleEndian.getLong(row.get(1), 0);
        }
        batch.clear();
      }
    }
    return sum;
  }

  @Test
  void aCorruptPageFailsTheScanWithoutALeak() throws IOException {
    try (TabletParts parts = flushedRows()) {
      corruptPages(directory.resolve("base-0"));
      for (boolean ordered : new boolean[] {false, true}) {
        ScanSpec spec =
            new ScanSpec(
                SCHEMA, List.of(), LATER, -1, null, null, null, ordered, true, Long.MAX_VALUE);
        assertThatThrownBy(() -> count(parts, spec))
            .isInstanceOfSatisfying(
                KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.CORRUPTION))
            .hasMessageContaining("base-0");
      }
    }
  }

  /** Corrupts the first half of the file, where the pages are. */
  private static void corruptPages(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      for (long at = 64; at < bytes.length() / 2; at += 100) {
        bytes.seek(at);
        int value = bytes.read();
        bytes.seek(at);
        bytes.write(value ^ 0x40);
      }
    }
  }

  @Test
  void anUnknownColumnIsRejectedAndThePinReleased() throws IOException {
    try (TabletParts parts = flushedRows()) {
      ColumnSchema unknown = TabletParts.column(9, "nope", DataType.INT8, true);
      Components pinned = parts.pin();
      ScanSpec spec = ScanSpec.of(new Schema(List.of(unknown)), LATER);
      assertThatThrownBy(() -> TabletScans.open(parts.environment(), pinned, SCHEMA, spec))
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("nope");
      assertThatThrownBy(pinned::unpin).isInstanceOf(IllegalStateException.class);
    }
  }

  private TabletParts flushedRows() throws IOException {
    TabletParts parts = new TabletParts(directory, SCHEMA, 4096, 4096);
    for (int i = 0; i < ROWS; i++) {
      insert(parts, i);
    }
    parts.flushStep();
    parts.flushStep();
    return parts;
  }

  private static void insert(TabletParts parts, int number) {
    byte[] text = number % 3 == 0 ? null : ("row " + number % 100).getBytes(StandardCharsets.UTF_8);
    byte[][] cells = {int32(number), int64(10L * number), text};
    parts.insert(TabletParts.key(SCHEMA, cells), cells, INSERTED);
  }

  private static ScanSpec filtered(Schema projection, ColumnPredicate predicate) {
    return new ScanSpec(
        projection, List.of(predicate), LATER, -1, null, null, null, false, false, Long.MAX_VALUE);
  }

  private static long bytesRead(TabletParts parts, ScanSpec spec, int rows) throws IOException {
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), spec.projection())) {
      while (scanner.next(batch, Long.MAX_VALUE)) {
        // all rows into one batch
      }
      assertThat(batch.rowCount()).isEqualTo(rows);
      return scanner.bytesRead();
    }
  }

  private static long count(TabletParts parts, ScanSpec spec) throws IOException {
    long count = 0;
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), spec.projection())) {
      boolean more = true;
      while (more) {
        more = scanner.next(batch, 1);
        count += batch.rowCount();
        batch.clear();
      }
    }
    return count;
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
