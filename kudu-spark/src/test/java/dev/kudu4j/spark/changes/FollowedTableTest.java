package dev.kudu4j.spark.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.KuduCatalog;
import dev.kudu4j.spark.SparkOnKudu;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams follow a table under load, and end at random moments. They go on from their checkpoints.
 * At last the copy has exactly the rows of the table, and the log has each change once.
 *
 * <p>Every build kills one follower, {@code -Dfollow.kills} others, nightly 20. It stops five
 * within the JVM, {@code -Dfollow.stops} others, nightly 60.
 */
@Timeout(1200)
class FollowedTableTest {
  @RegisterExtension static final SparkOnKudu SPARK = new SparkOnKudu();

  private static final int KILLS = Integer.getInteger("follow.kills", 1);
  private static final int STOPS = Integer.getInteger("follow.stops", 5);
  private static final long SEED = Long.getLong("follow.seed", 20);

  private static final String CATALOG = "followed";
  private static final int KEYS_OF_RANGE = 200;
  private static final int NEW_RANGES = 4;
  private static final int FEW_CHANGES = 300;

  // The moments at which followers end.
  private static final int MAX_EVENTS = 6;
  private static final int MAX_MILLIS = 300;
  private static final int EVENT_SECONDS = 120;

  private static EmbeddedCluster cluster;
  private static SparkSession spark;

  private final Random random = new Random(SEED);

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    cluster =
        EmbeddedCluster.builder()
            .masterFlag("--txn_manager_enabled")
            .tabletServerFlag("--txn_keepalive_interval_ms=5000") // of a killed follower's
            .start();
    spark = SPARK.spark();
    spark.conf().set("spark.sql.catalog." + CATALOG, KuduCatalog.class.getName());
    spark.conf().set("spark.sql.catalog." + CATALOG + ".kudu.master", cluster.masterAddresses());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void followersThatAreKilledMissNothing() throws Exception {
    createTables("killed");
    try (ChangingTable source = changing("killed")) {
      for (int kill = 0; kill < KILLS; kill++) {
        try (FollowerProcess follower =
            new FollowerProcess(
                cluster.masterAddresses(), CATALOG, in("killed"), directory, maxChanges())) {
          awaitMoment(follower.events(), follower);
        }
        source.addRange(kill < NEW_RANGES ? KEYS_OF_RANGE : 0);
      }
      checkTables("killed", source.end());
    }
  }

  @Test
  void followersThatAreStoppedMissNothing() throws Exception {
    createTables("stopped");
    try (ChangingTable source = changing("stopped")) {
      for (int stop = 0; stop < STOPS; stop++) {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        TableFollower follower =
            follower("stopped", Trigger.ProcessingTime(0), maxChanges(), events::add);
        follower.start();
        awaitMoment(events, follower);
        follower.stop();
        source.addRange(stop < NEW_RANGES ? KEYS_OF_RANGE : 0);
      }
      checkTables("stopped", source.end());
    }
  }

  private static String in(String namespace) {
    return CATALOG + "." + namespace;
  }

  private static void createTables(String namespace) {
    String columns = "(id INT NOT NULL, v BIGINT, name STRING) PARTITIONED BY (bucket(2, id))";
    spark.sql(
        "CREATE TABLE %s.source %s TBLPROPERTIES ('primary-key' = 'id', 'num-replicas' = '1',"
                .formatted(in(namespace), columns)
            + " 'range-columns' = 'id', 'range-partitions' = '0 <= VALUES < %d')"
                .formatted(KEYS_OF_RANGE));
    spark.sql(
        "CREATE TABLE %s.copy %s TBLPROPERTIES ('primary-key' = 'id', 'num-replicas' = '1')"
            .formatted(in(namespace), columns));
    spark.sql(
        "CREATE TABLE %s.log (version BIGINT NOT NULL, id INT NOT NULL, type STRING NOT NULL,"
                .formatted(in(namespace))
            + " v BIGINT, name STRING) PARTITIONED BY (bucket(2, id))"
            + " TBLPROPERTIES ('primary-key' = 'version, id, type', 'num-replicas' = '1')");
  }

  private static ChangingTable changing(String namespace) throws Exception {
    return new ChangingTable(cluster.client(), namespace + ".source", KEYS_OF_RANGE, SEED);
  }

  private int maxChanges() {
    return random.nextBoolean() ? FEW_CHANGES : Integer.MAX_VALUE;
  }

  private TableFollower follower(
      String namespace, Trigger trigger, int maxChanges, Consumer<String> events) {
    return new TableFollower(spark, in(namespace), directory, trigger, maxChanges, events);
  }

  /**
   * Waits for a random number of events, and then for a random time.
   *
   * @param follower describes itself if there is no event
   */
  private void awaitMoment(BlockingQueue<String> events, Object follower)
      throws InterruptedException {
    for (int left = 1 + random.nextInt(MAX_EVENTS); left > 0; left--) {
      assertThat(events.poll(EVENT_SECONDS, TimeUnit.SECONDS))
          .as(follower::toString)
          .isNotNull()
          .isNotEqualTo(FollowerProcess.END);
    }
    CountDownLatch never = new CountDownLatch(1);
    assertThat(never.await(random.nextInt(MAX_MILLIS), TimeUnit.MILLISECONDS)).isFalse();
  }

  /**
   * Follows the table to its end, and compares.
   *
   * @param rows that the table must have
   */
  private void checkTables(String namespace, List<String> rows) throws Exception {
    TableFollower last =
        follower(namespace, Trigger.AvailableNow(), Integer.MAX_VALUE, event -> {});
    last.start();
    last.await();
    String in = in(namespace);
    assertThat(texts(spark.sql("SELECT * FROM " + in + ".source ORDER BY id"))).isEqualTo(rows);
    assertThat(texts(spark.sql("SELECT * FROM " + in + ".copy ORDER BY id"))).isEqualTo(rows);
    Dataset<Row> log = spark.table(in + ".log");
    Dataset<Row> changes =
        spark
            .table(in + ".`source$changes`")
            .selectExpr("_commit_version version", "id", "_change_type type", "v", "name");
    assertThat(texts(changes.exceptAll(log))).as("changes that the log lacks").isEmpty();
    assertThat(texts(log.exceptAll(changes))).as("rows that are no changes").isEmpty();
  }

  private static List<String> texts(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(row -> row.mkString("|")).toList();
  }
}
