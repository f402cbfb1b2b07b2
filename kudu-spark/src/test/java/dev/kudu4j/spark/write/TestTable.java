package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.SparkOnKudu;
import dev.kudu4j.spark.client.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;

/** A test's table. The client creates and reads it, and only the writes use Spark. */
final class TestTable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final SparkOnKudu kudu;
  private final String name;

  private TestTable(SparkOnKudu kudu, String name) {
    this.kudu = kudu;
    this.name = name;
  }

  /** A table {@code (id INT key, name STRING, score BIGINT)} with four tablets. */
  static TestTable create(SparkOnKudu kudu) throws KuduException {
    return create(
        kudu,
        new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
        new ColumnSchemaBuilder("name", Type.STRING).nullable(true).build(),
        new ColumnSchemaBuilder("score", Type.INT64).nullable(true).build());
  }

  /** A table with these columns, hashed by the key. */
  static TestTable create(SparkOnKudu kudu, ColumnSchema... columns) throws KuduException {
    String name = "writes.t" + COUNT.incrementAndGet();
    List<String> key =
        Arrays.stream(columns).filter(ColumnSchema::isKey).map(ColumnSchema::getName).toList();
    kudu.client()
        .createTable(
            name,
            new Schema(List.of(columns)),
            new CreateTableOptions().addHashPartitions(key, 4).setNumReplicas(1));
    return new TestTable(kudu, name);
  }

  /** The name in the cluster. */
  String name() {
    return name;
  }

  /** The name in the catalog of the session. */
  String sqlName() {
    return "k." + name;
  }

  /** The table as tasks write to it. */
  WriteTarget target() {
    Connection connection =
        KuduOptions.of(Map.of(KuduOptions.MASTER, kudu.masterAddresses())).connection();
    return new WriteTarget(connection, sqlName(), name, null);
  }

  /** A query that selects only constants. */
  Dataset<Row> values(String select) {
    return kudu.spark().sql(select);
  }

  /** Writes rows by column name, with the operation. */
  void write(Dataset<Row> rows, WriteOperation operation) {
    writer(rows).option("kudu.operation", operation.optionValue()).save();
  }

  /** Like {@link #write}, with one transaction for all rows. */
  void writeAtomically(Dataset<Row> rows, WriteOperation operation) {
    writer(rows)
        .option("kudu.operation", operation.optionValue())
        .option("kudu.atomic", "true")
        .save();
  }

  DataFrameWriter<Row> writer(Dataset<Row> rows) {
    return rows.write()
        .format("kudu")
        .option("kudu.master", kudu.masterAddresses())
        .option("kudu.table", name)
        .mode(SaveMode.Append);
  }

  KuduTable open() throws KuduException {
    return kudu.client().openTable(name);
  }

  /** All rows as text, sorted. */
  List<String> rows() throws KuduException {
    KuduClient client = kudu.client();
    List<String> rows = new ArrayList<>();
    KuduScanner scanner = client.newScannerBuilder(open()).build();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        rows.add(text(row));
      }
    }
    rows.sort(null);
    return rows;
  }

  private static String text(RowResult row) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < row.getSchema().getColumnCount(); i++) {
      text.append(i == 0 ? "" : "|").append(row.isNull(i) ? "NULL" : row.getObject(i));
    }
    return text.toString();
  }
}
