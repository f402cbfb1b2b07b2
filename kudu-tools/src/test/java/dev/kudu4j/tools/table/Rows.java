package dev.kudu4j.tools.table;

import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.IOException;

/** Rows for tests of verbs. */
final class Rows {
  private Rows() {}

  /** Inserts a row that sets only the first columns. */
  static void insert(EmbeddedCluster cluster, String name, Object... values) throws IOException {
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      KuduTable table = client.openTable(name);
      Insert insert = table.newInsert();
      for (int i = 0; i < values.length; i++) {
        boolean wide = table.getSchema().getColumnByIndex(i).getType() == dev.kudu4j.Type.INT64;
        Object value = wide ? (Object) ((Number) values[i]).longValue() : values[i];
        insert.getRow().addObject(i, value);
      }
      KuduSession session = client.newSession();
      if (session.apply(insert).hasRowError()) {
        throw new IOException("The row was refused");
      }
      session.close();
    }
  }
}
