package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of a tablet changed by hand, on four servers in this JVM. */
@Timeout(300)
class ChangeConfigTest {
  /** A cluster whose master does not move replicas. */
  private static EmbeddedCluster cluster(int tabletServers) {
    return EmbeddedCluster.builder()
        .tabletServers(tabletServers)
        .replicationFactor(3)
        .masterFlag("--auto_rebalancing_enabled=false")
        .masterFlag("--auto_leader_rebalancing_enabled=false")
        .start();
  }

  /**
   * Creates a table, for which two of three replicas are enough, and waits until all replicas run
   * and accept changes of their members.
   */
  private static void createTable(EmbeddedCluster cluster, String... partitions) {
    List<String> words = new ArrayList<>(List.of("table", "create", "t"));
    words.add("--columns=id int64 key, v string");
    words.addAll(List.of(partitions));
    KuduRun created = run(cluster, words.toArray(String[]::new));
    assertThat(created.exitCode()).as(created.err()).isZero();
    FirstRows.writeToAllTablets(cluster, "t");
    awaitHealthy(cluster);
  }

  @Test
  void aReplicaMovesToTheServerWithoutAReplica() throws IOException {
    try (EmbeddedCluster cluster = cluster(4)) {
      createTable(cluster, "--hash=id:2");
      String tablet =
          run(cluster, "table", "list", "--list_tablets", "--format=space").out().split(" ", -1)[1];
      List<String> holders = holders(cluster, tablet);
      String stranger =
          IntStream.range(0, 4)
              .mapToObj(cluster::tabletServerUuid)
              .filter(server -> !holders.contains(server))
              .findFirst()
              .orElseThrow();
      KuduRun moved =
          run(
              cluster,
              "tablet",
              "change_config",
              "move_replica",
              tablet,
              holders.get(0),
              stranger,
              "--move_timeout_sec=90");
      assertThat(moved.exitCode())
          .as(
              "%s%s%s",
              moved.out(),
              moved.err(),
              run(cluster, "cluster", "ksck", "--ksck_format=plain_full").out())
          .isZero();
      assertThat(moved.out()).endsWith("Tablet " + tablet + " was moved\n");
      eventually("the master knows the new replica")
          .untilAsserted(
              () ->
                  assertThat(holders(cluster, tablet))
                      .containsExactlyInAnyOrder(holders.get(1), holders.get(2), stranger));
    }
  }

  @Test
  @Tag("nightly") // the leader tries without success for some seconds before it requests a copy
  void aVoterLosesItsVoteAndGetsItBack() throws IOException {
    try (EmbeddedCluster cluster = cluster(3)) {
      createTable(cluster);
      String tablet =
          run(cluster, "table", "list", "--list_tablets", "--format=space").out().split(" ", -1)[1];
      String follower =
          eventually("all have their roles")
              .until(() -> follower(cluster, tablet), Optional::isPresent)
              .orElseThrow();
      KuduRun demoted = changeType(cluster, tablet, follower, "NON_VOTER");
      assertThat(demoted.exitCode()).as(demoted.err()).isZero();
      eventually("it is copied again and can become a voter")
          .until(() -> changeType(cluster, tablet, follower, "VOTER").exitCode() == 0);
      awaitHealthy(cluster);
      assertThat(run(cluster, "tablet", "info", tablet).out()).contains(follower);
    }
  }

  private static void awaitHealthy(EmbeddedCluster cluster) {
    eventually("ksck finds nothing wrong")
        .until(() -> run(cluster, "cluster", "ksck").exitCode() == 0);
  }

  private static ConditionFactory eventually(String description) {
    return await(description).atMost(Duration.ofMinutes(2));
  }

  private static KuduRun changeType(
      EmbeddedCluster cluster, String tablet, String server, String type) {
    return run(cluster, "tablet", "change_config", "change_replica_type", tablet, server, type);
  }

  private static List<String> holders(EmbeddedCluster cluster, String tablet) throws IOException {
    return info(cluster, tablet).findValuesAsText("Tablet Server UUID");
  }

  /** A follower of the tablet; empty until the leader is known. */
  private static Optional<String> follower(EmbeddedCluster cluster, String tablet)
      throws IOException {
    JsonNode members = info(cluster, tablet);
    return members.findValuesAsText("Is Leader").contains("L")
        ? StreamSupport.stream(members.spliterator(), false)
            .filter(replica -> replica.get("Is Leader").asText().equals("V"))
            .map(replica -> replica.get("Tablet Server UUID").asText())
            .findFirst()
        : Optional.empty();
  }

  private static JsonNode info(EmbeddedCluster cluster, String tablet) throws IOException {
    KuduRun info = run(cluster, "tablet", "info", tablet, "--format=json");
    assertThat(info.exitCode()).as(info.err()).isZero();
    return new ObjectMapper().readTree(info.out());
  }

  /** Runs the command; inserts the masters after the verb. */
  private static KuduRun run(EmbeddedCluster cluster, String... words) {
    List<Object> all = new ArrayList<>(List.of((Object[]) words));
    int verbs = words[1].equals("change_config") ? 3 : 2;
    all.add(verbs, cluster.masterAddresses());
    return KuduRun.of(all.toArray());
  }
}
