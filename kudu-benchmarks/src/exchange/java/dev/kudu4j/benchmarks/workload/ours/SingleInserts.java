package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.LineItemStream;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import io.trino.tpch.LineItem;

/** Inserts rows one at a time; each waits for its acknowledgement. */
final class SingleInserts {
  private final KuduClient client;
  private final KuduTable table;
  private final Types types;

  SingleInserts(KuduClient client, KuduTable table, Types types) {
    this.client = client;
    this.table = table;
    this.types = types;
  }

  /** Returns the nanoseconds of each insert; fails if one is rejected. */
  long[] run(LineItemStream items, int count) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      Insert insert = table.newInsert();
      LineItem item = items.next();
      LineItems.fill(insert.getRow(), types, item, items.orderKey());
      long startNanos = System.nanoTime();
      OperationResponse answer = session.apply(insert);
      nanos[i] = System.nanoTime() - startNanos;
      if (answer.hasRowError()) {
        throw new IllegalStateException("A row was rejected: " + answer.getRowError());
      }
    }
    session.close();
    return nanos;
  }
}
