package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.LineItemPool;
import dev.kudu4j.benchmarks.workload.LineItemStream;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Inserts single rows from several threads. Each thread waits for the acknowledgement of a row
 * before it sends the next one.
 */
final class ConcurrentInserts {
  private final KuduClient client;
  private final KuduTable table;
  private final Types types;
  private final LineItemPool rows;
  private int nextSeries;

  ConcurrentInserts(KuduClient client, KuduTable table, Types types, LineItemPool rows) {
    this.client = client;
    this.table = table;
    this.types = types;
    this.rows = rows;
  }

  /**
   * Inserts rows with new keys. Returns the nanoseconds until the last writer ends; fails if a row
   * is rejected.
   */
  long run(int writers, int insertsEach) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      long startNanos = System.nanoTime();
      List<Future<?>> all = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        LineItemStream own = rows.extraRows(nextSeries++);
        all.add(
            executor.submit(() -> new SingleInserts(client, table, types).run(own, insertsEach)));
      }
      for (Future<?> one : all) {
        one.get();
      }
      return System.nanoTime() - startNanos;
    } finally {
      executor.shutdownNow();
    }
  }
}
