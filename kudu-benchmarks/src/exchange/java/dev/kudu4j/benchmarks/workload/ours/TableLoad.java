package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Workload;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import io.trino.tpch.LineItem;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Inserts the whole table from two threads, each with a session that flushes in the background.
 * Rows are generated while they are sent, so the client's processor time is a good part of the
 * time; that of the servers is measured apart.
 */
final class TableLoad {
  private static final int THREADS = 2;
  private static final int SAMPLE_PER_THREAD = 1_000;
  private static final int BUFFERED_ROWS = 10_000;
  private static final long BUFFERED_BYTES = 16 << 20;

  private final KuduClient client;
  private final KuduTable table;
  private final Workload workload;

  TableLoad(KuduClient client, KuduTable table, Workload workload) {
    this.client = client;
    this.table = table;
    this.workload = workload;
  }

  /** Returns when the last row is acknowledged; fails when any was refused. */
  Loaded run() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      LineItems.generate(workload.scale(), 1, 1)
          .next(); // the generator's text is made at first use
      long startNanos = System.nanoTime();
      List<Future<Loaded>> shares = new ArrayList<>();
      for (int part = 1; part <= THREADS; part++) {
        int share = part;
        shares.add(executor.submit(() -> loadShare(share)));
      }
      return sum(shares, startNanos);
    } finally {
      executor.shutdownNow();
    }
  }

  private static Loaded sum(List<Future<Loaded>> shares, long startNanos)
      throws InterruptedException, ExecutionException {
    long rows = 0;
    double quantity = 0;
    KeySample sample = new KeySample(0, 0);
    for (Future<Loaded> share : shares) {
      rows += share.get().rows();
      quantity += share.get().quantity();
      sample = sample.concat(share.get().sample());
    }
    return new Loaded(rows, quantity, sample, System.nanoTime() - startNanos);
  }

  private Loaded loadShare(int part) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(BUFFERED_ROWS, BUFFERED_BYTES);
    KeySample sample = new KeySample(SAMPLE_PER_THREAD, part);
    long rows = 0;
    double quantity = 0;
    Iterator<LineItem> items = LineItems.generate(workload.scale(), part, THREADS);
    while (items.hasNext()) {
      LineItem item = items.next();
      Insert insert = table.newInsert();
      LineItems.fill(insert.getRow(), workload.types(), item, item.getOrderKey());
      session.apply(insert);
      sample.offer(item.getOrderKey(), item.getLineNumber());
      quantity += item.getQuantity();
      rows++;
    }
    session.close();
    if (session.countPendingErrors() > 0) {
      throw new IllegalStateException(
          "Rows were refused, the first: " + session.getPendingErrors().getRowErrors()[0]);
    }
    return new Loaded(rows, quantity, sample, 0);
  }
}
