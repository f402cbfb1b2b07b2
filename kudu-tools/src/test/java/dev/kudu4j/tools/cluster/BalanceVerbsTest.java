package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rebalancing and maintenance of servers, on request of a user. */
@Timeout(300)
class BalanceVerbsTest {
  private static final int EVEN_TABLETS = 6;

  /**
   * Two servers with all replicas, and a new server. The master does not rebalance them on its own.
   */
  private static EmbeddedCluster uneven() {
    EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .tabletServers(3)
            .replicationFactor(1)
            .masterFlag("--auto_rebalancing_enabled=false")
            .start();
    for (String server : new String[] {cluster.tabletServerUuid(0), cluster.tabletServerUuid(1)}) {
      assertDone(kudu(cluster, "tserver state", "enter_maintenance", server));
    }
    KuduRun created =
        kudu(
            cluster,
            "table",
            "create",
            "t",
            "--columns=id int64 key, v string",
            "--hash=id:" + EVEN_TABLETS);
    assertDone(created);
    for (String server : new String[] {cluster.tabletServerUuid(0), cluster.tabletServerUuid(1)}) {
      assertDone(kudu(cluster, "tserver state", "exit_maintenance", server));
    }
    FirstRows.writeToAllTablets(cluster, "t");
    return cluster;
  }

  @Test
  void reportListsTheMovesWithoutMakingThem() {
    try (EmbeddedCluster cluster = uneven()) {
      eventually("all leaders are known, so the replicas can be moved")
          .untilAsserted(
              () -> {
                KuduRun report = kudu(cluster, "cluster", "rebalance", "--report_only");
                assertDone(report);
                assertThat(report.out()).contains("Cluster: skew 6 now, 0 after 4 moves");
              });
      assertThat(replicas(cluster, 2, "t")).isEqualTo(EVEN_TABLETS);
    }
  }

  @Test
  void replicasAreMovedUntilTheClusterIsEven() {
    try (EmbeddedCluster cluster = uneven()) {
      KuduRun moved = kudu(cluster, "cluster", "rebalance");
      assertDone(moved);
      assertThat(moved.out())
          .containsPattern("The cluster is balanced: [4-9] replicas moved, 0 moves failed");
      KuduRun again = kudu(cluster, "cluster", "rebalance");
      assertThat(again.out()).contains("skew 0 now, 0 after 0 moves", "0 replicas moved");
      eventually("ksck finds nothing wrong")
          .untilAsserted(() -> assertDone(kudu(cluster, "cluster", "ksck")));
    }
  }

  @Test
  void aServerInMaintenanceIsShownAndGetsNoReplicas() {
    try (EmbeddedCluster cluster = uneven()) {
      String server = cluster.tabletServerUuid(2);
      KuduRun entered = kudu(cluster, "tserver state", "enter_maintenance", server);
      assertThat(entered.out()).isEqualTo("Tablet server " + server + " is in maintenance\n");
      assertThat(state(cluster, server)).contains("MAINTENANCE_MODE");
      assertDone(kudu(cluster, "table", "create", "u", "--columns=id int64 key", "--hash=id:2"));
      assertThat(replicas(cluster, 2, "t")).isEqualTo(EVEN_TABLETS);
      assertThat(replicas(cluster, 2, "u")).isZero();
      assertThat(replicas(cluster, 0, "u") + replicas(cluster, 1, "u")).isEqualTo(2);
      assertDone(kudu(cluster, "tserver state", "exit_maintenance", server));
      assertThat(state(cluster, server)).doesNotContain("MAINTENANCE_MODE");
    }
  }

  @Test
  void anUnknownServerIsRejectedUnlessItMayBeMissing() {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      String stranger = "0123456789abcdef0123456789abcdef";
      KuduRun refused = kudu(cluster, "tserver state", "enter_maintenance", stranger);
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).contains(stranger + " has not registered", "kudu tserver list");
      assertDone(
          kudu(cluster, "tserver state", "enter_maintenance", stranger, "--allow_missing_tserver"));
    }
  }

  @Test
  void aLiveServerCannotBeUnregistered() {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      String server = cluster.tabletServerUuid(0);
      KuduRun refused = kudu(cluster, "tserver", "unregister", server);
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).contains(server + " still heartbeats");
      assertThat(kudu(cluster, "tserver", "list").out()).contains(server);
    }
  }

  @Test
  void aStoppedServerIsUnregistered() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .tabletServers(2)
            .replicationFactor(1)
            .masterFlag("--tserver_unresponsive_timeout_ms=3000")
            .start()) {
      String server = cluster.tabletServerUuid(1);
      cluster.stopTabletServer(1);
      eventually("the master considers the server dead")
          .untilAsserted(() -> assertDone(kudu(cluster, "tserver", "unregister", server)));
      assertThat(kudu(cluster, "tserver", "list").out()).doesNotContain(server);
      KuduRun again = kudu(cluster, "tserver", "unregister", server);
      assertThat(again.exitCode()).isEqualTo(1);
      assertThat(again.err()).contains("Nothing is known of a tablet server " + server);
    }
  }

  private static ConditionFactory eventually(String description) {
    return await(description).atMost(Duration.ofMinutes(1));
  }

  private static long replicas(EmbeddedCluster cluster, int server, String table) {
    KuduRun list =
        KuduRun.of(
            "remote_replica",
            "list",
            cluster.tabletServerAddress(server).toString(),
            "--table_name=" + table,
            "--format=space");
    assertDone(list);
    return list.out().lines().filter(line -> line.contains("RUNNING")).count();
  }

  private static String state(EmbeddedCluster cluster, String server) {
    KuduRun list = kudu(cluster, "tserver", "list", "--format=csv");
    assertDone(list);
    return list.out().lines().filter(line -> line.contains(server)).findFirst().orElseThrow();
  }

  private static void assertDone(KuduRun run) {
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
  }

  /**
   * @param mode one or two words; the masters are inserted after the verb
   */
  private static KuduRun kudu(
      EmbeddedCluster cluster, String mode, String verb, String... arguments) {
    String[] modes = mode.split(" ");
    Object[] all = new Object[modes.length + 2 + arguments.length];
    System.arraycopy(modes, 0, all, 0, modes.length);
    all[modes.length] = verb;
    all[modes.length + 1] = cluster.masterAddresses();
    System.arraycopy(arguments, 0, all, modes.length + 2, arguments.length);
    return KuduRun.of(all);
  }
}
