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
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import dev.kudu4j.tablet.memory.Allocators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;

/** One tablet of Kudu4j's engine. Writes are applied as log entries, but no log is written. */
final class OurEngine implements AutoCloseable {
  private static final int REQUEST_ROWS = 1000;
  private static final long FLUSH_BYTES = 128L << 20;
  private static final long MAINTENANCE_BUDGET_BYTES = 128L << 20;

  /** More than the size of the table, so that nothing is read from files after the first round. */
  private static final long PAGE_CACHE_BYTES = 2L << 30;

  private final Schema schema;
  private final Path directory;
  private final BufferAllocator allocator = Allocators.root(8L << 30);
  private final PageCache pages = new PageCache(allocator, PAGE_CACHE_BYTES);
  private final TabletEnvironment environment;
  private final RowOperationsWriter writer;
  private final RowLayout layout;
  private Tablet tablet;
  private LogPosition position = new LogPosition(1, 0);
  private long clock = 1000;

  OurEngine(Schema schema, Path directory) throws IOException {
    this.schema = schema;
    this.directory = directory;
    this.layout = RowLayout.of(schema);
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
    tablet =
        Tablet.create(
            environment,
            new TabletDescriptor("0".repeat(32), "1".repeat(32), "benchmark", schema, 1, Map.of()));
  }

  void open() throws IOException {
    tablet = Tablet.open(environment);
    position = tablet.checkpoint();
    clock = Math.max(clock, tablet.maxTimestamp() + 1);
  }

  /** Copies this tablet's files and opens the copy; the caller closes it. */
  OurEngine copy(Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    OurEngine copy = new OurEngine(schema, to);
    copy.open();
    return copy;
  }

  /** Starts an operation; set its cells, then call {@link #end}. */
  RowOperationsWriter begin(OperationType type) {
    return writer.begin(type);
  }

  /** Ends an operation. {@link #REQUEST_ROWS} operations are applied together, as one log entry. */
  void end() throws IOException {
    writer.end();
    if (writer.rowCount() == REQUEST_ROWS) {
      send();
    }
  }

  private void send() throws IOException {
    WriteRequest request =
        new WriteRequest(
            null, 1, IntStream.range(0, schema.columnCount()).toArray(), writer.packed());
    byte[] entry = LogEntry.encodeWrite(List.of(request));
    LogEntry.patchTimestamp(entry, clock++);
    position = new LogPosition(1, position.index() + 1);
    tablet.apply(position, LogEntry.decode(entry, 0, entry.length));
    writer.reset();
    if (tablet.statistics().memRowSetBytes() > FLUSH_BYTES) {
      tablet.flush();
    }
  }

  /** Applies the remaining operations and flushes everything to disk. */
  void flush() throws IOException {
    if (writer.rowCount() > 0) {
      send();
    }
    tablet.flush();
  }

  /** Flushes, and reopens the tablet from disk. */
  void reopen() throws IOException {
    flush();
    tablet.close();
    open();
  }

  /** Runs maintenance until there is nothing to do; returns the number of tasks. */
  int maintain() throws IOException {
    int done = 0;
    List<MaintenanceTask> tasks = tablet.maintenance().candidates(0, MAINTENANCE_BUDGET_BYTES);
    while (!tasks.isEmpty()) {
      tasks.get(0).run();
      done++;
      tasks = tablet.maintenance().candidates(0, MAINTENANCE_BUDGET_BYTES);
    }
    return done;
  }

  Schema schema() {
    return schema;
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
