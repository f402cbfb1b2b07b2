package dev.kudu4j.tools.demo;

import io.trino.tpch.Order;
import java.util.Iterator;
import org.apache.kudu.client.Insert;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.SessionConfiguration.FlushMode;

/** Inserts new orders one by one, each acknowledged before the next, and measures the waits. */
final class SingleInserts {
  /**
   * How it went.
   *
   * @param longestNanos the longest that one insert took: here a change of leader shows
   */
  record Done(long rows, long nanos, long longestNanos) {}

  private final KuduClient client;
  private final OrdersTable definition = new OrdersTable();

  SingleInserts(KuduClient client) {
    this.client = client;
  }

  /**
   * @param like what the new orders are like, but for their keys
   * @param firstKey of the new orders; they count up
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
          "An insert was refused: %s", response.getRowError());
    }
  }
}
