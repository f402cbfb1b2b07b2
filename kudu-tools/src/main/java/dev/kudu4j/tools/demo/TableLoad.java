package dev.kudu4j.tools.demo;

import java.util.function.Consumer;
import org.apache.kudu.client.Insert;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduTable;

/** Makes a table of TPC-H and fills it. */
final class TableLoad {
  /** How it went. */
  record Loaded(long rows, long nanos) {}

  private final KuduClient client;
  private final Progress progress;

  TableLoad(KuduClient client, Progress progress) {
    this.client = client;
    this.progress = progress;
  }

  /**
   * @param roughCount of the rows
   * @param witness sees every row that goes in
   */
  <T> Loaded load(
      TpchTable<T> definition, Iterable<T> generatedRows, long roughCount, Consumer<T> witness)
      throws KuduException {
    KuduTable table =
        client.createTable(definition.name(), definition.schema(), definition.options());
    long began = System.nanoTime();
    long rows = 0;
    try (RowWriter writer = new RowWriter(client);
        Progress.Meter meter = progress.begin(definition.name(), roughCount, "rows")) {
      for (T generated : generatedRows) {
        Insert insert = table.newInsert();
        definition.fill(insert.getRow(), generated);
        writer.write(insert);
        witness.accept(generated);
        meter.at(++rows);
      }
      writer.finish();
    }
    return new Loaded(rows, System.nanoTime() - began);
  }
}
