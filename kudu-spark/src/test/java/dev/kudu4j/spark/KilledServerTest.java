package dev.kudu4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Jobs that write or aggregate while a tablet server, the leader of some of their tablets, is
 * killed by {@code kill -9} and stays away until they end.
 */
class KilledServerTest {
  @RegisterExtension static final SparkOnKudu SPARK = new SparkOnKudu();

  private static final int ROWS = 80_000;

  /** Rows from this id on wait until the server is killed, so that each job sees the loss. */
  private static final int FIRST_AFTER_LOSS = ROWS / 2;

  private static final int GROUPS = 10_000;
  private static final int GROUPS_BEFORE_LOSS = 100;
  private static final AtomicInteger GROUPS_SEEN = new AtomicInteger();

  private static volatile CountDownLatch loss;

  private static EmbeddedCluster cluster;
  private static List<TabletServerProcess> processes;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    cluster =
        EmbeddedCluster.builder()
            .masterFlag("--leader_rebalancing_interval_seconds=1")
            .tabletServerFlag("--unlock_unsafe_flags")
            .start();
    processes =
        List.of(
            new TabletServerProcess(cluster, "killed-0"),
            new TabletServerProcess(cluster, "killed-1"));
    awaitServers();
    spark = SPARK.spark();
    spark.conf().set("spark.sql.catalog.frail", KuduCatalog.class.getName());
    spark.conf().set("spark.sql.catalog.frail.kudu.master", cluster.masterAddresses());
    registerFunctions();
  }

  private static void registerFunctions() {
    spark
        .udf()
        .register("await_loss", (UDF1<Long, Long>) KilledServerTest::awaitLoss, DataTypes.LongType);
    spark
        .udf()
        .register(
            "await_loss_after_some",
            (UDF1<Long, Boolean>) KilledServerTest::awaitLossAfterSome,
            DataTypes.BooleanType);
  }

  private static void awaitServers() {
    await("all servers are registered")
        .atMost(Duration.ofMinutes(1))
        .until(() -> cluster.client().listTabletServers().getTabletServersCount() == 3);
  }

  @AfterAll
  static void stop() {
    processes.forEach(TabletServerProcess::close);
    cluster.close();
  }

  private static long awaitLoss(long id) throws InterruptedException {
    if (id >= FIRST_AFTER_LOSS) {
      assertThat(loss.await(2, TimeUnit.MINUTES)).isTrue();
    }
    return id;
  }

  private static boolean awaitLossAfterSome(long count) throws InterruptedException {
    if (GROUPS_SEEN.incrementAndGet() >= GROUPS_BEFORE_LOSS) {
      assertThat(loss.await(2, TimeUnit.MINUTES)).isTrue();
    }
    return true;
  }

  @Test
  void insertWritesEveryRowOnce() throws Exception {
    create("inserted");

    killLeaderDuring(
        "inserted",
        "INSERT INTO frail.db.inserted SELECT id, await_loss(id) * 3 FROM range(0, %d, 1, 2)",
        "id",
        100);

    assertThat(totals("inserted")).isEqualTo(List.of((long) ROWS, 3L * ROWS * (ROWS - 1) / 2));
  }

  @Test
  void updateChangesEveryRowOnce() throws Exception {
    create("updated");
    spark.sql("INSERT INTO frail.db.updated SELECT id, id FROM range(0, %d)".formatted(ROWS));

    killLeaderDuring("updated", "UPDATE frail.db.updated SET v = await_loss(id) + %d", "v", ROWS);

    long sum = (long) ROWS * (ROWS - 1) / 2 + (long) ROWS * ROWS;
    assertThat(totals("updated")).isEqualTo(List.of((long) ROWS, sum));
  }

  /** Both tasks that run wait after some groups; the others begin when the server is lost. */
  @Test
  void aggregatesAreThoseOfAllRows() throws Exception {
    spark.sql(
        "CREATE TABLE frail.db.grouped (id BIGINT, part BIGINT, v BIGINT, PRIMARY KEY (id, part))"
            + " PARTITIONED BY (bucket(6, id)) TBLPROPERTIES ('num-replicas' = '3')");
    spark.sql(
        "INSERT INTO frail.db.grouped SELECT id %% %d, id, id FROM range(0, %d)"
            .formatted(GROUPS, ROWS));
    String query =
        "SELECT count(*), sum(n), sum(s) FROM (SELECT id, count(*) n, sum(v) s FROM"
            + " frail.db.grouped WITH (`kudu.scanLocality` = 'leader_only', `kudu.batchSize` ="
            + " '1000') GROUP BY id) WHERE await_loss_after_some(n)";
    assertThat(spark.sql(query).queryExecution().executedPlan().toString()).contains("group by id");
    loss = new CountDownLatch(1);
    TabletServerProcess leader = awaitLeader("grouped");

    CompletableFuture<Row> job = CompletableFuture.supplyAsync(() -> spark.sql(query).head());
    await("tasks have received groups")
        .atMost(Duration.ofMinutes(1))
        .until(() -> job.isDone() || GROUPS_SEEN.get() >= GROUPS_BEFORE_LOSS);
    assertThat(job).isNotDone();
    leader.kill();
    loss.countDown();
    try {
      assertThat(job.get(2, TimeUnit.MINUTES).toSeq().mkString(","))
          .isEqualTo("%d,%d,%d".formatted(GROUPS, ROWS, (long) ROWS * (ROWS - 1) / 2));
    } finally {
      leader.start();
      awaitServers();
    }
  }

  private static void create(String table) {
    spark.sql(
        "CREATE TABLE frail.db.%s (id BIGINT, v BIGINT, PRIMARY KEY (id))".formatted(table)
            + " PARTITIONED BY (bucket(2, id)) TBLPROPERTIES ('num-replicas' = '3')");
  }

  /**
   * Runs a statement, and kills a server that leads tablets when the table has a row with at least
   * the given value in a column. It starts again after the statement.
   *
   * @param statement with a place for the number of rows
   */
  private static void killLeaderDuring(String table, String statement, String column, long min)
      throws Exception {
    loss = new CountDownLatch(1);
    TabletServerProcess leader = awaitLeader(table);
    CompletableFuture<Void> job =
        CompletableFuture.runAsync(() -> spark.sql(statement.formatted(ROWS)));
    await("the job has written rows")
        .atMost(Duration.ofMinutes(1))
        .until(() -> job.isDone() || isWritten(table, column, min));
    assertThat(job).isNotDone();
    leader.kill();
    loss.countDown();
    try {
      job.get(2, TimeUnit.MINUTES);
    } finally {
      leader.start();
      awaitServers();
    }
  }

  /** A process that leads tablets of the table; the master spreads leaders evenly. */
  private static TabletServerProcess awaitLeader(String table) {
    return await("a server that can be killed leads a tablet")
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> processes.stream().filter(each -> leads(each, table)).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static boolean leads(TabletServerProcess process, String table) {
    try {
      return cluster.client().openTable("db." + table).getTabletsLocations(60_000).stream()
          .map(LocatedTablet::getLeaderReplica)
          .anyMatch(leader -> leader != null && leader.getRpcPort() == process.port());
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads without Spark, whose cores the tasks of the job occupy. */
  private static boolean isWritten(String name, String column, long min) throws KuduException {
    KuduTable table = cluster.client().openTable("db." + name);
    KuduPredicate large =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn(column), ComparisonOp.GREATER_EQUAL, min);
    KuduScanner scanner =
        cluster.client().newScannerBuilder(table).addPredicate(large).limit(1).build();
    try {
      boolean found = false;
      while (scanner.hasMoreRows()) {
        found |= scanner.nextRows().getNumRows() > 0;
      }
      return found;
    } finally {
      scanner.close();
    }
  }

  private static List<Object> totals(String table) {
    Row row = spark.sql("SELECT COUNT(*), SUM(v) FROM frail.db." + table).head();
    return List.of(row.get(0), row.get(1));
  }
}
