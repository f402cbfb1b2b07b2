package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.Schema;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads whole rows by their full key, each by a scan, in random order. */
final class PointLookups {
  private final KuduClient client;
  private final KuduTable table;

  PointLookups(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  /**
   * Looks up every key of the sample; fails if one is not found. Returns the nanoseconds of each.
   */
  long[] run(KeySample keys) throws KuduException {
    keys.shuffle();
    long[] nanos = new long[keys.size()];
    for (int i = 0; i < nanos.length; i++) {
      long startNanos = System.nanoTime();
      lookUp(keys.orderKey(i), keys.lineNumber(i));
      nanos[i] = System.nanoTime() - startNanos;
    }
    return nanos;
  }

  /**
   * Looks up every key, with that many threads; fails if one is not found.
   *
   * @return total nanoseconds
   */
  long runConcurrently(KeySample keys, ExecutorService threads, int threadCount) throws Exception {
    keys.shuffle();
    AtomicInteger next = new AtomicInteger();
    Callable<Void> reader =
        () -> {
          for (int i = next.getAndIncrement(); i < keys.size(); i = next.getAndIncrement()) {
            lookUp(keys.orderKey(i), keys.lineNumber(i));
          }
          return null;
        };
    long startNanos = System.nanoTime();
    for (Future<Void> done : threads.invokeAll(Collections.nCopies(threadCount, reader))) {
      done.get();
    }
    return System.nanoTime() - startNanos;
  }

  private void lookUp(long orderKey, int lineNumber) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(equal(LineItems.ORDER_KEY, orderKey))
            .addPredicate(equal(LineItems.LINE_NUMBER, lineNumber))
            .build();
    int rows = 0;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        if (row.getLong(0) == orderKey) {
          rows++;
        }
      }
    }
    scanner.close();
    if (rows != 1) {
      throw new IllegalStateException(
          "Key (" + orderKey + ", " + lineNumber + ") must match one row, found " + rows);
    }
  }

  private KuduPredicate equal(String column, long value) {
    Schema schema = table.getSchema();
    return KuduPredicate.newComparisonPredicate(
        schema.getColumn(column), ComparisonOp.EQUAL, value);
  }
}
