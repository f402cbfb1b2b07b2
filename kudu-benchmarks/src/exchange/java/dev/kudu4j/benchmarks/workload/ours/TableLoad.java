package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.LineItemStream;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import io.trino.tpch.LineItem;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Inserts rows from several threads, each with a session that flushes in the background. */
final class TableLoad {
  private static final int SAMPLE_PER_THREAD = 1_000;

  private final KuduClient client;
  private final KuduTable table;
  private final Types types;
  private final ExecutorService executor;

  /**
   * @param executor borrowed; has at least as many threads as {@link #run} is called with
   */
  TableLoad(KuduClient client, KuduTable table, Types types, ExecutorService executor) {
    this.client = client;
    this.table = table;
    this.types = types;
    this.executor = executor;
  }

  /**
   * Inserts the rows of all shares, and returns when the last row is acknowledged; fails if a row
   * is rejected.
   *
   * @param threads number of threads
   * @param shares the rows of each thread, numbered from 1
   */
  Loaded run(int threads, IntFunction<LineItemStream> shares) throws Exception {
    long startNanos = System.nanoTime();
    List<Future<Loaded>> loads = new ArrayList<>();
    for (int part = 1; part <= threads; part++) {
      int share = part;
      loads.add(executor.submit(() -> loadShare(shares.apply(share), share)));
    }
    return sum(loads, startNanos);
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

  private Loaded loadShare(LineItemStream items, int seed) throws KuduException {
    ShareInserts inserts = new ShareInserts(items, new KeySample(SAMPLE_PER_THREAD, seed));
    long rows = BackgroundWrites.apply(client, inserts);
    return new Loaded(rows, inserts.quantity, inserts.sample, 0);
  }

  /** The inserts of one share. */
  private final class ShareInserts implements Iterator<Insert> {
    private final LineItemStream items;
    private final KeySample sample;
    private double quantity;

    ShareInserts(LineItemStream items, KeySample sample) {
      this.items = items;
      this.sample = sample;
    }

    @Override
    public boolean hasNext() {
      return items.hasNext();
    }

    @Override
    public Insert next() {
      LineItem item = items.next();
      Insert insert = table.newInsert();
      LineItems.fill(insert.getRow(), types, item, items.orderKey());
      sample.offer(items.orderKey(), item.getLineNumber());
      quantity += item.getQuantity();
      return insert;
    }
  }
}
