package dev.kudu4j.tools;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.util.List;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.Insert;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;

/**
 * A cluster that lives for a second in a temporary directory, with one table that is written and
 * read, so that the classes of a start have been loaded. {@code bin/kudu} runs this with {@code
 * -XX:ArchiveClassesAtExit}; later starts map those classes instead of parsing them.
 */
public final class WarmUp {
  private static final String KEY = "key";

  private WarmUp() {}

  /** Exits with 0 when everything was reached. */
  public static void main(String[] arguments) throws Exception {
    Kudu.logAsDaemon();
    Kudu.commandLine();
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().webPages(true).start()) {
      useTable(cluster.client());
    }
    System.exit(0); // at once, whatever pool still idles
  }

  private static void useTable(KuduClient client) throws Exception {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder(KEY, Type.INT64).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("value", Type.STRING).nullable(true).build()));
    CreateTableOptions options = new CreateTableOptions().addHashPartitions(List.of(KEY), 2);
    KuduTable table = client.createTable("warm_up", schema, options);
    KuduSession session = client.newSession();
    Insert insert = table.newInsert();
    insert.getRow().addLong(0, 1);
    insert.getRow().addString(1, "one");
    session.apply(insert);
    session.close();
    KuduScanner scanner = client.newScannerBuilder(table).build();
    while (scanner.hasMoreRows()) {
      scanner.nextRows();
    }
    scanner.close();
  }
}
