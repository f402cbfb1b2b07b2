package dev.kudu4j.itest.plain;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Creates a table, writes rows and reads them, one by one and as Arrow vectors. */
final class PlainProgram {
  private static final int ROWS = 1_000;

  private PlainProgram() {}

  public static void main(String[] masters) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(masters[0]).build()) {
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("k", Type.INT32).key(true).build(),
                  new ColumnSchemaBuilder("s", Type.STRING).build()));
      KuduTable table =
          client.createTable(
              masters[1],
              schema,
              new CreateTableOptions().addHashPartitions(List.of("k"), 2).setNumReplicas(1));
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      for (int k = 0; k < ROWS; k++) {
        Insert insert = table.newInsert();
        insert.getRow().addInt("k", k);
        insert.getRow().addString("s", "row " + k);
        session.apply(insert);
      }
      session.close();
      int rows = 0;
      for (RowResult row : client.newScannerBuilder(table).build()) {
        rows += row.getString(1).equals("row " + row.getInt(0)) ? 1 : 0;
      }
      Module module = KuduClient.class.getModule();
      System.out.printf(
          "%s: %d rows, %d in vectors%n",
          module.isNamed() ? module.getName() : "class path", rows, vectorRows(client, table));
    }
  }

  private static int vectorRows(KuduClient client, KuduTable table) throws Exception {
    int rows = 0;
    try (BufferAllocator allocator = new RootAllocator();
        ArrowScanner scanner = ArrowScanner.open(client.newScannerBuilder(table), allocator)) {
      while (scanner.hasMoreBatches()) {
        try (VectorSchemaRoot batch = scanner.nextBatch()) {
          rows += batch.getRowCount();
        }
      }
    }
    return rows;
  }
}
