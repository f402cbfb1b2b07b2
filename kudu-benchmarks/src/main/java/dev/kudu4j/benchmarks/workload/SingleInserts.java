package dev.kudu4j.benchmarks.workload;

import io.trino.tpch.LineItem;
import java.util.Iterator;
import org.apache.kudu.client.Insert;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.SessionConfiguration.FlushMode;

/** Inserts rows one at a time; each waits for its acknowledgement. */
public final class SingleInserts {
  /** Above every order key of the scales that fit a machine. */
  private static final long FIRST_ORDER_KEY = 1L << 40;

  private static final double ROW_SOURCE_SCALE = 0.01;

  private final KuduClient client;
  private final KuduTable table;

  public SingleInserts(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  /** Nanoseconds of each insert; fails when one is refused. */
  public long[] run(int count) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    Iterator<LineItem> items = LineItems.generate(ROW_SOURCE_SCALE, 1, 1);
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      Insert insert = table.newInsert();
      LineItems.fill(insert.getRow(), items.next(), FIRST_ORDER_KEY + i);
      long startNanos = System.nanoTime();
      OperationResponse answer = session.apply(insert);
      nanos[i] = System.nanoTime() - startNanos;
      if (answer.hasRowError()) {
        throw new IllegalStateException("A row was refused: " + answer.getRowError());
      }
    }
    session.close();
    return nanos;
  }
}
