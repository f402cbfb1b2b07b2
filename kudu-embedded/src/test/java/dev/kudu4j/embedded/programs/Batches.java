package dev.kudu4j.embedded.programs;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduBatch;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduProducer;
import dev.kudu4j.client.KuduReadSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.Upsert;
import java.time.Duration;
import java.util.List;

final class Batches {
  public static void main(String[] arguments) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(arguments[0]).build()) {
      KuduTable stock = create(client, "stock");
      KuduTable orders = create(client, "orders");

      try (KuduProducer producer = client.newProducer("shop-7")) {
        while (producer.lastCommitted() < 3) { // a program that is started again goes on here
          long number = producer.lastCommitted() + 1;
          KuduBatch batch = producer.newBatch();
          batch.add(row(stock, "tea", 10 - number));
          batch.add(row(orders, "order-" + number, number));
          batch.commit(); // both rows are visible from now on, or none
        }
      }

      KuduReadSession reads = client.newReadSession(Duration.ZERO);
      reads.advance(stock, orders); // one snapshot of both, never older than the one before
      for (KuduTable table : List.of(stock, orders)) {
        long rows = 0;
        for (RowResult row : reads.newScannerBuilder(table).build()) {
          rows++;
        }
        System.out.println(table.getName() + ": " + rows);
      }
    }
  }

  private static KuduTable create(KuduClient client, String name) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("key", Type.STRING).key(true).build(),
                new ColumnSchemaBuilder("value", Type.INT64).build()));
    return client.createTable(
        name, schema, new CreateTableOptions().addHashPartitions(List.of("key"), 2));
  }

  private static Upsert row(KuduTable table, String key, long value) {
    Upsert upsert = table.newUpsert();
    upsert.getRow().addString("key", key);
    upsert.getRow().addLong("value", value);
    return upsert;
  }
}
