package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.PublishedTool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * One master and three tablet servers, with the published client and the published tool, while one
 * of them is down and after it returns. The tests run in order and depend on each other.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServersComeAndGoIT {
  private static final int WAIT_MILLIS = 120_000;

  @TempDir static Path directory;
  private static LocalCluster cluster;
  private static PublishedTool tool;
  private static KuduClient client;

  @BeforeAll
  static void start() {
    tool = PublishedTool.find();
    cluster = new LocalCluster(directory, 3).start();
    client =
        new KuduClient.KuduClientBuilder(cluster.masters())
            .defaultAdminOperationTimeoutMs(WAIT_MILLIS)
            .defaultOperationTimeoutMs(WAIT_MILLIS)
            .build();
  }

  @AfterAll
  static void stop() throws KuduException {
    if (client != null) {
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
            new ColumnSchema.ColumnSchemaBuilder("name", Type.STRING).nullable(true).build()));
  }

  private static KuduTable create(String name, int buckets, int replicas) throws KuduException {
    return client.createTable(
        name,
        schema(),
        new CreateTableOptions()
            .addHashPartitions(List.of("id"), buckets)
            .setNumReplicas(replicas));
  }

  private static void insert(KuduTable table, int from, int to) throws KuduException {
    KuduSession session = client.newSession();
    for (int id = from; id < to; id++) {
      var insert = table.newInsert();
      insert.getRow().addInt("id", id);
      assertThat(session.apply(insert).hasRowError()).isFalse();
    }
    session.close();
  }

  private static PublishedTool.Result check() {
    return tool.run(120, "cluster", "ksck", cluster.masters());
  }

  private static void awaitHealthy() {
    eventually("ksck finds nothing wrong").until(() -> check().exitCode() == 0);
  }

  private static ConditionFactory eventually(String description) {
    return await(description).atMost(Duration.ofMillis(WAIT_MILLIS));
  }

  private static Daemon third() {
    return cluster.tabletServers().get(2);
  }

  @Test
  @Order(1)
  @SuppressWarnings("deprecation") // of the published client, which has no alternative
  void aTableOfThreeReplicasIsOnAllServersAndHealthy() throws Exception {
    KuduTable table = create("three", 4, 3);
    insert(table, 0, 100);
    create("to_be_dropped", 2, 3);
    awaitHealthy();
    eventually("all leaders are known").until(ServersComeAndGoIT::allLed);
    for (var location : table.getTabletsLocations(WAIT_MILLIS)) {
      assertThat(location.getReplicas()).hasSize(3);
    }
    assertThat(AdminCalls.tabletCount(third())).isEqualTo(6);
    eventually("the master knows all web pages")
        .until(() -> AdminCalls.tabletServersWithWebPages(cluster.master()) == 3);
  }

  @Test
  @Order(2)
  void invalidReplicationFactorsAreRejected() {
    assertRefused(2, "illegal replication factor 2: replication factor must be odd");
    assertRefused(
        0,
        "illegal replication factor 0: minimum allowed replication factor is 1 (controlled by"
            + " --min_num_replicas)");
    assertRefused(
        9,
        "illegal replication factor 9: maximum allowed replication factor is 7 (controlled by"
            + " --max_num_replicas)");
    String tooFew =
        "not enough live tablet servers to %s a table with the requested replication factor 5; 3"
            + " tablet servers are alive";
    assertCreateRefused(5, String.format(tooFew, "create"));
    assertAlterRefused(5, String.format(tooFew, "alter"));
  }

  private static void assertRefused(int factor, String words) {
    assertCreateRefused(factor, words);
    assertAlterRefused(factor, words);
  }

  private static void assertCreateRefused(int factor, String words) {
    assertThatThrownBy(() -> create("refused", 2, factor)).hasMessageContaining(words);
  }

  /** The published clients cannot request it; the tool can. */
  private static void assertAlterRefused(int factor, String words) {
    PublishedTool.Result result =
        tool.run(
            60,
            "table",
            "set_replication_factor",
            cluster.masters(),
            "three",
            Integer.toString(factor));
    assertThat(result.exitCode()).as(result.output()).isNotZero();
    assertThat(result.output()).contains(words);
  }

  @Test
  @Order(3)
  void aStoppedServerIsReportedByTheToolAndClientsContinue() throws Exception {
    third().kill();
    PublishedTool.Result sick = check();
    assertThat(sick.exitCode()).isNotZero();
    assertThat(sick.output()).contains("127.0.0.1:" + third().port(), "UNAVAILABLE");

    insert(client.openTable("three"), 100, 200);
    KuduTable meanwhile = create("meanwhile", 3, 3);
    insert(meanwhile, 0, 10);
    client.alterTable("three", new AlterTableOptions().addNullableColumn("more", Type.INT64));
    client.alterTable("meanwhile", new AlterTableOptions().addNullableColumn("more", Type.INT64));
    client.deleteTable("to_be_dropped");
    assertThat(client.openTable("meanwhile").getSchema().hasColumn("more")).isTrue();
  }

  @Test
  @Order(4)
  void aRestartedServerCatchesUpAndDeletesDroppedTablets() {
    third().start();
    eventually("the third server has the seven tablets of both tables")
        .until(() -> AdminCalls.tabletCount(third()) == 7);
    awaitHealthy();
  }

  @Test
  @Order(5)
  void aRestartedMasterLearnsTheLeaders() throws Exception {
    cluster.master().kill();
    cluster.master().start();
    eventually("all leaders are known").until(ServersComeAndGoIT::allLed);
    insert(client.openTable("meanwhile"), 10, 20);
    awaitHealthy();
  }

  @Test
  @Order(6)
  void theToolLoadsAndCountsThreeReplicas() {
    PublishedTool.Result load =
        tool.run(
            180,
            "perf",
            "loadgen",
            cluster.masters(),
            "--table_num_replicas=3",
            "--num_rows_per_thread=50000",
            "--num_threads=2",
            "--run_scan");
    assertThat(load.exitCode()).as(load.output()).isZero();
    assertThat(load.output()).contains("actual rows  : 100000");
  }

  /** According to the master: a client with an empty cache asks it. */
  @SuppressWarnings("deprecation") // of the published client, which has no alternative
  private static boolean allLed() {
    try (KuduClient asking = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      return asking.openTable("three").getTabletsLocations(WAIT_MILLIS).stream()
          .allMatch(location -> location.getLeaderReplica() != null);
    } catch (Exception e) { // declared by the published client
      return false;
    }
  }
}
