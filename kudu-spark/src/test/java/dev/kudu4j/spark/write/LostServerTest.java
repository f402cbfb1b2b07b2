package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.KuduCatalog;
import dev.kudu4j.spark.Leaders;
import dev.kudu4j.spark.SparkOnKudu;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that write while the server that leads the tablet is lost, and does not come back. */
class LostServerTest {
  @RegisterExtension static final SparkOnKudu SPARK = new SparkOnKudu();

  private static final int ROWS = 40_000;

  /** Ids from here on wait until the leader is stopped, so that each job sees the loss. */
  private static final int FIRST_AFTER_LOSS = ROWS / 2;

  private static volatile CountDownLatch loss;

  private static EmbeddedCluster cluster;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().tabletServers(3).replicationFactor(3).start();
    spark = SPARK.spark();
    spark.conf().set("spark.sql.catalog.frail", KuduCatalog.class.getName());
    spark.conf().set("spark.sql.catalog.frail.kudu.master", cluster.masterAddresses());
    spark
        .udf()
        .register("await_loss", (UDF1<Long, Long>) LostServerTest::awaitLoss, DataTypes.LongType);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static long awaitLoss(long id) throws InterruptedException {
    if (id >= FIRST_AFTER_LOSS) {
      assertThat(loss.await(2, TimeUnit.MINUTES)).isTrue();
    }
    return id;
  }

  @Test
  void insertWritesEveryRowOnce() throws Exception {
    create("inserted");

    loseLeaderDuring(
        "inserted",
        "INSERT INTO frail.db.inserted SELECT id, await_loss(id) * 3 FROM range(0, %d, 1, 2)",
        "id > 100");

    assertThat(totals("inserted")).isEqualTo(List.of((long) ROWS, 3L * ROWS * (ROWS - 1) / 2));
  }

  @Test
  void updateChangesEveryRowOnce() throws Exception {
    create("updated");
    spark.sql("INSERT INTO frail.db.updated SELECT id, id FROM range(0, %d)".formatted(ROWS));

    loseLeaderDuring(
        "updated", "UPDATE frail.db.updated SET v = await_loss(id) + %d", "v >= " + ROWS);

    long sum = (long) ROWS * (ROWS - 1) / 2 + (long) ROWS * ROWS;
    assertThat(totals("updated")).isEqualTo(List.of((long) ROWS, sum));
  }

  private static void create(String table) {
    spark.sql(
        "CREATE TABLE frail.db.%s (id BIGINT, v BIGINT, PRIMARY KEY (id))".formatted(table)
            + " TBLPROPERTIES ('num-replicas' = '3')");
  }

  /**
   * Runs a statement, and stops the leader when rows that meet the condition are in the table. It
   * starts again after the statement.
   *
   * @param statement with a place for the number of rows
   */
  private static void loseLeaderDuring(String table, String statement, String written)
      throws Exception {
    loss = new CountDownLatch(1);
    CompletableFuture<Void> job =
        CompletableFuture.runAsync(() -> spark.sql(statement.formatted(ROWS)));
    await("the job has written rows")
        .atMost(Duration.ofMinutes(1))
        .until(() -> job.isDone() || count(table, written) > 0);
    assertThat(job).isNotDone();
    int leader = Leaders.ofFirstTablet(cluster, "db." + table);
    cluster.stopTabletServer(leader);
    loss.countDown();
    try {
      job.get(2, TimeUnit.MINUTES);
    } finally {
      cluster.startTabletServer(leader);
    }
  }

  private static long count(String table, String condition) {
    return spark
        .sql("SELECT COUNT(*) FROM frail.db." + table + " WHERE " + condition)
        .head()
        .getLong(0);
  }

  private static List<Object> totals(String table) {
    Row row = spark.sql("SELECT COUNT(*), SUM(v) FROM frail.db." + table).head();
    return List.of(row.get(0), row.get(1));
  }
}
