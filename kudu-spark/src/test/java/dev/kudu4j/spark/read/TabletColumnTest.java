package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.spark.SparkOnKudu;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The metadata column {@code _tablet} can be selected, but is not in {@code *}. */
class TabletColumnTest {
  private static final String TABLE = "k.metadata.all_types";

  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @BeforeAll
  static void load() throws Exception {
    AllTypes.create(KUDU.spark(), TABLE);
    AllTypes.insert(
        KUDU.client(), "metadata.all_types", AllTypes.rows(KUDU.spark(), 300, new Random(3)));
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static Set<String> tablets(String table) throws Exception {
    Set<String> ids = new TreeSet<>();
    for (LocatedTablet tablet : KUDU.client().openTable(table).getTabletsLocations(30_000)) {
      ids.add(new String(tablet.getTabletId(), StandardCharsets.UTF_8));
    }
    return ids;
  }

  private static Set<String> texts(Dataset<Row> query) {
    Set<String> texts = new TreeSet<>();
    query.collectAsList().forEach(row -> texts.add(row.getString(0)));
    return texts;
  }

  @Test
  void theColumnContainsTheTabletOfEachRow() throws Exception {
    assertThat(texts(sql("SELECT _tablet FROM " + TABLE))).isEqualTo(tablets("metadata.all_types"));
    assertThat(sql("SELECT * FROM " + TABLE).columns()).doesNotContain("_tablet");
    Dataset<Row> perTablet = sql("SELECT _tablet, count(*) FROM " + TABLE + " GROUP BY _tablet");
    long rows = perTablet.collectAsList().stream().mapToLong(row -> row.getLong(1)).sum();
    assertThat(rows).isEqualTo(300);
    String one = tablets("metadata.all_types").iterator().next();
    assertThat(texts(sql("SELECT _tablet FROM " + TABLE + " WHERE _tablet = '" + one + "'")))
        .containsExactly(one);
  }

  @Test
  void theColumnMayBeSelectedAtAnyPosition() {
    Dataset<Row> all = sql("SELECT id, bool, d9, text, f64 FROM " + TABLE + " ORDER BY id");
    Dataset<Row> mixed =
        sql("SELECT _tablet, id, bool, d9, _tablet t, text, f64 FROM " + TABLE + " ORDER BY id");
    List<Row> expected = all.collectAsList();
    List<Row> found = mixed.drop("_tablet", "t").collectAsList();
    assertThat(found).hasToString(expected.toString());
    assertThat(mixed.filter("_tablet <> t OR _tablet IS NULL").count()).isZero();
  }

  @Test
  void statementsThatChangeRowsMayReadTheColumn() throws Exception {
    sql(
        "CREATE TABLE k.metadata.changed (id INT, v INT, PRIMARY KEY (id))"
            + " PARTITIONED BY (bucket(2, id))");
    sql("INSERT INTO k.metadata.changed SELECT CAST(id AS INT), 0 FROM range(100)");
    String one = tablets("metadata.changed").iterator().next();
    String ofOne = "(SELECT id FROM k.metadata.changed WHERE _tablet = '" + one + "')";
    sql("UPDATE k.metadata.changed SET v = 1 WHERE id IN " + ofOne);
    sql(
        "MERGE INTO k.metadata.changed c USING (SELECT id FROM range(100)) s ON c.id = s.id"
            + " WHEN MATCHED AND c.v = 1 THEN UPDATE SET v = 2");
    assertThat(texts(sql("SELECT _tablet FROM k.metadata.changed WHERE v = 2")))
        .containsExactly(one);
    sql("DELETE FROM k.metadata.changed WHERE id IN " + ofOne);
    assertThat(texts(sql("SELECT _tablet FROM k.metadata.changed"))).hasSize(1).doesNotContain(one);
  }

  @Test
  void aTableColumnWithTheSameNameHidesTheMetadataColumn() {
    sql("CREATE TABLE k.metadata.own (id INT, _tablet STRING, PRIMARY KEY (id))");
    sql("INSERT INTO k.metadata.own VALUES (1, 'mine')");
    assertThat(texts(sql("SELECT _tablet FROM k.metadata.own"))).containsExactly("mine");
    assertThat(sql("SELECT max(_tablet) FROM k.metadata.own").head().getString(0))
        .isEqualTo("mine");
  }
}
