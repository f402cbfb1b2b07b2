package dev.kudu4j.spark.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.spark.SparkOnKudu;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.analysis.NoSuchIndexException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.index.SupportsIndex;
import org.apache.spark.sql.connector.catalog.index.TableIndex;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** CREATE INDEX, DROP INDEX, and other statements whose results contain indexes. */
class IndexStatementsTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @BeforeAll
  static void createTable() {
    sql(
        "CREATE TABLE k.indexes.orders (id BIGINT NOT NULL, customer INT, day DATE, note STRING,"
            + " PRIMARY KEY (id)) PARTITIONED BY (bucket(2, id))"
            + " TBLPROPERTIES ('num-replicas' = '1')");
    sql("INSERT INTO k.indexes.orders SELECT id, id % 7, NULL, 'n' FROM range(100)");
  }

  private static Dataset<Row> sql(String statement) {
    return KUDU.spark().sql(statement);
  }

  private static List<KuduIndex> indexes() throws Exception {
    return KUDU.client().openTable("indexes.orders").getIndexes();
  }

  @Test
  void indexesAreCreatedAndDropped() throws Exception {
    sql("CREATE INDEX by_customer ON TABLE k.indexes.orders (customer)");
    sql(
        "CREATE INDEX by_day ON k.indexes.orders USING local (day, customer)"
            + " OPTIONS (include = 'note, id')");
    assertThat(indexes())
        .hasToString("[LOCAL (customer), LOCAL (day, customer) INCLUDE (note, id)]");
    assertThatThrownBy(() -> sql("CREATE INDEX by_day ON k.indexes.orders (note)"))
        .hasMessageContaining("by_day");
    sql("CREATE INDEX IF NOT EXISTS by_day ON k.indexes.orders (note)");
    assertThat(sql("SELECT count(*) FROM k.indexes.orders WHERE customer = 3").first().getLong(0))
        .isEqualTo(14);

    String create = sql("SHOW CREATE TABLE k.indexes.orders").first().getString(0);
    assertThat(create)
        .contains("'kudu4j.index.by_day' = 'LOCAL (day, customer) INCLUDE (note, id)'");
    sql(create.replace("k.indexes.orders", "k.indexes.copy"));
    assertThat(KUDU.client().openTable("indexes.copy").getIndexes()).hasSize(2);
    sql(
        "ALTER TABLE k.indexes.copy SET TBLPROPERTIES"
            + " ('kudu4j.index.by_note' = 'LOCAL (note)')");
    sql("ALTER TABLE k.indexes.copy UNSET TBLPROPERTIES ('kudu4j.index.by_day')");
    assertThat(KUDU.client().openTable("indexes.copy").getIndexes())
        .hasToString("[LOCAL (customer), LOCAL (note)]");

    sql("DROP INDEX by_day ON TABLE k.indexes.orders");
    sql("DROP INDEX by_customer ON k.indexes.orders");
    sql("DROP INDEX IF EXISTS by_customer ON k.indexes.orders");
    assertThat(indexes()).isEmpty();
    assertThatThrownBy(() -> sql("DROP INDEX by_day ON k.indexes.orders"))
        .isInstanceOf(NoSuchIndexException.class);
  }

  @Test
  void globalIndexesAreCreatedListedAndDropped() throws Exception {
    sql(
        "CREATE TABLE k.indexes.sales (id BIGINT NOT NULL, customer INT, day DATE, note STRING,"
            + " PRIMARY KEY (id)) PARTITIONED BY (bucket(2, id))"
            + " TBLPROPERTIES ('num-replicas' = '1')");
    sql(
        "CREATE INDEX by_customer ON TABLE k.indexes.sales USING global (customer)"
            + " OPTIONS (include = 'note', hash = 'customer', buckets = '2')");
    sql("CREATE INDEX by_day ON TABLE k.indexes.sales USING GLOBAL (day) OPTIONS (buckets = '3')");
    sql("CREATE INDEX all ON TABLE k.indexes.sales USING clustering (note)");
    assertThat(KUDU.client().openTable("indexes.sales").getIndexes())
        .hasToString(
            "[CLUSTERING (note), GLOBAL (customer) INCLUDE (note) HASH (customer) BUCKETS 2,"
                + " GLOBAL (day) BUCKETS 3]");

    TableCatalog catalog = (TableCatalog) KUDU.spark().sessionState().catalogManager().catalog("k");
    Identifier name = Identifier.of(new String[] {"indexes"}, "sales");
    TableIndex[] listed = ((SupportsIndex) catalog.loadTable(name)).listIndexes();
    assertThat(listed)
        .extracting(TableIndex::indexType)
        .containsExactly("clustering", "global", "global");
    assertThat(listed[1].properties())
        .containsEntry("include", "note")
        .containsEntry("hash", "customer")
        .containsEntry("buckets", "2");
    assertThat(listed[2].properties()).containsEntry("buckets", "3").hasSize(1);

    sql("DROP INDEX by_customer ON k.indexes.sales");
    sql("DROP INDEX by_day ON k.indexes.sales");
    assertThat(KUDU.client().openTable("indexes.sales").getIndexes())
        .hasToString("[CLUSTERING (note)]");

    sql(
        "CREATE INDEX one ON TABLE k.indexes.sales USING global (customer)"
            + " OPTIONS (unique = 'true', buckets = '2')");
    TableIndex one = ((SupportsIndex) catalog.loadTable(name)).listIndexes()[1];
    assertThat(one.indexType()).isEqualTo("global");
    assertThat(one.properties()).containsEntry("unique", "true").containsEntry("buckets", "2");
    assertThat(KUDU.client().openTable("indexes.sales").getIndexes())
        .hasToString("[CLUSTERING (note), UNIQUE GLOBAL (customer) BUCKETS 2]");
  }

  @Test
  void explainNamesIndexesAndEstimates() {
    sql(
        "CREATE TABLE k.indexes.events (id BIGINT NOT NULL, customer INT, note STRING,"
            + " PRIMARY KEY (id)) PARTITIONED BY (bucket(2, id)) TBLPROPERTIES"
            + " ('num-replicas' = '1', 'kudu4j.index.by_customer' = 'LOCAL (customer)',"
            + " 'kudu4j.index.by_note' = 'LOCAL (note)')");
    sql(
        "INSERT INTO k.indexes.events"
            + " SELECT id, id % 5000, concat('note ', id % 3) FROM range(50000)");
    sql("CALL k.system.compact(table => 'indexes.events')");

    String query = " WHERE customer = 77 AND note = 'note 1'";
    assertThat(explained("SELECT * FROM k.indexes.events" + query))
        .containsPattern("index by_customer \\(10 rows, [0-9.]+ ms\\)")
        .containsPattern("not index by_note \\(1[0-9],[0-9]{3} rows, [0-9.]+ ms\\)")
        .containsPattern("scan [0-9.]+ ms");
    assertThat(explained("SELECT count(*) FROM k.indexes.events WHERE customer = 77"))
        .containsPattern("index by_customer \\(10 rows");
    String forbidden =
        "SELECT * FROM k.indexes.events WITH (`kudu.indexHint` = 'forbid:by_customer')";
    assertThat(explained(forbidden + query))
        .contains("not index by_note")
        .doesNotContain("by_cust");
    assertThat(sql(forbidden + query).count()).isEqualTo(3);
    assertThatThrownBy(() -> sql(forbidden.replace("forbid:", "hide:") + query).count())
        .hasMessageContaining("Option kudu.indexHint: Not an index hint: hide:by_customer");
    assertThat(explained("SELECT * FROM k.indexes.orders WHERE customer = 3"))
        .doesNotContain(", index ", "not index");
  }

  private static String explained(String query) {
    return sql("EXPLAIN FORMATTED " + query).first().getString(0);
  }

  @Test
  void invalidIndexesAreRefused() {
    assertThatThrownBy(() -> sql("CREATE INDEX i ON k.indexes.orders USING remote (customer)"))
        .hasMessageContaining("type remote are not supported; use USING local, USING global or");
    assertThatThrownBy(
            () -> sql("CREATE INDEX i ON k.indexes.orders (customer) OPTIONS (unknown = '1')"))
        .hasMessageContaining("type local have no option unknown; known are include and unique");
    assertThatThrownBy(
            () -> sql("CREATE INDEX i ON k.indexes.orders (customer) OPTIONS (buckets = '2')"))
        .hasMessageContaining("type local have no option buckets");
    assertThatThrownBy(
            () ->
                sql(
                    "CREATE INDEX i ON k.indexes.orders USING clustering (customer)"
                        + " OPTIONS (include = 'note')"))
        .hasMessageContaining("type clustering have no option include; known are hash and buckets");
    assertThatThrownBy(
            () ->
                sql(
                    "CREATE INDEX i ON k.indexes.orders USING global (customer)"
                        + " OPTIONS (buckets = 'many')"))
        .hasMessageContaining("Option buckets of an index is a number of tablets, not many");
    assertThatThrownBy(
            () ->
                sql(
                    "CREATE INDEX i ON k.indexes.orders USING global (customer)"
                        + " OPTIONS (hash = 'note')"))
        .hasMessageContaining("Index i");
    assertThatThrownBy(
            () -> sql("CREATE INDEX i ON k.indexes.orders (customer) OPTIONS (include = 'nobody')"))
        .hasMessageContaining("Index i: the table has no column nobody");
  }
}
