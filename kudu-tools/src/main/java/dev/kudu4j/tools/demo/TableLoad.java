package dev.kudu4j.tools.demo;

import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.util.function.Consumer;

/** Creates a TPC-H table and loads it. */
final class TableLoad {
  /** The result. */
  record Loaded(long rows, long nanos) {}

  private final KuduClient client;
  private final Progress progress;

  TableLoad(KuduClient client, Progress progress) {
    this.client = client;
    this.progress = progress;
  }

  /**
   * @param roughCount estimated number of rows
   * @param witness receives every written row, to compute the expected results
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
