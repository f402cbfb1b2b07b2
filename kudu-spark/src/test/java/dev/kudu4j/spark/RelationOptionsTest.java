package dev.kudu4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Each occurrence of a table in a statement has its own options. Without the rule, Spark gives
 * every occurrence the options of the occurrence that it resolves first.
 */
class RelationOptionsTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final String OLD = "[[1,one], [2,two]]";
  private static final String NEW = "[[1,ONE], [2,two], [3,three]]";

  private String table;

  /** Two rows. */
  @BeforeEach
  void fill() {
    table = "k.options.t" + COUNT.incrementAndGet();
    sql("CREATE TABLE t (id BIGINT, name STRING, PRIMARY KEY (id))");
    sql("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
  }

  private String named(String statement) {
    return statement.replaceAll("\\bt\\b(?!\\.)", table);
  }

  private List<Row> sql(String statement) {
    return KUDU.spark().sql(named(statement)).collectAsList();
  }

  private String rows() {
    return sql("SELECT * FROM t ORDER BY id").toString();
  }

  private String explained(String statement) {
    return sql("EXPLAIN " + statement).get(0).getString(0);
  }

  private void refusesExistingKeys(String insert) {
    assertThatThrownBy(() -> sql(insert)).as(insert).hasMessageContaining("Already present");
    assertThat(rows()).as(insert).isEqualTo(OLD);
  }

  @Test
  void insertFromTheTableItselfIsAnInsert() {
    refusesExistingKeys(
        "INSERT INTO t WITH (`kudu.operation`='insert') SELECT id, concat(name, '!') FROM t");
    refusesExistingKeys(
        "INSERT INTO t WITH (`kudu.operation`='insert') (name, id) SELECT name, id FROM t");
    refusesExistingKeys(
        "INSERT INTO t WITH (`kudu.operation`='insert') BY NAME"
            + " SELECT a.id, 'x' AS name FROM t a JOIN t b ON a.id = b.id");
    refusesExistingKeys(
        "INSERT INTO t WITH (`kudu.operation`='insert')"
            + " WITH c AS (SELECT * FROM t) SELECT id, 'x' FROM c");
    refusesExistingKeys(
        "INSERT INTO t WITH (`kudu.operation`='insert')"
            + " SELECT 1L, 'x' WHERE EXISTS (SELECT * FROM t)");
    refusesExistingKeys(
        "INSERT INTO IDENTIFIER('t') WITH (`kudu.operation`='insert') SELECT id, 'x' FROM t");
    assertThat(explained("INSERT INTO t WITH (`kudu.operation`='insert') SELECT id, name FROM t"))
        .contains("insert into")
        .doesNotContain("upsert");
  }

  @Test
  void insertIgnoreFromTheTableItselfChangesNothing() {
    sql(
        "INSERT INTO t WITH (`kudu.operation`='insert_ignore')"
            + " SELECT id, concat(name, '!') FROM t UNION ALL SELECT 3L, 'three'");

    assertThat(rows()).isEqualTo("[[1,one], [2,two], [3,three]]");
  }

  @Test
  void deleteFromTheTableItselfDeletes() {
    sql("INSERT INTO t WITH (`kudu.operation`='delete') SELECT id, name FROM t WHERE id = 2");

    assertThat(rows()).isEqualTo("[[1,one]]");
  }

  @Test
  void insertThroughAViewOfTheTableIsAnInsert() {
    sql("CREATE OR REPLACE TEMPORARY VIEW v AS SELECT id, concat(name, '!') AS name FROM t");
    refusesExistingKeys("INSERT INTO t WITH (`kudu.operation`='insert') SELECT * FROM v");

    KUDU.spark().table(table).createOrReplaceTempView("frame");
    refusesExistingKeys("INSERT INTO t WITH (`kudu.operation`='insert') SELECT * FROM frame");
  }

  @Test
  void sourceAndTargetHaveTheirOwnOptions() {
    sql("INSERT INTO t SELECT id, 'x' FROM t WITH (`kudu.operation`='insert_ignore')");

    assertThat(rows()).isEqualTo("[[1,x], [2,x]]");
  }

  @Test
  void optionsApplyInTheCurrentCatalog() {
    sql("USE k.options");
    try {
      String name = table.substring(table.lastIndexOf('.') + 1);
      refusesExistingKeys(
          "INSERT INTO n WITH (`kudu.operation`='insert') SELECT id, 'x' FROM n"
              .replaceAll("\\bn\\b", name));
    } finally {
      sql("USE spark_catalog.default");
    }
  }

  @Test
  void overwriteKeepsItsOptions() {
    sql(
        "INSERT OVERWRITE t WITH (`kudu.ignoreNull`='true')"
            + " SELECT id, CAST(NULL AS STRING) FROM t WHERE id = 1");
    assertThat(rows()).isEqualTo("[[1,null]]");

    assertThat(
            explained(
                "INSERT INTO t WITH (`kudu.operation`='insert_ignore') REPLACE WHERE id = 1"
                    + " SELECT id, 'x' FROM t WHERE id = 1"))
        .contains("insert_ignore into");
  }

  /**
   * Changes the rows to {@link #NEW}, and returns a time in milliseconds when they were {@link
   * #OLD}.
   */
  private long change() {
    long old = System.currentTimeMillis() + 1;
    while (System.currentTimeMillis() <= old) {
      Thread.onSpinWait();
    }
    sql("INSERT INTO t VALUES (1, 'ONE'), (3, 'three')");
    assertThat(rows()).isEqualTo(NEW);
    return old;
  }

  /** Replaces OLD in the query by the option that reads the rows as of this time. */
  private String asOf(long old, String query) {
    return sql(query.replace("OLD", "WITH (`kudu.snapshotTimestampMs`='" + old + "')")).toString();
  }

  /** Rows that were not flushed yet are not needed by a query that may be that old. */
  @Test
  void rowsMayBeOld() {
    change();
    assertThat(sql("SELECT count(*) FROM t WITH (`kudu.freshness` = '0s')")).hasToString("[[3]]");
    assertThat(sql("SELECT count(*) FROM t WITH (`kudu.freshness` = '1h')")).hasToString("[[0]]");
    assertThat(
            sql(
                "SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM t WITH (`kudu.freshness` ="
                    + " '1h'))"))
        .hasToString("[[3,0]]");
    assertThatThrownBy(() -> sql("SELECT * FROM t WITH (`kudu.freshness` = 'soon')"))
        .hasMessageContaining("kudu.freshness must be a duration such as 30s");
    assertThatThrownBy(
            () ->
                sql(
                    "SELECT * FROM t WITH (`kudu.freshness` = '1s', `kudu.snapshotTimestampMs` ="
                        + " '1')"))
        .hasMessageContaining("cannot be combined");
  }

  @Test
  void tableIsReadAtTwoTimes() {
    long old = change();

    assertThat(
            asOf(
                old,
                "SELECT a.name, b.name FROM t OLD a RIGHT JOIN t b ON a.id = b.id ORDER BY b.id"))
        .isEqualTo("[[one,ONE], [two,two], [null,three]]");
    assertThat(
            asOf(
                old,
                "SELECT a.name, b.name FROM t a LEFT JOIN t OLD b ON a.id = b.id ORDER BY a.id"))
        .isEqualTo("[[ONE,one], [two,two], [three,null]]");
    assertThat(asOf(old, "SELECT count(*), (SELECT count(*) FROM t OLD) FROM t"))
        .isEqualTo("[[3,2]]");
    assertThat(asOf(old, "SELECT count(*), (SELECT count(*) FROM t) FROM t OLD"))
        .isEqualTo("[[2,3]]");
    assertThat(
            asOf(
                old,
                "WITH o AS (SELECT * FROM t OLD), n AS (SELECT * FROM t)"
                    + " SELECT count(*) FROM n LEFT ANTI JOIN o ON n.id = o.id"))
        .isEqualTo("[[1]]");
  }

  @Test
  void viewKeepsTheOptionsOfItsDefinition() {
    long old = change();
    asOf(old, "CREATE OR REPLACE TEMPORARY VIEW o AS SELECT * FROM t OLD");
    KUDU.spark()
        .read()
        .option("kudu.snapshotTimestampMs", old)
        .table(table)
        .createOrReplaceTempView("frame");

    for (String view : List.of("o", "frame")) {
      assertThat(asOf(old, "SELECT count(*) FROM t LEFT ANTI JOIN v USING (id)".replace("v", view)))
          .as(view)
          .isEqualTo("[[1]]");
      assertThat(
              asOf(
                  old,
                  "SELECT (SELECT count(*) FROM v), (SELECT count(*) FROM t)".replace("v", view)))
          .as(view)
          .isEqualTo("[[2,3]]");
    }
  }

  @Test
  void mergeReadsRowsOfAnotherTime() {
    long old = change();
    asOf(
        old,
        "MERGE INTO t USING (SELECT * FROM t OLD) o ON t.id = o.id".replace("t.id", table + ".id")
            + " WHEN MATCHED THEN UPDATE SET name = o.name WHEN NOT MATCHED BY SOURCE THEN DELETE");

    assertThat(rows()).isEqualTo(OLD);
  }

  @Test
  void rowsOfAnotherTimeAreWrittenBack() {
    long old = change();
    asOf(old, "INSERT INTO t SELECT * FROM t OLD");

    assertThat(rows()).isEqualTo("[[1,one], [2,two], [3,three]]");
  }

  @Test
  void timeTravelKeepsOptionsApart() {
    List<String> sizes = new ArrayList<>();
    KUDU.spark()
        .sql(
            named(
                "SELECT * FROM t VERSION AS OF 4096 WITH (`kudu.batchSize`='1000') a"
                    + " JOIN t VERSION AS OF 4096 WITH (`kudu.batchSize`='2000') b"
                    + " JOIN t TIMESTAMP AS OF timestamp_micros(1) WITH (`kudu.batchSize`='3000')"
                    + " JOIN t VERSION AS OF 4096"))
        .queryExecution()
        .analyzed()
        .collectLeaves()
        .foreach(leaf -> sizes.add(((DataSourceV2Relation) leaf).options().get("kudu.batchSize")));

    assertThat(sizes).containsExactly("1000", "2000", "3000", null);
  }

  @Test
  void catalogRefusesASessionThatWouldLoseOptions() {
    SparkSession complete = KUDU.spark();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    Thread.currentThread().setContextClassLoader(new WithoutExtensions(loader));
    try {
      SparkSession bare = SparkSession.builder().getOrCreate();
      assertThatThrownBy(() -> bare.sql(named("SELECT * FROM t")))
          .hasMessageContaining("Catalog k needs a session")
          .hasMessageContaining("spark.sql.extensions=" + KuduSessionExtensions.class.getName());
    } finally {
      Thread.currentThread().setContextClassLoader(loader);
      SparkSession.setActiveSession(complete);
      SparkSession.setDefaultSession(complete);
    }
    assertThat(rows()).isEqualTo(OLD);
  }

  /** Has all classes, but does not list the session's extensions. */
  private static final class WithoutExtensions extends ClassLoader {
    WithoutExtensions(ClassLoader parent) {
      super(parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.endsWith(SparkSessionExtensionsProvider.class.getName())
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }
}
