package dev.kudu4j.embedded.programs;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Delete;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.Upsert;
import java.util.List;

final class TimeTravel {
  public static void main(String[] arguments) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(arguments[0]).build()) {
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("item", Type.STRING).key(true).build(),
                  new ColumnSchemaBuilder("price", Type.INT32).build()));
      KuduTable table =
          client.createTable(
              "prices", schema, new CreateTableOptions().addHashPartitions(List.of("item"), 2));
      KuduSession session = client.newSession();
      set(session, table, "bread", 3);
      set(session, table, "tea", 5);
      long before = client.getLastPropagatedTimestamp(); // of the last write

      set(session, table, "bread", 4);
      Delete delete = table.newDelete();
      delete.getRow().addString("item", "tea");
      session.apply(delete);
      session.close();
      long after = client.getLastPropagatedTimestamp();

      System.out.println("now:");
      print(client.newScannerBuilder(table).readMode(ReadMode.READ_YOUR_WRITES).build());
      System.out.println("then:");
      print(
          client
              .newScannerBuilder(table)
              .readMode(ReadMode.READ_AT_SNAPSHOT)
              .snapshotTimestampRaw(before + 1) // sees what was written at `before`
              .build());
      System.out.println("changed:");
      KuduScanner changes = client.newScannerBuilder(table).diffScan(before + 1, after + 1).build();
      for (RowResult row : changes) {
        System.out.println(row.getString("item") + (row.isDeleted() ? " is gone" : " is new"));
      }
    }
  }

  private static void set(KuduSession session, KuduTable table, String item, int price)
      throws KuduException {
    Upsert upsert = table.newUpsert();
    upsert.getRow().addString("item", item);
    upsert.getRow().addInt("price", price);
    session.apply(upsert);
  }

  private static void print(KuduScanner scanner) {
    for (RowResult row : scanner) {
      System.out.println(row.getString("item") + " " + row.getInt("price"));
    }
  }
}
