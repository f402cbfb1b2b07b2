package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.spark.KuduCatalog;
import dev.kudu4j.spark.SparkOnKudu;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The effect of each operation on rows that exist and rows that do not. */
class WriteOperationsTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final String TWO_AND_THREE =
      "SELECT * FROM VALUES (2, 'zwei', 20L), (3, 'drei', 30L) AS v(id, name, score)";

  private TestTable table;

  @BeforeEach
  void fill() throws Exception {
    table = TestTable.create(KUDU);
    table.write(
        table.values("SELECT * FROM VALUES (1, 'one', 1L), (2, 'two', 2L) AS v(id, name, score)"),
        WriteOperation.INSERT);
  }

  @Test
  void upsertIsTheDefaultOfDataFrames() throws Exception {
    table.writer(table.values(TWO_AND_THREE)).save();

    assertThat(table.rows()).containsExactly("1|one|1", "2|zwei|20", "3|drei|30");
  }

  @Test
  void upsertIsTheDefaultOfSqlInsert() throws Exception {
    KUDU.spark().sql("INSERT INTO " + table.sqlName() + " " + TWO_AND_THREE);

    assertThat(table.rows()).containsExactly("1|one|1", "2|zwei|20", "3|drei|30");
  }

  @Test
  void appendOfTheCatalogUpserts() throws Exception {
    table.values(TWO_AND_THREE).writeTo(table.sqlName()).append();

    assertThat(table.rows()).containsExactly("1|one|1", "2|zwei|20", "3|drei|30");
  }

  @Test
  void sqlInsertTakesOptions() throws Exception {
    KUDU.spark()
        .sql(
            "INSERT INTO "
                + table.sqlName()
                + " WITH (`kudu.operation` = 'insert_ignore') "
                + TWO_AND_THREE);

    assertThat(table.rows()).containsExactly("1|one|1", "2|two|2", "3|drei|30");
  }

  @Test
  void insertOfAnExistingKeyReportsTheKeyAndTheCause() throws Exception {
    assertThatThrownBy(() -> table.write(table.values(TWO_AND_THREE), WriteOperation.INSERT))
        .hasMessageContaining("1 row was not written to table")
        .hasMessageContaining(table.name())
        .hasMessageContaining("int32 id=2")
        .hasMessageContaining("Already present");
    assertThat(table.rows()).contains("2|two|2");
  }

  @Test
  void insertIgnoreKeepsExistingRows() throws Exception {
    table.write(table.values(TWO_AND_THREE), WriteOperation.INSERT_IGNORE);

    assertThat(table.rows()).containsExactly("1|one|1", "2|two|2", "3|drei|30");
  }

  @Test
  void duplicatesMayBeIgnored() throws Exception {
    table
        .writer(table.values(TWO_AND_THREE))
        .option("kudu.operation", "insert")
        .option("kudu.ignoreDuplicateRowErrors", "true")
        .save();

    assertThat(table.rows()).containsExactly("1|one|1", "2|two|2", "3|drei|30");
  }

  @Test
  void updateOfAMissingKeyIsAnError() throws Exception {
    assertThatThrownBy(() -> table.write(table.values(TWO_AND_THREE), WriteOperation.UPDATE))
        .hasMessageContaining("int32 id=3")
        .hasMessageContaining("Not found");
  }

  @Test
  void updateIgnoreChangesExistingRows() throws Exception {
    table.write(table.values(TWO_AND_THREE), WriteOperation.UPDATE_IGNORE);

    assertThat(table.rows()).containsExactly("1|one|1", "2|zwei|20");
  }

  @Test
  void deleteTakesTheKeyFromAnyRow() throws Exception {
    table.write(table.values("SELECT 2 AS id, 'whatever' AS name"), WriteOperation.DELETE);

    assertThat(table.rows()).containsExactly("1|one|1");
  }

  @Test
  void deleteOfAMissingKeyIsAnErrorUnlessIgnored() throws Exception {
    assertThatThrownBy(() -> table.write(table.values("SELECT 7 AS id"), WriteOperation.DELETE))
        .hasMessageContaining("int32 id=7")
        .hasMessageContaining("Not found");

    table.write(
        table.values("SELECT id FROM VALUES (1), (7) AS v(id)"), WriteOperation.DELETE_IGNORE);
    assertThat(table.rows()).containsExactly("2|two|2");
  }

  @Test
  void columnsMissingInTheDataAreNotChanged() throws Exception {
    table.write(
        table.values("SELECT * FROM VALUES (20L, 2), (40L, 4) AS v(score, id)"),
        WriteOperation.UPSERT);

    assertThat(table.rows()).containsExactly("1|one|1", "2|two|20", "4|NULL|40");
  }

  @Test
  void nullIsWrittenUnlessIgnored() throws Exception {
    String nulls = "SELECT 1 AS id, CAST(NULL AS STRING) AS name, 11L AS score";

    table.writer(table.values(nulls)).option("kudu.ignoreNull", "true").save();
    assertThat(table.rows()).containsExactly("1|one|11", "2|two|2");

    table.writer(table.values(nulls)).save();
    assertThat(table.rows()).containsExactly("1|NULL|11", "2|two|2");
  }

  @Test
  void unknownOperationListsTheValidOnes() {
    assertThatThrownBy(
            () -> table.writer(table.values(TWO_AND_THREE)).option("kudu.operation", "put").save())
        .hasMessageContaining("kudu.operation is 'put'")
        .hasMessageContaining("upsert, insert, insert_ignore, update, update_ignore");
  }

  @Test
  void unknownColumnIsAnErrorUnlessDriftIsHandled() throws Exception {
    String wider = "SELECT 1 AS id, 'uno' AS name, true AS checked, DATE'2013-01-01' AS day";

    assertThatThrownBy(() -> table.writer(table.values(wider)).save())
        .hasMessageContaining("has no column checked, day")
        .hasMessageContaining("kudu.handleSchemaDrift");

    table.writer(table.values(wider)).option("kudu.handleSchemaDrift", "true").save();
    assertThat(table.rows()).containsExactly("1|uno|1|true|2013-01-01", "2|two|2|NULL|NULL");
  }

  @Test
  void repartitionedRowsAreTheSameRows() throws Exception {
    for (String sort : new String[] {"true", "false"}) {
      table
          .writer(
              table.values(
                  "SELECT CAST(id AS INT) AS id, id AS score FROM range(1, 2000) AS v(id)"))
          .option("kudu.repartition", "true")
          .option("kudu.repartition.sort", sort)
          .save();

      assertThat(table.rows()).hasSize(1999).contains("1999|NULL|1999", "1|one|1");
    }
  }

  @Test
  void rowsOfOneTabletAreWrittenByOneTask() throws Exception {
    String plan =
        KUDU.spark()
            .sql(
                "EXPLAIN INSERT INTO "
                    + table.sqlName()
                    + " WITH (`kudu.repartition` = 'true')"
                    + " SELECT CAST(id AS INT), 'n', id FROM range(1, 2000)")
            .head()
            .getString(0);
    assertThat(plan).contains("kudu_tablet").contains("Sort [id");

    long[] tablets =
        KUDU
            .spark()
            .sql("SELECT k.kudu_tablet('" + table.name() + "', CAST(id AS INT)) FROM range(2000)")
            .collectAsList()
            .stream()
            .mapToLong(row -> row.getInt(0))
            .distinct()
            .sorted()
            .toArray();
    assertThat(tablets).containsExactly(0, 1, 2, 3);
  }

  @Test
  void aColumnOfAnotherTypeIsRejectedBeforeAnyTaskBegins() {
    assertThatThrownBy(() -> table.write(table.values("SELECT 1.5 AS id"), WriteOperation.UPSERT))
        .isInstanceOf(IllegalArgumentException.class) // a task's would be in a SparkException
        .hasMessageContaining("Column id is of type DECIMAL(2,1) in the data")
        .hasMessageContaining("cast it");
  }

  @Test
  void aMissingKeyColumnIsRejectedBeforeAnyWrite() {
    assertThatThrownBy(() -> table.writer(table.values("SELECT 'x' AS name")).save())
        .hasMessageContaining("The data has no column id, which upsert into table")
        .hasMessageContaining(table.name());
  }

  @Test
  void insertsNeedAllNotNullColumns() throws Exception {
    TestTable strict =
        TestTable.create(
            KUDU,
            new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
            new ColumnSchemaBuilder("must", Type.STRING).build(),
            new ColumnSchemaBuilder("may", Type.STRING).defaultValue("d").build());

    assertThatThrownBy(() -> strict.writer(strict.values("SELECT 1 AS id")).save())
        .hasMessageContaining("no column must, which upsert");

    strict.write(strict.values("SELECT 1 AS id, 'm' AS must"), WriteOperation.INSERT);
    strict.write(strict.values("SELECT 1 AS id, 'n' AS may"), WriteOperation.UPDATE);
    assertThat(strict.rows()).containsExactly("1|m|n");
  }

  @Test
  void overwriteReplacesAllRows() throws Exception {
    table.writer(table.values(TWO_AND_THREE)).mode(SaveMode.Overwrite).save();
    assertThat(table.rows()).containsExactly("2|zwei|20", "3|drei|30");

    KUDU.spark()
        .sql(
            "INSERT OVERWRITE t SELECT id + 1, name, score FROM t WHERE id = 3"
                .replaceAll("\\bt\\b", table.sqlName()));
    assertThat(table.rows()).containsExactly("4|drei|30");
  }

  @Test
  void overwriteWithAConditionReplacesMatchingRows() throws Exception {
    table.values(TWO_AND_THREE).writeTo(table.sqlName()).overwrite(functions.expr("id < 2"));

    assertThat(table.rows()).containsExactly("2|zwei|20", "3|drei|30");
  }

  @Test
  void anOverwriteConditionThatServersCannotEvaluateIsRejected() throws Exception {
    assertThatThrownBy(
            () ->
                table
                    .values(TWO_AND_THREE)
                    .writeTo(table.sqlName())
                    .overwrite(functions.expr("id % 2 = 1")))
        .hasMessageContaining(table.name());
    assertThat(table.rows()).containsExactly("1|one|1", "2|two|2");
  }

  @Test
  void tableIsCreatedFromAQuery() throws Exception {
    KUDU.spark()
        .sql(
            "CREATE TABLE k.writes.made TBLPROPERTIES ('primary-key' = 'id')"
                + " AS SELECT id * 10 AS id, name FROM "
                + table.sqlName());

    assertThat(
            KUDU.spark().sql("SELECT * FROM k.writes.made ORDER BY id").collectAsList().toString())
        .isEqualTo("[[10,one], [20,two]]");
  }

  @Test
  void tableOfAFailedQueryIsRemoved() throws Exception {
    assertThatThrownBy(
            () ->
                KUDU.spark()
                    .sql(
                        "CREATE TABLE k.writes.failed TBLPROPERTIES ('primary-key' = 'id')"
                            + " AS SELECT id, CAST(raise_error('in the middle') AS STRING) AS name"
                            + " FROM "
                            + table.sqlName()))
        .hasMessageContaining("in the middle");
    assertThat(KUDU.client().tableExists("writes.failed")).isFalse();
  }

  @Test
  void truncatedTableIsEmptyAndStillExists() throws Exception {
    table.write(
        table.values("SELECT CAST(id AS INT) AS id, id AS score FROM range(3, 3000)"),
        WriteOperation.INSERT);
    assertThat(table.rows()).hasSize(2999);
    long before = KUDU.client().getLastPropagatedTimestamp() + 1;

    KUDU.spark().sql("TRUNCATE TABLE " + table.sqlName());

    assertThat(table.rows()).isEmpty();
    assertThat(
            KUDU.spark()
                .sql("SELECT count(*) FROM " + table.sqlName() + " VERSION AS OF " + before)
                .head()
                .getLong(0))
        .isEqualTo(2999);

    table.write(table.values("SELECT 1 AS id, 'again' AS name"), WriteOperation.INSERT);
    assertThat(table.rows()).containsExactly("1|again|NULL");
    KUDU.spark().sql("DELETE FROM " + table.sqlName());
    assertThat(table.rows()).isEmpty();
  }

  @Test
  void misspeltOptionIsRefusedWithASuggestion() throws Exception {
    for (String[] option :
        new String[][] {
          {"kudu.bathcSize", "kudu.batchSize"},
          {"kudu.opertion", "kudu.operation"},
          {"kudu.repartitionSort", "kudu.repartition.sort"},
          {"operation", "kudu.operation"}
        }) {
      String advice = "(?is).*unknown option %s; did you mean %s\\?.*".formatted((Object[]) option);
      assertThatThrownBy(
              () -> table.writer(table.values(TWO_AND_THREE)).option(option[0], "1").save())
          .hasMessageMatching(advice);
      assertThatThrownBy(
              () ->
                  KUDU.spark()
                      .sql(
                          "INSERT INTO t WITH (`o` = '1') SELECT * FROM t"
                              .replaceAll("\\bt\\b", table.sqlName())
                              .replace("`o`", "`" + option[0] + "`")))
          .hasMessageMatching(advice);
      assertThatThrownBy(
              () -> KUDU.spark().read().option(option[0], "1").table(table.sqlName()).count())
          .hasMessageMatching(advice);
    }
    table.writer(table.values(TWO_AND_THREE)).option("KUDU.OPERATION", "insert-ignore").save();
    assertThat(table.rows()).containsExactly("1|one|1", "2|two|2", "3|drei|30");
  }

  @Test
  void optionOfTheCatalogIsRefusedElsewhere() throws Exception {
    assertThatThrownBy(
            () ->
                KUDU.spark()
                    .sql(
                        "SELECT * FROM "
                            + table.sqlName()
                            + " WITH (`kudu.master` = 'elsewhere:1')")
                    .collectAsList())
        .hasMessageContaining("Option kudu.master belongs to a catalog");
    KUDU.spark().conf().set("spark.sql.catalog.misspelt", KuduCatalog.class.getName());
    KUDU.spark().conf().set("spark.sql.catalog.misspelt.kudu.masters", KUDU.masterAddresses());
    assertThatThrownBy(() -> KUDU.spark().sql("SHOW NAMESPACES IN misspelt"))
        .hasMessageContaining("did you mean kudu.master?");
  }

  @Test
  void rejectedRowsAreReportedWithoutTheTasksStackTrace() {
    assertThatThrownBy(() -> table.write(table.values(TWO_AND_THREE), WriteOperation.INSERT))
        .hasMessageContaining("1 row was not written to table " + table.name())
        .extracting(
            failure -> failure.getMessage().lines().filter(l -> l.startsWith("\tat")).count())
        .isEqualTo(0L);
  }
}
