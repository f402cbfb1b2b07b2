package dev.kudu4j.tablet;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One thread applies, one flushes, two scan. Each request sets all rows to one value, so a scan
 * that sees two values has seen a part of a request.
 */
class TabletConcurrencyTest {
  private static final int KEYS = 50;
  private static final int REQUESTS = Integer.getInteger("tablet.concurrency.requests", 750);
  private static final int REQUESTS_A_FLUSH = 10;
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("value", DataType.INT32).id(1).build()));

  private final AtomicInteger written = new AtomicInteger();
  private final AtomicBoolean done = new AtomicBoolean();

  private static byte[] int32(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  /** Sets all keys to the value; deletes and reinserts some of them. */
  private static List<RowOp> request(int value, Random random) {
    List<RowOp> rows = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      if (random.nextInt(4) == 0) {
        rows.add(new RowOp(OperationType.DELETE_IGNORE, Map.of(0, int32(key))));
      }
      rows.add(new RowOp(OperationType.UPSERT, Map.of(0, int32(key), 1, int32(value))));
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 3, 50})
  void scansSeeWholeRequestsWhileRowsMoveToDisk(long epochLength) throws Exception {
    TabletOptions options = new TabletOptions(256, 1024, 16, 1 << 12, 64 << 10, 16 << 10);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (TabletHarness harness = new TabletHarness(SCHEMA, options)) {
      harness.attribute(TabletDescriptor.EPOCHS, new Epochs(epochLength).toBytes());
      List<Future<Integer>> others = new ArrayList<>();
      others.add(threads.submit(untilDone(() -> checkScan(harness))));
      others.add(threads.submit(untilDone(() -> checkScan(harness))));
      others.add(threads.submit(untilDone(() -> flushAfterSomeRequests(harness))));
      Random random = new Random(3);
      try {
        for (int value = 0; value < REQUESTS; value++) {
          harness.write(List.of(RowOp.request(null, 0, 1, SCHEMA, request(value, random))));
          written.incrementAndGet();
        }
      } finally {
        done.set(true);
      }
      for (Future<Integer> other : others) {
        assertThat(other.get()).isPositive();
      }
      harness.crash(null);
      assertThat(checkScan(harness)).isEqualTo(KEYS);
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Waits for some requests before it flushes: each flush adds a rowset, and every write looks for
   * its rows in all rowsets.
   */
  private LogPosition flushAfterSomeRequests(TabletHarness harness) throws IOException {
    int enough = written.get() + REQUESTS_A_FLUSH;
    await().until(() -> written.get() >= enough || done.get());
    return enough % 20 == 0 ? harness.tablet().flush() : harness.tablet().flushEpoch();
  }

  private Callable<Integer> untilDone(Callable<?> action) {
    return () -> {
      int rounds = 0;
      while (!done.get()) {
        action.call();
        rounds++;
      }
      return rounds;
    };
  }

  private static int checkScan(TabletHarness harness) throws IOException {
    List<String> rows =
        TabletScanText.read(
            harness.tablet(), harness.environment().allocator(), harness.tablet().latestSnapshot());
    if (!rows.isEmpty()) {
      assertThat(rows).hasSize(KEYS);
      assertThat(rows.stream().map(row -> row.substring(row.indexOf(" 1="))).distinct()).hasSize(1);
    }
    return rows.size();
  }
}
