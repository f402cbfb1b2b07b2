package dev.kudu4j.tablet.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.sketch.DistinctSketch;
import dev.kudu4j.common.thread.EventLoopThread;
import dev.kudu4j.common.thread.WouldBlock;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.collect.CollectorMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory that open scans with results report while they return these results. */
class CollectedMemoryTest {
  private static final int ROWS = 4000; // fewer than a block has
  private static final int BLOCK_ROWS = 4096;
  private static final int INSERTED = 100;
  private static final int LATER = 1000;
  private static final ColumnSchema KEY =
      ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build();
  private static final ColumnSchema RISING = TabletParts.column(1, "rising", DataType.INT64, false);
  private static final Schema SCHEMA = new Schema(List.of(KEY, RISING));
  private static final Schema NOTHING = new Schema(List.of());

  @TempDir private Path directory;
  private TabletParts parts;

  @BeforeEach
  void load() {
    parts = new TabletParts(directory, SCHEMA, BLOCK_ROWS, 4096);
    for (int i = 0; i < ROWS; i++) {
      byte[] key = new byte[4];
      LittleEndian.putInt(key, 0, i);
      byte[] rising = new byte[8];
      LittleEndian.putLong(rising, 0, 10L * i);
      byte[][] cells = {key, rising};
      parts.insert(TabletParts.key(SCHEMA, cells), cells, INSERTED);
    }
  }

  @AfterEach
  void close() {
    parts.close();
  }

  private static long held() {
    return CollectorMemory.ofProcess().usedBytes();
  }

  @Test
  void groupsOfOneBlockAreHeldUntilTheyAreReturned() throws IOException {
    Aggregation each =
        new Aggregation(List.of(RISING), List.of(Aggregate.sum(Expression.column(RISING))));
    ScanSpec spec = ScanSpec.of(NOTHING, LATER).withAggregation(each);
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), each.resultColumns())) {
      assertThat(scanner.next(batch, 1)).isTrue();
      int cells = Long.BYTES;
      assertThat(held()).isGreaterThan((long) ROWS * (cells + 3 * Long.BYTES));
      while (scanner.next(batch, Long.MAX_VALUE)) {
        // all groups into one batch
      }
      assertThat(batch.rowCount()).isEqualTo(ROWS);
      assertThat(held()).as("the arrays for a chunk").isBetween(1L, 8L * ROWS);
    }
    assertThat(held()).isZero();
  }

  @Test
  void ranksOfFirstRowsAreHeldUntilTheScanEnds() throws IOException {
    int wanted = ROWS - 1000;
    TopN last = new TopN(List.of(new TopN.Order(RISING, false, true)), wanted);
    ScanSpec spec = ScanSpec.of(SCHEMA, LATER).withTop(last);
    long ofBlock = (long) Long.BYTES * BLOCK_ROWS;
    long ofBound = (long) Long.BYTES * wanted;
    long ofKept = (long) Long.BYTES * wanted;
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), SCHEMA)) {
      assertThat(scanner.next(batch, 1)).isTrue();
      assertThat(held()).isGreaterThanOrEqualTo(ofBlock + ofBound + ofKept);
      while (scanner.next(batch, Long.MAX_VALUE)) {
        // all rows into one batch
      }
      assertThat(batch.rowCount()).isEqualTo(wanted);
      assertThat(held()).isBetween(ofBlock + ofBound, ofBlock + ofBound + ofKept / 2);
    }
    assertThat(held()).isZero();
  }

  /**
   * A count runs on an event loop if a block takes a microsecond, but not if it takes a
   * millisecond.
   */
  @Test
  void longCountsDoNotRunOnAnEventLoop() throws Exception {
    assertThat(countOnEventLoop(1_000)).isNull();
    assertThat(countOnEventLoop(1_000_000)).isInstanceOf(WouldBlock.class);
    assertThat(held()).isZero();
  }

  /** What a count of all rows throws on an event loop if each block takes the time; else null. */
  private Throwable countOnEventLoop(long nanosPerBlock) throws Exception {
    AtomicLong nanos = new AtomicLong();
    parts.clock(() -> nanos.addAndGet(nanosPerBlock));
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    EventLoopThread loop =
        new EventLoopThread(
            () ->
                EventLoopThread.current()
                    .runNonBlocking(() -> outcome.complete(catchThrowable(this::count))),
            "loop");
    loop.start();
    loop.join();
    return outcome.join();
  }

  private void count() throws IOException {
    Aggregation count = new Aggregation(List.of(), List.of(Aggregate.count()));
    ScanSpec spec =
        ScanSpec.of(NOTHING, LATER).withAggregation(count).withBlockRows(BLOCK_ROWS / 8);
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), count.resultColumns())) {
      assertThat(scanner.next(batch, Long.MAX_VALUE)).isFalse();
      assertThat(batch.rowCount()).isOne();
    }
  }

  @Test
  void arraysOfSketchesAreHeld() throws IOException {
    Aggregation each =
        new Aggregation(List.of(KEY), List.of(Aggregate.distinctSketch(Expression.column(RISING))));
    ScanSpec spec = ScanSpec.of(NOTHING, LATER).withAggregation(each);
    try (TabletScanner scanner = parts.scan(spec);
        ColumnBatch batch = new ColumnBatch(parts.allocator(), each.resultColumns())) {
      assertThat(scanner.next(batch, 1)).isTrue();
      long ofSketch = 160L + new DistinctSketch().memoryBytes();
      assertThat(held()).isGreaterThan(ROWS * (ofSketch + Long.BYTES + Integer.BYTES));
    }
    assertThat(held()).isZero();
  }
}
