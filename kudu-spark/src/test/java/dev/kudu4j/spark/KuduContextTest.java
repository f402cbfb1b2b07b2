package dev.kudu4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.Schema;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.RowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.jdk.javaapi.CollectionConverters;

/** The calls that programs for Apache Kudu's connector make. */
class KuduContextTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @Test
  void portedProgramWorks() throws Exception {
    KuduContext kudu = new KuduContext(KUDU.masterAddresses(), KUDU.spark().sparkContext());
    String table = "context.people";

    kudu.createTable(
        table,
        StructType.fromDDL("name STRING, born DATE, id BIGINT"),
        CollectionConverters.asScala(List.of("id")).toSeq(),
        new CreateTableOptions().addHashPartitions(List.of("id"), 2).setNumReplicas(1));
    assertThat(kudu.tableExists(table)).isTrue();
    kudu.insertRows(rows("(1L, 'Ada'), (2L, 'Bob')"), table);
    kudu.insertIgnoreRows(rows("(2L, 'Bea'), (3L, 'Cyd')"), table);
    kudu.upsertRows(rows("(3L, 'Cid'), (4L, 'Dan')"), table);
    kudu.updateRows(rows("(1L, 'Ava')"), table);
    kudu.updateIgnoreRows(rows("(4L, 'Don'), (9L, 'Nobody')"), table);
    kudu.deleteRows(rows("(2L, 'whoever')").select("id"), table);
    kudu.deleteIgnoreRows(rows("(8L, 'Nobody')"), table);
    kudu.upsertRows(
        KUDU.spark().sql("SELECT 1L AS id, DATE'1815-12-10' AS born, CAST(NULL AS STRING) AS name"),
        table,
        new KuduWriteOptions().ignoreNull(true));

    assertThat(rowsOf(kudu, table))
        .containsExactlyInAnyOrder("1 Ava 1815-12-10", "3 Cid null", "4 Don null");
    kudu.deleteTable(table);
    assertThat(kudu.tableExists(table)).isFalse();
  }

  @Test
  void portedScalaProgramWorks() {
    assertThat(
            PortedScalaProgram.run(KUDU.spark(), KUDU.masterAddresses(), "context.scala_program"))
        .isEqualTo("[1,one] [2,two] [3,null] [4,four]");
  }

  @Test
  void formatHasThePublishedName() throws Exception {
    KuduContext kudu = new KuduContext(KUDU.masterAddresses());
    String table = "context.named";
    kudu.createTable(
        table,
        StructType.fromDDL("id BIGINT, name STRING"),
        List.of("id"),
        new CreateTableOptions().addHashPartitions(List.of("id"), 2).setNumReplicas(1));
    Map<String, String> options =
        Map.of("kudu.master", KUDU.masterAddresses(), "kudu.table", table);
    String format = "org.apache.kudu.spark.kudu";

    rows("(1L, 'Ada')").write().format(format).options(options).mode(SaveMode.Append).save();

    assertThat(KUDU.spark().read().format(format).options(options).load().collectAsList())
        .hasToString("[[1,Ada]]");
  }

  private static Dataset<Row> rows(String values) {
    return KUDU.spark().sql("SELECT * FROM VALUES " + values + " AS v(id, name)");
  }

  private static List<String> rowsOf(KuduContext kudu, String table) throws Exception {
    List<String> rows = new ArrayList<>();
    KuduScanner scanner =
        kudu.syncClient().newScannerBuilder(kudu.syncClient().openTable(table)).build();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        rows.add(row.getLong(0) + " " + row.getObject(1) + " " + row.getObject(2));
      }
    }
    return rows;
  }

  @Test
  void keyColumnsComeFirstAndAreNotNull() {
    Schema schema =
        new KuduContext(KUDU.masterAddresses())
            .createSchema(StructType.fromDDL("a STRING, b INT, c DECIMAL(9, 2)"), List.of("b"));

    assertThat(schema.getColumns().toString()).contains("b").contains("c");
    assertThat(schema.getColumnByIndex(0).getName()).isEqualTo("b");
    assertThat(schema.getColumnByIndex(0).isKey()).isTrue();
    assertThat(schema.getColumnByIndex(0).isNullable()).isFalse();
    assertThat(schema.getColumn("c").getTypeAttributes().getScale()).isEqualTo(2);
  }

  @Test
  void unsupportedTypeIsReported() {
    KuduContext kudu = new KuduContext(KUDU.masterAddresses());

    assertThatThrownBy(
            () -> kudu.createSchema(StructType.fromDDL("a INT, m MAP<INT, INT>"), List.of("a")))
        .hasMessageContaining("Column m is of type MAP<INT, INT>, which Kudu does not have");
  }
}
