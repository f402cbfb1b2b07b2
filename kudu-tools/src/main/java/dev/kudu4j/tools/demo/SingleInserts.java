package dev.kudu4j.tools.demo;

import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import io.trino.tpch.Order;
import java.util.Iterator;

/** Inserts new orders one by one, each acknowledged before the next, and measures the latencies. */
final class SingleInserts {
  /**
   * The result.
   *
   * @param longestNanos the highest latency of an insert, which includes a leader election
   */
  record Done(long rows, long nanos, long longestNanos) {}

  private final KuduClient client;
  private final OrdersTable definition = new OrdersTable();

  SingleInserts(KuduClient client) {
    this.client = client;
  }

  /**
   * @param like templates of the new orders, except for their keys
   * @param firstKey key of the first new order; the keys are consecutive
   */
  Done insert(Iterable<Order> like, long firstKey, int rows) throws KuduException {
    KuduTable table = client.openTable(OrdersTable.NAME);
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    session.setTimeoutMillis(60_000);
    long began = System.nanoTime();
    long longest = 0;
    try {
      Iterator<Order> models = like.iterator();
      for (int i = 0; i < rows; i++) {
        Insert insert = table.newInsert();
        definition.fill(insert.getRow(), models.next());
        insert.getRow().addLong(0, firstKey + i);
        long one = System.nanoTime();
        requireDone(session.apply(insert));
        longest = Math.max(longest, System.nanoTime() - one);
      }
    } finally {
      session.close();
    }
    return new Done(rows, System.nanoTime() - began, longest);
  }

  private static void requireDone(OperationResponse response) {
    if (response != null && response.hasRowError()) {
      throw dev.kudu4j.common.status.KuduException.illegalState(
          "An insert was rejected: %s", response.getRowError());
    }
  }
}
