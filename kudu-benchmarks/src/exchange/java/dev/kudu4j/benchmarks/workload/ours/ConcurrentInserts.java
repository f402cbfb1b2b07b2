package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Inserts single rows from several threads, each of which waits for every acknowledgement. */
final class ConcurrentInserts {
  private static final long KEYS_OF_WRITER = 1L << 32;

  private final KuduClient client;
  private final KuduTable table;
  private final Types types;
  private final AtomicLong nextWriter = new AtomicLong();

  ConcurrentInserts(KuduClient client, KuduTable table, Types types) {
    this.client = client;
    this.table = table;
    this.types = types;
  }

  /** Nanoseconds until the last writer is done; fails when a row is refused. */
  long run(int writers, int insertsEach) throws Exception {
    nextWriter.set(writers == 1 ? 0 : 1);
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      long startNanos = System.nanoTime();
      List<Future<?>> all = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        long firstKey = nextWriter.getAndIncrement() * KEYS_OF_WRITER;
        all.add(
            executor.submit(
                () -> new SingleInserts(client, table, types).run(firstKey, insertsEach)));
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
