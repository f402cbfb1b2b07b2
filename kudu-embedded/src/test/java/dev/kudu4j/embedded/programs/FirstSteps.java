package dev.kudu4j.embedded.programs;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.Update;
import java.util.List;
import java.util.Optional;

final class FirstSteps {
  public static void main(String[] arguments) throws Exception {
    String masters = arguments.length > 0 ? arguments[0] : "127.0.0.1:7051";
    try (KuduClient client = new KuduClient.KuduClientBuilder(masters).build()) {
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchema.ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                  new ColumnSchema.ColumnSchemaBuilder("name", Type.STRING)
                      .nullable(true)
                      .build()));
      KuduTable table =
          client.createTable(
              "people", schema, new CreateTableOptions().addHashPartitions(List.of("id"), 4));
      KuduSession session = client.newSession();
      Insert insert = table.newInsert();
      insert.getRow().addLong("id", 1);
      insert.getRow().addString("name", "Ada");
      session.apply(insert);

      Update update = table.newUpdate();
      update.getRow().addLong("id", 1);
      update.getRow().addString("name", "Ada Lovelace");
      session.apply(update);
      session.close();

      PartialRow key = table.getSchema().newPartialRow();
      key.addLong("id", 1);
      Optional<RowResult> ada = table.get(key);
      System.out.println(ada.map(row -> row.getString("name")).orElse("nobody"));

      for (RowResult row : client.newScannerBuilder(table).build()) {
        System.out.println(row.getLong("id") + " " + row.getString("name"));
      }
    }
  }
}
