package dev.kudu4j.spark.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.spark.SparkOnKudu;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How sessions with Hive's catalog transform parsed statements. {@code ThriftServerIT} tests a
 * whole session.
 */
class ParsedOptionsTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static SparkSession spark;

  @BeforeAll
  static void create() {
    spark = KUDU.spark();
    spark.sql("CREATE TABLE k.parsed.t (id BIGINT, s STRING, PRIMARY KEY (id))");
  }

  /** The tables of a statement in order: with their options, or unresolved. */
  private static List<String> tables(String statement) throws Exception {
    LogicalPlan parsed = KuduNames.state(spark).sqlParser().parsePlan(statement);
    List<String> tables = new ArrayList<>();
    LogicalPlan plan = new ParsedOptions(new OwnOptions(spark)).addTo(parsed);
    plan.foreach(
        node -> {
          addTable(node, tables);
          return null;
        });
    return tables;
  }

  private static void addTable(LogicalPlan node, List<String> tables) {
    if (node instanceof DataSourceV2Relation relation) {
      tables.add("resolved " + relation.options().asCaseSensitiveMap());
    } else if (node instanceof UnresolvedRelation relation) {
      tables.add("unresolved " + relation.options().asCaseSensitiveMap());
    } else if (node instanceof InsertIntoStatement insert) {
      addTable(insert.table(), tables);
    }
  }

  @Test
  void eachOccurrenceHasItsOptions() throws Exception {
    assertThat(
            tables(
                "SELECT * FROM k.parsed.t WITH (`kudu.batchSize` = '1') a, k.parsed.t b,"
                    + " k.parsed.t WITH (`kudu.batchSize` = '2') c"))
        .containsExactlyInAnyOrder(
            "resolved {kudu.batchSize=1}", "unresolved {}", "resolved {kudu.batchSize=2}");
  }

  @Test
  void targetOfAnUpsertKeepsItsOperation() throws Exception {
    assertThat(tables("UPSERT INTO k.parsed.t SELECT id, s FROM k.parsed.t"))
        .containsExactly("resolved {kudu.operation=upsert}", "unresolved {}");
  }

  @Test
  void queriesThatWithNamesAreIncluded() throws Exception {
    LogicalPlan parsed =
        KuduNames.state(spark)
            .sqlParser()
            .parsePlan(
                "WITH c AS (SELECT * FROM k.parsed.t WITH (`kudu.batchSize` = '1'))"
                    + " SELECT * FROM c, k.parsed.t");

    assertThat(new ParsedOptions(new OwnOptions(spark)).addTo(parsed).innerChildren().toString())
        .contains("RelationV2")
        .doesNotContain("UnresolvedRelation");
  }

  @Test
  void subqueriesAreIncluded() throws Exception {
    LogicalPlan parsed =
        KuduNames.state(spark)
            .sqlParser()
            .parsePlan(
                "SELECT (SELECT MAX(id) FROM k.parsed.t WITH (`kudu.batchSize` = '1')) FROM"
                    + " k.parsed.t");

    assertThat(new ParsedOptions(new OwnOptions(spark)).addTo(parsed).toString())
        .contains("RelationV2");
  }

  @Test
  void nameOfAQueryIsNotATable() throws Exception {
    spark.sql("USE k.parsed");
    try {
      assertThat(
              tables(
                  "WITH t AS (SELECT 1 AS id) SELECT * FROM t WITH (`kudu.batchSize` = '1'),"
                      + " k.parsed.t WITH (`kudu.batchSize` = '2')"))
          .containsExactlyInAnyOrder(
              "unresolved {kudu.batchSize=1}", "resolved {kudu.batchSize=2}");
    } finally {
      spark.sql("USE spark_catalog");
    }
  }
}
