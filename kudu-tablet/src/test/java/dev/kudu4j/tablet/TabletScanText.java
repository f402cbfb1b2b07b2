package dev.kudu4j.tablet;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Reads a tablet into text that a {@link TabletModel} can be compared with. */
final class TabletScanText {
  private TabletScanText() {}

  /** An ordered scan of all columns. */
  static ScanSpec spec(Schema schema, long snapshot) {
    return new ScanSpec(
        schema, List.of(), snapshot, -1, null, null, null, true, false, Long.MAX_VALUE);
  }

  static List<String> read(Tablet tablet, BufferAllocator allocator, long snapshot)
      throws IOException {
    Schema schema = tablet.schema();
    try (TabletScanner scanner = tablet.scan(spec(schema, snapshot))) {
      return drain(scanner, schema, allocator);
    }
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

  private static String text(ColumnBatch batch, int row) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < batch.schema().columnCount(); i++) {
      byte[] cell = null;
      if (!batch.column(i).isNull(row)) {
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
