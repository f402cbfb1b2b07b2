package dev.kudu4j.tserver.derived;

import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.derived.DerivedLayout;
import dev.kudu4j.tablet.derived.DerivedRows;
import dev.kudu4j.tablet.derived.FeedMerge;
import dev.kudu4j.tablet.derived.KeyFilter;
import dev.kudu4j.tablet.derived.PartitionFilter;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.feed.FeedRequest;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tserver.tablets.Derivation;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads rows of one tablet of an index from one tablet of the base table. Used once.
 *
 * <p>Positions below the build timestamp T0 are places in the snapshot at T0, whose rows are read
 * in the order of their keys, and get the timestamp T0 - 1. All others are places in the change
 * feed.
 */
final class SourceReader {
  private static final int MAX_CHANGES = 8192;

  /** Rows may be wide, and a block is read as a whole. */
  private static final int BLOCK_ROWS = 64;

  /** Far less than an entry may have. */
  private static final int MAX_PART_BYTES = 128 << 10;

  /** Others wait for the thread. */
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** The schema version of derived rows is that of the tablet that gets them. */
  private static final int NO_VERSION = 0;

  /**
   * What to read.
   *
   * @param end no operation below it can still arrive
   */
  record Range(Derivation derivation, FeedPosition from, long end) {
    boolean isBuild() {
      return from.timestamp() < derivation.buildTimestamp();
    }
  }

  /**
   * What was read.
   *
   * @param next the position behind it
   * @param more whether there are more rows already
   */
  record Rows(List<FeedMerge.Part> parts, FeedPosition next, boolean more) {}

  private final Tablet tablet;
  private final Range range;
  private final Schema projection;
  private final Predicate<byte[]> keys;
  private final DerivedRows rows;
  private final BufferAllocator allocator;
  private final int maxBytes;

  private SourceReader(
      Tablet tablet,
      Range range,
      Schema projection,
      Predicate<byte[]> keys,
      DerivedRows rows,
      BufferAllocator allocator,
      int maxBytes) {
    this.tablet = tablet;
    this.range = range;
    this.projection = projection;
    this.keys = keys;
    this.rows = rows;
    this.allocator = allocator;
    this.maxBytes = maxBytes;
  }

  /**
   * @param allocator borrowed
   */
  static SourceReader of(
      Tablet tablet,
      Range range,
      PartitionSchemaPB partitioning,
      PartitionPB partition,
      BufferAllocator allocator,
      int maxBytes) {
    Schema base = tablet.schema();
    DerivedLayout layout =
        DerivedLayout.of(
            base, range.derivation.index().columns(), range.derivation.index().included());
    PartitionSchema schema = PartitionWire.fromWire(partitioning, layout.schema());
    schema.validate(layout.schema());
    Partition bounds = PartitionWire.fromWire(partition);
    DerivedRows rows =
        new DerivedRows(
            layout,
            NO_VERSION,
            new DerivedRows.Limits(TabletOptions.DEFAULT.maxKeyBytes(), MAX_PART_BYTES),
            new PartitionFilter(layout, schema, bounds));
    return new SourceReader(
        tablet,
        range,
        layout.projectionOf(base),
        KeyFilter.of(base, layout, schema, bounds),
        rows,
        allocator,
        maxBytes);
  }

  /**
   * @throws TooLongException if a row's key is too long for the index
   * @throws HistoryLostException if the index has to be built again
   */
  Rows read() throws IOException {
    Rows read = range.isBuild() ? readSnapshot() : readChanges();
    if (rows.tooLong() > 0) {
      throw new TooLongException();
    }
    return read;
  }

  /** What is to be read is no longer all kept. */
  static final class HistoryLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HistoryLostException() {
      super("The history of the table from the position on is no longer all kept");
    }
  }

  /** Rows of the base table have no place in the index. */
  static final class TooLongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLongException() {
      super(
          "The indexed columns and the primary key of a row are longer together than a key may be,"
              + " "
              + TabletOptions.DEFAULT.maxKeyBytes()
              + " bytes; drop the index, or shorten the row");
    }
  }

  private Rows readChanges() throws IOException {
    FeedRequest request =
        new FeedRequest(projection, range.from, range.end, MAX_CHANGES, maxBytes, MAX_NANOS, keys);
    checkHistory(range.from.timestamp()); // the feed would refuse
    try (ChangeBatch changes = new ChangeBatch(allocator, projection)) {
      tablet.readChanges(request, changes);
      FeedPosition next = changes.next();
      return new Rows(rows.of(changes), next, next.timestamp() < range.end);
    }
  }

  private void checkHistory(long first) {
    if (first < tablet.statistics().ancientHistoryMark()) {
      throw new HistoryLostException();
    }
  }

  private Rows readSnapshot() throws IOException {
    long snapshot = range.derivation.buildTimestamp();
    ScanSpec scan =
        new ScanSpec(
                projection,
                List.of(),
                snapshot,
                -1,
                null,
                null,
                range.from.afterKey(),
                true,
                true,
                Long.MAX_VALUE)
            .withBlockRows(BLOCK_ROWS);
    long deadline = System.nanoTime() + MAX_NANOS;
    try (TabletScanner scanner = tablet.scan(scan);
        ColumnBatch found = new ColumnBatch(allocator, projection)) {
      boolean more = true;
      while (more
          && found.bytes() < maxBytes
          && (found.rowCount() == 0 || System.nanoTime() < deadline)) {
        more = scanner.next(found, maxBytes);
      }
      checkHistory(snapshot);
      FeedPosition next =
          more ? new FeedPosition(snapshot - 1, scanner.lastKey()) : FeedPosition.at(snapshot);
      return new Rows(rows.of(found, snapshot - 1, next), next, true);
    }
  }
}
