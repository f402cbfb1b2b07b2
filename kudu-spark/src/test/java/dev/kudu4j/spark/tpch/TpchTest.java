package dev.kudu4j.spark.tpch;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.SparkOnKudu;
import dev.kudu4j.tpch.TpchQueries;
import dev.kudu4j.tpch.TpchTables;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The queries of TPC-H: the results on Kudu equal the results on Parquet copies. The scale factor
 * is 0.01, or {@code -Dtpch.scale}; nightly it is 0.1. Eight queries run in every build, all 22
 * with {@code -Dtpch.all=true}, as nightly.
 */
class TpchTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final double SCALE = Double.parseDouble(System.getProperty("tpch.scale", "0.01"));
  private static final int BUCKETS = 2;
  private static final int REPLICAS = 1;

  @TempDir static Path directory;

  @BeforeAll
  static void load() throws IOException {
    SparkSession spark = KUDU.spark();
    for (String name : TpchTables.names()) {
      TpchTables.writeParquet(spark, name, SCALE, directory);
      Path parquet = TpchTables.parquet(name, directory);
      spark.read().parquet(parquet.toString()).createOrReplaceTempView("parquet_" + name);
      TpchTables.create(spark, "k.tpch", name, BUCKETS, REPLICAS);
      TpchTables.copy(spark, parquet, "k.tpch." + name);
    }
  }

  @ParameterizedTest
  @MethodSource("queries")
  void kuduAnswersAsParquetDoes(int number) {
    SparkSession spark = KUDU.spark();
    String query = TpchQueries.text(number);
    for (String table : TpchTables.names()) {
      spark.table("parquet_" + table).createOrReplaceTempView(table);
    }
    List<Row> expected = spark.sql(query).collectAsList();
    for (String table : TpchTables.names()) {
      spark.table("k.tpch." + table).createOrReplaceTempView(table);
    }
    List<Row> answer = spark.sql(query).collectAsList();
    assertThat(answer).isEqualTo(expected);
    assertThat(answer).as("an empty result proves nothing").isNotEmpty();
  }

  /**
   * Those of every build differ most: aggregates over one table (1, 6), a correlated subquery (2),
   * an outer join (13), distinct values and NOT IN (16), IN of groups (18), ORs across tables (19),
   * EXISTS and NOT EXISTS (21).
   */
  static IntStream queries() {
    return Boolean.getBoolean("tpch.all")
        ? IntStream.rangeClosed(1, 22)
        : IntStream.of(1, 2, 6, 13, 16, 18, 19, 21);
  }

  @Test
  void largeTabletsAreCutIntoSplits() {
    assumeThat(SCALE).as("tablets that were flushed").isGreaterThanOrEqualTo(0.1);
    Dataset<Row> whole = KUDU.spark().table("k.tpch.lineitem");
    int tablets = whole.toJavaRDD().getNumPartitions();
    Dataset<Row> cut =
        await("the tablets flushed in the background are split")
            .atMost(Duration.ofMinutes(1))
            .until(TpchTest::cutLines, lines -> lines.toJavaRDD().getNumPartitions() > 2 * tablets);
    assertThat(cut.agg(sum("l_quantity"), count("*")).head())
        .isEqualTo(whole.agg(sum("l_quantity"), count("*")).head());
  }

  private static Dataset<Row> cutLines() {
    return KUDU.spark()
        .read()
        .option(KuduOptions.SPLIT_SIZE_BYTES, 1 << 20)
        .table("k.tpch.lineitem");
  }

  /**
   * Spark passes the keys of a few parts to the scan of the lines. It does so only if it evaluates
   * a filter of the small side itself.
   */
  @Test
  void joinPassesItsKeysToTheScan() {
    Dataset<Row> join =
        KUDU.spark()
            .sql(
                "SELECT sum(l_quantity) FROM k.tpch.lineitem JOIN k.tpch.part"
                    + " ON l_partkey = p_partkey WHERE p_size = 1 AND p_name LIKE '%green%'");
    List<Row> answer = join.collectAsList();
    String plan = join.queryExecution().executedPlan().toString();
    assertThat(plan).contains("RuntimeFilters: [dynamicpruningexpression(l_partkey");
    assertThat(answer)
        .isEqualTo(
            KUDU.spark()
                .sql(
                    "SELECT sum(l_quantity) FROM parquet_lineitem JOIN parquet_part"
                        + " ON l_partkey = p_partkey WHERE p_size = 1 AND p_name LIKE '%green%'")
                .collectAsList());
  }
}
