package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.cache.PageCache;
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
import dev.kudu4j.tablet.scan.index.IndexHint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** A tablet with an indexed number and an indexed text, on disk. */
public final class IndexedTablet implements AutoCloseable {
  private static final int ROWS = 1_000_000;
  private static final int REQUEST_ROWS = 2000;

  /** Odd, so that multiples are different modulo a power of two. */
  private static final int SPREAD = 0x9e3779b1;

  private static final ColumnSchema KEY =
      ColumnSchema.builder("id", DataType.INT64).id(0).key(true).build();
  private static final ColumnSchema NUMBER =
      ColumnSchema.builder("number", DataType.INT32).id(1).build();
  private static final ColumnSchema TEXT =
      ColumnSchema.builder("text", DataType.STRING).id(2).build();
  private static final Schema SCHEMA = new Schema(List.of(KEY, NUMBER, TEXT));

  private final Path directory;
  private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
  private final PageCache pages = new PageCache(allocator, 256L << 20);
  private final RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(SCHEMA));
  private final ColumnBatch rows = new ColumnBatch(allocator, SCHEMA);
  private final ColumnBatch counted = new ColumnBatch(allocator, new Schema(List.of()));
  private final Random random = new Random(1);
  private final int matches;
  private final Tablet tablet;
  private long index;
  private long inserted;

  /** The column with the filter. */
  public enum Column {
    NUMBER,
    TEXT
  }

  private IndexedTablet(int matches, Uniqueness uniqueness, boolean indexed) throws IOException {
    this.matches = matches;
    directory = Files.createTempDirectory("kudu-bench-index");
    List<IndexDefinition> indexes =
        List.of(
            new IndexDefinition(0, "by_number", List.of(1), List.of(), uniqueness),
            new IndexDefinition(1, "by_text", List.of(2), List.of(), uniqueness));
    byte[] definitions = IndexWire.toBytes(indexed ? indexes : List.of());
    tablet =
        Tablet.create(
            new TabletEnvironment(
                new LocalFileStore(),
                directory.resolve("tablet"),
                allocator,
                pages,
                CrashPoints.NONE,
                random,
                System::nanoTime,
                TabletOptions.DEFAULT),
            new TabletDescriptor(
                "0".repeat(32),
                "1".repeat(32),
                "indexed",
                SCHEMA,
                1,
                Map.of(TabletDescriptor.INDEXES, definitions)));
  }

  /**
   * A million rows; each value occurs equally often, in rows at random places.
   *
   * @param matches the rows of each value
   */
  static IndexedTablet withMatches(int matches) throws IOException {
    IndexedTablet made = new IndexedTablet(matches, Uniqueness.NOT_UNIQUE, true);
    int[] values = made.shuffled();
    for (int row = 0; row < ROWS; row++) {
      made.add(row, values[row] / matches);
    }
    made.tablet.flush();
    return made;
  }

  /**
   * Some rowsets, in which each value occurs once, at a random place.
   *
   * @param uniqueness of both indexes; null for no index
   */
  static IndexedTablet withRowSets(int rowSets, int rowsOfEach, @Nullable Uniqueness uniqueness)
      throws IOException {
    boolean indexed = uniqueness != null;
    IndexedTablet made =
        new IndexedTablet(1, indexed ? uniqueness : Uniqueness.NOT_UNIQUE, indexed);
    for (int i = 0; i < rowSets; i++) {
      made.insert(rowsOfEach);
      made.tablet.flush();
    }
    return made;
  }

  /** Inserts rows with new keys and values, in no order; a multiple of the rows of a request. */
  void insert(int rows) {
    for (int i = 0; i < rows; i++) {
      int number = (int) (inserted++ * SPREAD);
      add(number, number);
    }
    if (writer.rowCount() > 0) {
      send();
    }
  }

  private void add(long key, int value) {
    writer.begin(OperationType.INSERT).setLong(0, key);
    writer.setInt(1, value);
    writer.setString(2, text(value));
    writer.end();
    if (writer.rowCount() == REQUEST_ROWS) {
      send();
    }
  }

  private int[] shuffled() {
    int[] values = IntStream.range(0, ROWS).toArray();
    for (int i = ROWS - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
    return values;
  }

  private static String text(int value) {
    return String.format(Locale.ROOT, "customer %09d", value);
  }

  private void send() {
    WriteRequest request = new WriteRequest(null, 1, new int[] {0, 1, 2}, writer.packed());
    byte[] entry = LogEntry.encodeWrite(List.of(request));
    LogEntry.patchTimestamp(entry, 1000 + index++);
    var results = tablet.apply(new LogPosition(1, index), LogEntry.decode(entry, 0, entry.length));
    if (!results.get(0).errors().isEmpty()) {
      throw new IllegalStateException(results.get(0).errors().get(0).message());
    }
    writer.reset();
  }

  /**
   * A scan of the rows with a random value.
   *
   * @param counts whether only the number of rows is wanted, so that an index has all that is read
   */
  ScanSpec scan(Column column, boolean counts, IndexHint hint) {
    int value = random.nextInt(ROWS / matches);
    byte[] number = new byte[4];
    LittleEndian.putInt(number, 0, value);
    ColumnPredicate predicate =
        column == Column.NUMBER
            ? new ColumnPredicate.Equality(NUMBER, number)
            : new ColumnPredicate.Equality(TEXT, text(value).getBytes(StandardCharsets.UTF_8));
    return new ScanSpec(
            counts ? new Schema(List.of()) : SCHEMA,
            List.of(predicate),
            tablet.latestSnapshot(),
            -1,
            null,
            null,
            null,
            false,
            false,
            Long.MAX_VALUE)
        .withIndexHint(hint);
  }

  /** Reads all rows of the scan. */
  int read(ScanSpec scan) throws IOException {
    ColumnBatch result = scan.projection().columnCount() == 0 ? counted : rows;
    result.clear();
    try (TabletScanner scanner = tablet.scan(scan)) {
      while (scanner.next(result, Long.MAX_VALUE)) {
        // all rows into one batch
      }
    }
    if (result.rowCount() != matches) {
      throw new IllegalStateException("Expected " + matches + " rows, found " + result.rowCount());
    }
    return matches;
  }

  @Override
  public void close() throws IOException {
    rows.close();
    counted.close();
    tablet.close();
    pages.close();
    allocator.close();
    HotRowTablet.deleteAll(directory);
  }
}
