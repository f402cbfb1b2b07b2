package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.PublishedTool;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Replica verbs of the published C++ tool, against four of our servers: ksck, moves, copies,
 * maintenance, and finally a lost majority.
 */
@Tag("nightly")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PublishedToolOnReplicasIT {
  private static final int SERVERS = 4;
  private static final int PATIENCE_SECONDS = 120;

  private static EmbeddedCluster cluster;
  private static PublishedTool tool;
  private static String masters;
  private static String tablet;

  @BeforeAll
  static void start() {
    tool = PublishedTool.find();
    cluster =
        EmbeddedCluster.builder()
            .tabletServers(SERVERS)
            .replicationFactor(3)
            .masterFlag("--auto_rebalancing_enabled=false")
            .start();
    masters = cluster.masterAddresses();
    succeed(
        "perf",
        "loadgen",
        masters,
        "--num_threads=1",
        "--num_rows_per_thread=300",
        "--table_num_hash_partitions=4",
        "--table_num_replicas=3",
        "--keep_auto_table");
    tablet = tablets().get(0);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static List<String> tablets() {
    return succeed("table", "list", masters, "--list_tablets")
        .lines()
        .filter(line -> line.startsWith("  T "))
        .map(line -> line.substring(4).strip())
        .toList();
  }

  private static String succeed(String... arguments) {
    PublishedTool.Result result = tool.run(PATIENCE_SECONDS, arguments);
    assertThat(result.exitCode())
        .as("kudu %s\n%s", String.join(" ", arguments), result.output())
        .isZero();
    return result.output();
  }

  private static String address(int server) {
    return cluster.tabletServerAddress(server).toString();
  }

  /** Servers that have, or do not have, the tablet according to the master. */
  private static List<Integer> servers(boolean holders) {
    String members =
        succeed("table", "list", masters, "--list_tablets")
            .replaceAll("(?s).*  T " + tablet, "")
            .replaceAll("(?s)  T .*", "");
    return IntStream.range(0, SERVERS)
        .filter(server -> members.contains(cluster.tabletServerUuid(server)) == holders)
        .boxed()
        .toList();
  }

  private static void awaitHealthy() {
    await("ksck finds nothing wrong")
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .until(() -> tool.run(PATIENCE_SECONDS, "cluster", "ksck", masters).exitCode() == 0);
  }

  @Test
  @Order(1)
  void checksTheClusterAndSumsItsReplicas() {
    awaitHealthy();
    assertThat(succeed("cluster", "ksck", masters, "--checksum_scan")).contains("OK");
    assertThat(succeed("cluster", "ksck", masters, "-ksck_format=json_compact"))
        .contains("\"tablet_summaries\"", tablet);
  }

  @Test
  @Order(2)
  void leadersStepDown() {
    succeed("tablet", "leader_step_down", masters, tablet);
    awaitHealthy();
  }

  @Test
  @Order(3)
  void aReplicaIsMovedAndTheClusterRebalanced() {
    int from = servers(true).get(0);
    int to = servers(false).get(0);
    succeed(
        "tablet",
        "change_config",
        "move_replica",
        masters,
        tablet,
        cluster.tabletServerUuid(from),
        cluster.tabletServerUuid(to));
    assertThat(succeed("cluster", "rebalance", masters)).contains("cluster is balanced");
    awaitHealthy();
  }

  @Test
  @Order(4)
  void oneReplicaIsReadCopiedAndDeleted() {
    awaitHealthy();
    String source = address(servers(true).get(0));
    String target = address(servers(false).get(0));
    assertThat(succeed("remote_replica", "dump", source, tablet)).contains("int64 key=");
    succeed("remote_replica", "copy", tablet, source, target, "--force_copy");
    // A master may delete it first, since the server is no member: a tombstone is left in any case.
    tool.run(PATIENCE_SECONDS, "remote_replica", "delete", target, tablet, "for a test");
    await("only a tombstone is left of the copy")
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                succeed("remote_replica", "list", target, "--include_schema=false")
                    .replaceAll("(?s).*Tablet id: " + tablet, "")
                    .replaceAll("(?s)Tablet id: .*", "")
                    .contains("TOMBSTONED"));
    succeed("remote_replica", "check", target);
  }

  @Test
  @Order(5)
  void maintenanceBeginsAndEnds() {
    String server = cluster.tabletServerUuid(0);
    succeed("tserver", "state", "enter_maintenance", masters, server);
    assertThat(succeed("tserver", "list", masters, "--columns=uuid,state"))
        .contains(server + " | MAINTENANCE_MODE");
    succeed("tserver", "state", "exit_maintenance", masters, server);
    succeed("tserver", "quiesce", "start", address(0));
    assertThat(succeed("tserver", "quiesce", "status", address(0))).contains("true");
    succeed("tserver", "quiesce", "stop", address(0));
  }

  @Test
  @Order(6)
  void aTabletIsReplacedByAnEmptyOne() {
    assertThat(succeed("tablet", "info", masters, tablet)).contains(tablet);
    String other = tablets().get(1);
    succeed("tablet", "unsafe_replace_tablet", masters, other);
    assertThat(tablets()).hasSize(4).contains(tablet).doesNotContain(other);
    awaitHealthy();
  }

  @Test
  @Order(7)
  void aTabletWithoutAMajorityIsRecoveredByAnUnsafeChange() {
    awaitHealthy();
    List<Integer> holders = servers(true);
    int left = holders.get(0);
    cluster.stopTabletServer(holders.get(1));
    cluster.stopTabletServer(holders.get(2));
    succeed(
        "remote_replica",
        "unsafe_change_config",
        address(left),
        tablet,
        cluster.tabletServerUuid(left));
    await("the remaining replica leads")
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                succeed("remote_replica", "list", address(left), "--include_schema=false")
                    .replaceAll("(?s).*Tablet id: " + tablet, "")
                    .replaceAll("(?s)Table name.*", "")
                    .contains("LEADER"));
    assertThat(succeed("remote_replica", "dump", address(left), tablet)).contains("int64 key=");
  }
}
