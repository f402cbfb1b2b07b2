package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.memory.Allocators;
import io.trino.tpch.LineItem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;

/** One tablet with {@code lineitem}, written through log entries that nobody keeps. */
final class OurEngine implements AutoCloseable {
  private static final int REQUEST_ROWS = 1000;
  private static final long FLUSH_BYTES = 128L << 20;

  /** More than the table takes: after the first round nothing is read from files. */
  private static final long PAGE_CACHE_BYTES = 2L << 30;

  private final LineItemTable table;
  private final BufferAllocator allocator = Allocators.root("benchmark", 8L << 30);
  private final PageCache pages = new PageCache(allocator, PAGE_CACHE_BYTES);
  private final TabletEnvironment environment;
  private final RowOperationsWriter writer;
  private final RowLayout layout;
  private Tablet tablet;
  private LogPosition position = new LogPosition(1, 0);
  private long clock = 1000;

  OurEngine(LineItemTable table, Path directory) throws IOException {
    this.table = table;
    this.layout = RowLayout.of(table.schema());
    this.writer = new RowOperationsWriter(layout);
    this.environment =
        new TabletEnvironment(
            new LocalFileStore(),
            directory,
            allocator,
            pages,
            CrashPoints.NONE,
            new Random(1),
            System::nanoTime,
            TabletOptions.DEFAULT);
  }

  void create() throws IOException {
    Schema schema = table.schema();
    tablet =
        Tablet.create(
            environment,
            new TabletDescriptor("0".repeat(32), "1".repeat(32), "lineitem", schema, 1, Map.of()));
  }

  void open() throws IOException {
    tablet = Tablet.open(environment);
    position = tablet.checkpoint();
    clock = Math.max(clock, tablet.maxTimestamp() + 1);
  }

  void insert(LineItem line) throws IOException {
    writer.begin(OperationType.INSERT);
    table.fill(writer, line);
    writer.end();
    if (writer.rowCount() == REQUEST_ROWS) {
      send();
    }
  }

  private void send() throws IOException {
    WriteRequest request =
        new WriteRequest(
            null,
            0,
            1,
            1,
            IntStream.range(0, table.schema().columnCount()).toArray(),
            layout,
            writer.rowsArray(),
            0,
            writer.rowsLength(),
            writer.indirectArray(),
            0,
            writer.indirectLength());
    byte[] entry = LogEntry.encodeWrite(List.of(request));
    LogEntry.patchTimestamp(entry, clock++);
    position = new LogPosition(1, position.index() + 1);
    tablet.apply(position, LogEntry.decode(entry, 0, entry.length));
    writer.reset();
    if (tablet.statistics().memRowSetBytes() > FLUSH_BYTES) {
      tablet.flush();
    }
  }

  /** Sends what is left, writes all to disk, and begins anew with what is there. */
  void finishLoad() throws IOException {
    if (writer.rowCount() > 0) {
      send();
    }
    tablet.flush();
    tablet.close();
    open();
  }

  LineItemTable table() {
    return table;
  }

  Tablet tablet() {
    return tablet;
  }

  BufferAllocator allocator() {
    return allocator;
  }

  @Override
  public void close() {
    if (tablet != null) {
      tablet.close();
    }
    pages.close();
    allocator.close();
  }
}
