package dev.kudu4j.embedded.programs;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

final class BulkLoad {
  private static final int THREADS = 2;
  private static final int ROWS_OF_THREAD = 50_000;

  public static void main(String[] arguments) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (KuduClient client = new KuduClient.KuduClientBuilder(arguments[0]).build()) {
      KuduTable table = createTable(client);
      List<Future<Integer>> parts = new ArrayList<>();
      for (int part = 0; part < THREADS; part++) {
        long firstId = (long) part * ROWS_OF_THREAD;
        parts.add(threads.submit(() -> load(client, table, firstId)));
      }
      int refused = 0;
      for (Future<Integer> part : parts) {
        refused += part.get();
      }
      System.out.println(THREADS * ROWS_OF_THREAD + " rows sent, " + refused + " refused");
    } finally {
      threads.shutdown();
    }
  }

  private static KuduTable createTable(KuduClient client) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("celsius", Type.DOUBLE).build()));
    return client.createTable(
        "readings", schema, new CreateTableOptions().addHashPartitions(List.of("id"), 4));
  }

  /** One client serves all threads; each has a session of its own. Returns the rows refused. */
  private static int load(KuduClient client, KuduTable table, long firstId) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND); // apply() waits only when both are full:
    session.setMutationBufferSpace(
        10_000, 16 << 20); // the buffer that fills, and the one on its way
    for (long id = firstId; id < firstId + ROWS_OF_THREAD; id++) {
      Insert insert = table.newInsert();
      insert.getRow().addLong(0, id); // by index: faster than by name
      insert.getRow().addDouble(1, 20 + id % 10);
      session.apply(insert);
    }
    session.close(); // returns when every row has its answer
    RowError[] errors = session.getPendingErrors().getRowErrors();
    for (RowError error : errors) {
      System.err.println(error); // the operation, the server and why
    }
    return errors.length;
  }
}
