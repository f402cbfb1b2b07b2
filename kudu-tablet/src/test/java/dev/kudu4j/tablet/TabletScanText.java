package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.ChangeKind;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.feed.FeedRequest;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;

/** Reads a tablet into text that a {@link TabletModel} can be compared with. */
final class TabletScanText {
  /** The id of the column that says whether a row of a diff scan is deleted. */
  static final int IS_DELETED_ID = 1_000_000;

  private TabletScanText() {}

  /** An ordered scan of all columns. */
  static ScanSpec spec(Schema schema, long snapshot) {
    return new ScanSpec(
        schema, List.of(), snapshot, -1, null, null, null, true, false, Long.MAX_VALUE);
  }

  /** A diff scan since a start, with a column that says whether a row is deleted. */
  static ScanSpec diffSpec(Schema schema, long start, long snapshot) {
    List<ColumnSchema> columns = new ArrayList<>(schema.columns());
    columns.add(
        ColumnSchema.builder("gone", DataType.IS_DELETED)
            .id(IS_DELETED_ID)
            .readDefault(new byte[1])
            .build());
    return new ScanSpec(
        new Schema(columns),
        List.of(),
        snapshot,
        start,
        null,
        null,
        null,
        true,
        false,
        Long.MAX_VALUE);
  }

  static List<String> readDiff(Tablet tablet, BufferAllocator allocator, long start, long snapshot)
      throws IOException {
    ScanSpec spec = diffSpec(tablet.schema(), start, snapshot);
    try (TabletScanner scanner = tablet.scan(spec)) {
      return drain(scanner, spec.projection(), allocator);
    }
  }

  static List<String> read(Tablet tablet, BufferAllocator allocator, long snapshot)
      throws IOException {
    Schema schema = tablet.schema();
    try (TabletScanner scanner = tablet.scan(spec(schema, snapshot))) {
      return drain(scanner, schema, allocator);
    }
  }

  /** Rows of a scan without columns. */
  static long count(Tablet tablet, BufferAllocator allocator, long snapshot) throws IOException {
    Schema none = new Schema(List.of());
    long rows = 0;
    try (TabletScanner scanner = tablet.scan(ScanSpec.of(none, snapshot));
        ColumnBatch batch = new ColumnBatch(allocator, none)) {
      boolean more = true;
      while (more) {
        batch.clear();
        more = scanner.next(batch, 1 << 10);
        rows += batch.rowCount();
      }
    }
    return rows;
  }

  static List<String> drain(TabletScanner scanner, Schema schema, BufferAllocator allocator)
      throws IOException {
    List<String> rows = new ArrayList<>();
    try (ColumnBatch batch = new ColumnBatch(allocator, schema)) {
      boolean more = true;
      while (more) {
        batch.clear();
        more = scanner.next(batch, 1 << 10);
        for (int row = 0; row < batch.rowCount(); row++) {
          rows.add(text(batch, row));
        }
      }
    }
    return rows;
  }

  /**
   * Reads the change feed piece by piece, also when no more of it is final; the changes as {@link
   * TabletModel#changes} has them.
   */
  static List<String> readChanges(
      Tablet tablet,
      BufferAllocator allocator,
      Random random,
      long start,
      long end,
      int maxChanges,
      long softLimitBytes)
      throws IOException {
    List<String> changes = new ArrayList<>();
    FeedPosition position = FeedPosition.at(start);
    while (position.timestamp() < end) {
      long now = random.nextInt(4) > 0 ? end : Math.min(end, start + random.nextLong(end - start));
      FeedRequest request =
          new FeedRequest(
              tablet.schema(),
              position,
              now,
              maxChanges,
              softLimitBytes,
              random.nextInt(8) == 0 ? 0 : Long.MAX_VALUE);
      try (ChangeBatch batch = new ChangeBatch(allocator, tablet.schema())) {
        tablet.readChanges(request, batch);
        int row = 0;
        for (int i = 0; i < batch.count(); i++) {
          ChangeKind kind = batch.kind(i);
          String before = kind == ChangeKind.INSERT ? "" : text(batch.rows(), row++);
          String after = kind == ChangeKind.DELETE ? "" : text(batch.rows(), row++);
          changes.add(batch.timestamp(i) + ": " + before + "-> " + after);
        }
        assertThat(batch.rows().rowCount()).isEqualTo(row);
        position = batch.next();
      }
    }
    return changes;
  }

  /** The row as text; of a deleted row only the key. */
  private static String text(ColumnBatch batch, int row) {
    StringBuilder text = new StringBuilder();
    int columns = batch.schema().columnCount();
    boolean gone =
        columns > 0
            && batch.schema().column(columns - 1).type() == DataType.IS_DELETED
            && Memory.getByte(batch.column(columns - 1).cellAddress(row)) != 0;
    for (int i = 0; i < columns; i++) {
      byte[] cell = null;
      boolean told = !gone || i < batch.schema().keyColumnCount() || i == columns - 1;
      if (told && !batch.column(i).isNull(row)) {
        cell = new byte[batch.column(i).cellLength(row)];
        Memory.copy(batch.column(i).cellAddress(row), cell, 0, cell.length);
      }
      text.append(batch.schema().column(i).id())
          .append('=')
          .append(Arrays.toString(cell))
          .append(' ');
    }
    return text.toString();
  }
}
