package dev.kudu4j.embedded.programs;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Upsert;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

final class UpsertsFromManyThreads {
  private static final int THREADS = 16;
  private static final int SENSORS_OF_THREAD = 10;
  private static final int ROUNDS = 20;

  public static void main(String[] arguments) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (KuduClient client = new KuduClient.KuduClientBuilder(arguments[0]).build()) {
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("sensor", Type.INT32).key(true).build(),
                  new ColumnSchemaBuilder("last", Type.INT64).build()));
      KuduTable table =
          client.createTable(
              "sensors", schema, new CreateTableOptions().addHashPartitions(List.of("sensor"), 4));
      List<Future<?>> writers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int firstSensor = thread * SENSORS_OF_THREAD;
        writers.add(
            threads.submit(
                () -> {
                  write(client, table, firstSensor);
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      int sensors = 0;
      for (RowResult row : client.newScannerBuilder(table).build()) {
        sensors += row.getLong("last") == ROUNDS - 1 ? 1 : 0;
      }
      System.out.println(sensors + " sensors show their last reading");
    } finally {
      threads.shutdown();
    }
  }

  /** Writes of one row by one session take effect in their order: the last one stands. */
  private static void write(KuduClient client, KuduTable table, int firstSensor)
      throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (int round = 0; round < ROUNDS; round++) {
      for (int sensor = firstSensor; sensor < firstSensor + SENSORS_OF_THREAD; sensor++) {
        Upsert upsert = table.newUpsert();
        upsert.getRow().addInt("sensor", sensor);
        upsert.getRow().addLong("last", round);
        session.apply(upsert);
      }
      for (OperationResponse answer : session.flush()) { // in the order of apply()
        if (answer.hasRowError()) {
          throw new IllegalStateException(answer.getRowError().toString());
        }
      }
    }
    session.close();
  }
}
