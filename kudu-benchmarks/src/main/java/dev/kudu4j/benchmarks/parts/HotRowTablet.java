package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A tablet of a thousand rows. Each row is updated once. Then the row {@link #HOT} is updated a
 * hundred thousand times; each of these updates sets one of eight columns, in turn.
 */
public final class HotRowTablet implements AutoCloseable {
  static final int HOT = 500;
  static final int ONCE = 501;
  private static final int ROWS = 1000;
  private static final int UPDATES = 100_000;
  private static final int COLUMNS = 8;
  private static final int REQUEST_ROWS = 1000;
  private static final Schema SCHEMA = schema();

  private final Path directory;
  private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
  private final PageCache pages = new PageCache(allocator, 256L << 20);
  private final RowLayout layout = RowLayout.of(SCHEMA);
  private final RowOperationsWriter writer = new RowOperationsWriter(layout);
  private final Tablet tablet;
  private final ColumnBatch row = new ColumnBatch(allocator, SCHEMA);
  private LogPosition position = new LogPosition(1, 0);
  private long clock = 1000;
  private final long early;
  private final long middle;

  HotRowTablet(Store store) throws IOException {
    directory = Files.createTempDirectory("kudu-bench-hot-row");
    tablet =
        Tablet.create(
            new TabletEnvironment(
                new LocalFileStore(),
                directory.resolve("tablet"),
                allocator,
                pages,
                CrashPoints.NONE,
                new Random(1),
                System::nanoTime,
                TabletOptions.DEFAULT),
            new TabletDescriptor("0".repeat(32), "1".repeat(32), "hot", SCHEMA, 1, Map.of()));
    for (int key = 0; key < ROWS; key++) {
      add(OperationType.INSERT, key, -1);
    }
    flushUnless(store == Store.MEM_ROW_SET);
    for (int key = 0; key < ROWS; key++) {
      add(OperationType.UPDATE, key, 1);
    }
    send();
    early = tablet.latestSnapshot();
    update(UPDATES / 2);
    middle = tablet.latestSnapshot();
    update(UPDATES / 2);
    flushUnless(store == Store.MEM_ROW_SET || store == Store.DELTA_MEM_STORE);
    if (store == Store.UNDO_FILE) {
      rewriteColumns();
    }
  }

  /** The store that contains the changes. */
  public enum Store {
    MEM_ROW_SET,
    DELTA_MEM_STORE,
    REDO_FILE,
    UNDO_FILE
  }

  /** The state to read: after all updates of the hot row, after half of them, or before them. */
  public enum State {
    LATEST,
    MIDDLE,
    EARLY
  }

  private static Schema schema() {
    ColumnSchema[] columns = new ColumnSchema[1 + COLUMNS];
    for (int i = 0; i <= COLUMNS; i++) {
      columns[i] = ColumnSchema.builder("c" + i, DataType.INT32).id(i).key(i == 0).build();
    }
    return new Schema(List.of(columns));
  }

  private void update(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      add(OperationType.UPDATE, HOT, 1 + i % COLUMNS);
    }
    send();
  }

  /**
   * Adds an operation that sets the given value column, or every value column if {@code column} is
   * negative.
   */
  private void add(OperationType type, int key, int column) throws IOException {
    writer.begin(type).setInt(0, key);
    for (int i = 1; i <= COLUMNS; i++) {
      if (column < 0 || column == i) {
        writer.setInt(i, writer.rowCount());
      }
    }
    writer.end();
    if (writer.rowCount() == REQUEST_ROWS) {
      send();
    }
  }

  private void send() {
    if (writer.rowCount() == 0) {
      return;
    }
    WriteRequest request =
        new WriteRequest(null, 1, IntStream.rangeClosed(0, COLUMNS).toArray(), writer.packed());
    byte[] entry = LogEntry.encodeWrite(List.of(request));
    LogEntry.patchTimestamp(entry, clock++);
    position = new LogPosition(1, position.index() + 1);
    tablet.apply(position, LogEntry.decode(entry, 0, entry.length));
    writer.reset();
  }

  private void flushUnless(boolean inMemory) throws IOException {
    send();
    if (!inMemory) {
      tablet.flush();
    }
  }

  private void rewriteColumns() throws IOException {
    Components now = tablet.pinComponents();
    long rowSet = now.rowSets().get(0).id();
    now.unpin();
    tablet
        .maintenance()
        .rewriteColumns(rowSet, IntStream.rangeClosed(1, COLUMNS).boxed().toList(), 0);
  }

  private long snapshot(State state) {
    return switch (state) {
      case LATEST -> tablet.latestSnapshot();
      case MIDDLE -> middle;
      case EARLY -> early;
    };
  }

  /** A scan that looks up a row. */
  ScanSpec lookUp(int key, State state) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, key);
    KeyBuffer encoded = new KeyBuffer();
    KeyEncoder.appendCell(DataType.INT32, cell, 0, 4, true, encoded);
    byte[] lower = encoded.toByteArray();
    byte[] upper = Arrays.copyOf(lower, lower.length + 1);
    return new ScanSpec(
        SCHEMA, List.of(), snapshot(state), -1, lower, upper, null, false, false, Long.MAX_VALUE);
  }

  /** Reads one whole row. */
  int read(ScanSpec lookUp) throws IOException {
    row.clear();
    try (TabletScanner scanner = tablet.scan(lookUp)) {
      while (scanner.next(row, 1 << 20)) {
        // the batch has room for the only row
      }
    }
    if (row.rowCount() != 1) {
      throw new IllegalStateException("Expected one row, found " + row.rowCount());
    }
    return row.rowCount();
  }

  @Override
  public void close() throws IOException {
    row.close();
    tablet.close();
    pages.close();
    allocator.close();
    deleteAll(directory);
  }

  /** Deletes a directory with its content. */
  static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(HotRowTablet::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
