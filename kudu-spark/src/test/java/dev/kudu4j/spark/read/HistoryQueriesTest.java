package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.spark.SparkOnKudu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries of two tables after updates and deletes, and of earlier snapshots of them. Spark
 * computes the same history as Parquet files, each version from the previous one. The results must
 * equal those on the files, and those on the tables without push-down.
 */
class HistoryQueriesTest {
  /** Queries of each kind on each version. */
  private static final int QUERIES = Integer.getInteger("spark.histories", 1);

  private static final String WITHOUT_PUSH_DOWN = " WITH (`kudu.pushDown` = 'false')";
  private static final int CHANGES = 3;
  private static final int ROWS = 250;
  private static final List<String> TABLES = List.of("facts", "others");

  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();
  @TempDir static Path directory;

  private static final long SEED = Long.getLong("test.seed", 13);
  private static final Random RANDOM = new Random(SEED);
  private static final List<Long> SNAPSHOTS = new ArrayList<>(); // of each version

  @BeforeAll
  static void makeHistory() throws Exception {
    for (String table : TABLES) {
      String name = "k.histories." + table;
      AllTypes.create(spark(), name);
      var rows = AllTypes.rows(spark(), ROWS, new Random(RANDOM.nextLong()));
      AllTypes.insert(KUDU.client(), "histories." + table, rows);
      spark().createDataFrame(rows, AllTypes.schema()).write().parquet(file(table, 0));
    }
    SNAPSHOTS.add(now());
    for (int version = 1; version <= CHANGES; version++) {
      for (String table : TABLES) {
        change(table, version);
      }
      SNAPSHOTS.add(now());
    }
  }

  private static SparkSession spark() {
    return KUDU.spark();
  }

  private static String file(String table, int version) {
    return directory.resolve(table + version).toString();
  }

  /** A hybrid time after all changes so far: all servers are on this machine. */
  private static long now() {
    return ((System.currentTimeMillis() + 1) * 1000) << 12;
  }

  /** Updates or deletes some rows of the table, and writes the next version of the files. */
  private static void change(String table, int version) {
    String where = "id % 4 = " + version % 4 + " OR " + ReadTest.predicate(RANDOM, 1);
    int index = RANDOM.nextInt(AllTypes.COLUMNS.size());
    String column = AllTypes.COLUMNS.get(index);
    List<String> values = AllTypes.LITERALS.get(index);
    String value = RANDOM.nextInt(5) == 0 ? "NULL" : values.get(RANDOM.nextInt(values.size()));
    boolean deletes = version == 2;
    String columns =
        AllTypes.COLUMNS.stream()
            .map(
                each ->
                    each.equals(column) && !deletes
                        ? "CASE WHEN " + where + " THEN " + value + " ELSE " + each + " END " + each
                        : each)
            .collect(Collectors.joining(", "));
    String kept = deletes ? " WHERE NOT coalesce(id % 8 = 1 AND (" + where + "), false)" : "";
    String before = "parquet.`" + file(table, version - 1) + "`";
    spark()
        .sql("SELECT id, " + columns + " FROM " + before + kept)
        .write()
        .parquet(file(table, version));
    spark()
        .sql(
            deletes
                ? "DELETE FROM k.histories." + table + " WHERE id % 8 = 1 AND (" + where + ")"
                : "UPDATE k.histories."
                    + table
                    + " SET "
                    + column
                    + " = "
                    + value
                    + " WHERE "
                    + where);
  }

  @Test
  void queriesOnAllVersionsEqualThoseOnFiles() {
    for (int version = 0; version <= CHANGES; version++) {
      for (int i = 0; i < QUERIES; i++) {
        compare(AggregateTest.query(RANDOM), version);
        compare(FirstRowsTest.query(RANDOM), version);
        compare("SELECT * FROM TABLE WHERE " + ReadTest.predicate(RANDOM, 2), version);
        compare(join(), version);
      }
    }
  }

  /** A join of filtered rows of both tables, or an aggregation of one. */
  private static String join() {
    String kind = List.of("", "LEFT ", "FULL ", "LEFT SEMI ", "LEFT ANTI ").get(RANDOM.nextInt(5));
    String by = List.of("id", "i8", "i32", "d9", "day", "text", "bin").get(RANDOM.nextInt(7));
    String both =
        "(SELECT * FROM TABLE WHERE %s) l %sJOIN (SELECT * FROM OTHER WHERE %s) r ON l.%s = r.%s"
            .formatted(ReadTest.predicate(RANDOM, 1), kind, ReadTest.predicate(RANDOM, 1), by, by);
    boolean onlyLeft = kind.contains("SEMI") || kind.contains("ANTI");
    return switch (RANDOM.nextInt(3)) {
      case 0 -> "SELECT l.id, l.text" + (onlyLeft ? "" : ", r.id, r.d18") + " FROM " + both;
      case 1 -> "SELECT l.bool, count(*), min(l.day), max(l.vc) FROM " + both + " GROUP BY l.bool";
      default -> "SELECT count(*), sum(l.d9) FROM " + both;
    };
  }

  private static void compare(String query, int version) {
    String at = " VERSION AS OF " + SNAPSHOTS.get(version);
    String read = version == CHANGES && RANDOM.nextBoolean() ? "" : at;
    if (RANDOM.nextBoolean()) {
      read += ComparedTable.AS_LARGE;
    }
    List<String> expected =
        rows(
            query
                .replace("TABLE", "parquet.`" + file("facts", version) + "`")
                .replace("OTHER", "parquet.`" + file("others", version) + "`"));
    for (String options : List.of(read, at + WITHOUT_PUSH_DOWN)) {
      String found =
          query
              .replace("TABLE", "k.histories.facts" + options)
              .replace("OTHER", "k.histories.others" + options);
      assertThat(rows(found)).as("seed %d: %s", SEED, found).isEqualTo(expected);
    }
  }

  private static List<String> rows(String query) {
    return AggregateTest.texts(spark().sql(query));
  }
}
