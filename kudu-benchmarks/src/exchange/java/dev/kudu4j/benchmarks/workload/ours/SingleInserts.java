package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import io.trino.tpch.LineItem;
import java.util.Iterator;

/** Inserts rows one at a time; each waits for its acknowledgement. */
final class SingleInserts {
  /** Above every order key of the scales that fit a machine. */
  private static final long FIRST_ORDER_KEY = 1L << 40;

  private static final double ROW_SOURCE_SCALE = 0.01;

  private final KuduClient client;
  private final KuduTable table;
  private final Types types;

  SingleInserts(KuduClient client, KuduTable table, Types types) {
    this.client = client;
    this.table = table;
    this.types = types;
  }

  /** Nanoseconds of each insert; fails when one is refused. */
  long[] run(int count) throws KuduException {
    return run(FIRST_ORDER_KEY, count);
  }

  /**
   * @param firstOrderKey of the rows, which have consecutive ones
   */
  long[] run(long firstOrderKey, int count) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    Iterator<LineItem> items = LineItems.generate(ROW_SOURCE_SCALE, 1, 1);
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      Insert insert = table.newInsert();
      LineItems.fill(insert.getRow(), types, items.next(), firstOrderKey + i);
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
