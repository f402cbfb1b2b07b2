package dev.kudu4j.benchmarks.batching;

import dev.kudu4j.benchmarks.workload.ours.BackgroundWrites;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import java.util.Iterator;

/** Each batch is a transaction. */
final class TransactionWriter implements BatchWriter {
  private final KuduClient client;

  /**
   * @param client borrowed
   */
  TransactionWriter(KuduClient client) {
    this.client = client;
  }

  @Override
  public long write(Iterator<? extends Operation> rows) throws KuduException {
    try (KuduTransaction transaction = client.newTransaction()) {
      BackgroundWrites.apply(transaction.newKuduSession(), rows);
      long flushed = System.nanoTime();
      transaction.commit();
      return System.nanoTime() - flushed;
    }
  }
}
