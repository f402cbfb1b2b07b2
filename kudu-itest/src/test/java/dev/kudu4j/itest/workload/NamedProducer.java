package dev.kudu4j.itest.workload;

import dev.kudu4j.client.KuduBatch;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduProducer;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A producer of our client that is opened again when it fails, as that of a program that is started
 * again.
 */
public final class NamedProducer implements AutoCloseable {
  private static final int CALL_MILLIS = 10_000;

  private final KuduClient client;
  private final Map<String, KuduTable> tables = new HashMap<>();
  private @Nullable KuduProducer producer;

  public NamedProducer(String masters) {
    client =
        new KuduClient.KuduClientBuilder(masters)
            .defaultOperationTimeoutMs(CALL_MILLIS)
            .defaultAdminOperationTimeoutMs(2 * CALL_MILLIS)
            .build();
  }

  /** Commits the batch after the last one that is committed, and returns its number. */
  public long commitNext(String name, LongFunction<Map<String, List<Row>>> rows)
      throws Unavailable {
    KuduProducer open = producer;
    try {
      if (open == null) {
        open = client.newProducer(name);
        producer = open;
      }
      long number = open.lastCommitted() + 1;
      KuduBatch batch = open.newBatch();
      for (Map.Entry<String, List<Row>> change : rows.apply(number).entrySet()) {
        for (Row row : change.getValue()) {
          batch.add(upsert(table(change.getKey()), row));
        }
      }
      batch.commit();
      return number;
    } catch (KuduException e) {
      producer = null;
      if (open != null) {
        open.close();
      }
      throw new Unavailable(e);
    }
  }

  private KuduTable table(String name) throws KuduException {
    KuduTable table = tables.get(name);
    if (table == null) {
      table = client.openTable(name);
      tables.put(name, table);
    }
    return table;
  }

  private static Operation upsert(KuduTable table, Row row) {
    Operation upsert = table.newUpsert();
    upsert.getRow().addLong(0, row.key());
    upsert.getRow().addLong(1, row.value());
    upsert.getRow().addLong(2, row.mark());
    return upsert;
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }
}
