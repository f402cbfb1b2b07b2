package dev.kudu4j.server.replica;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;

/** Tablets in files, and the number of their rows. */
final class TestTablets {
  private TestTablets() {}

  static TabletEnvironment environment(Path directory, BufferAllocator allocator) {
    return new TabletEnvironment(
        new LocalFileStore(),
        directory,
        allocator,
        CrashPoints.NONE,
        new Random(1),
        System::nanoTime,
        TabletOptions.DEFAULT);
  }

  /** The number of rows at a snapshot. */
  static long rowsAt(Tablet tablet, BufferAllocator allocator, long snapshot) throws IOException {
    Schema none = new Schema(List.of());
    try (TabletScanner scanner = tablet.scan(ScanSpec.of(none, snapshot));
        ColumnBatch batch = new ColumnBatch(allocator, none)) {
      long rows = 0;
      boolean more = true;
      while (more) {
        batch.clear();
        more = scanner.next(batch, 1 << 10);
        rows += batch.rowCount();
      }
      return rows;
    }
  }
}
