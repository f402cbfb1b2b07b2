package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of a tablet changed by hand, on four servers in this JVM. */
@Timeout(240)
class ChangeConfigTest {
  @Test
  void aReplicaMovesToTheServerThatHasNone() throws IOException {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServers(4).replicationFactor(3).start()) {
      KuduRun created =
          run(cluster, "table", "create", "t", "--columns=id int64 key, v string", "--hash=id:2");
      assertThat(created.exitCode()).as(created.err()).isZero();
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
      assertThat(moved.out()).endsWith("Tablet " + tablet + " has moved\n");
      while (holders(cluster, tablet).contains(holders.get(0))) { // the timeout of the test ends it
        Thread.onSpinWait();
      }
      assertThat(holders(cluster, tablet))
          .containsExactlyInAnyOrder(holders.get(1), holders.get(2), stranger);
    }
  }

  @Test
  @Tag("nightly") // the leader tries in vain for some seconds before it asks for a copy
  void aVoterLosesItsVoteAndGetsItBack() throws IOException {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServers(3).replicationFactor(3).start()) {
      KuduRun created = run(cluster, "table", "create", "t", "--columns=id int64 key, v string");
      assertThat(created.exitCode()).as(created.err()).isZero();
      String tablet =
          run(cluster, "table", "list", "--list_tablets", "--format=space").out().split(" ", -1)[1];
      String follower = follower(cluster, tablet);
      KuduRun demoted = changeType(cluster, tablet, follower, "NON_VOTER");
      assertThat(demoted.exitCode()).as(demoted.err()).isZero();
      while (changeType(cluster, tablet, follower, "VOTER").exitCode() != 0) {
        Thread.onSpinWait(); // it is copied anew before it can be asked to vote again
      }
      while (run(cluster, "cluster", "ksck").exitCode() != 0) {
        Thread.onSpinWait();
      }
      assertThat(run(cluster, "tablet", "info", tablet).out()).contains(follower);
    }
  }

  private static KuduRun changeType(
      EmbeddedCluster cluster, String tablet, String server, String type) {
    return run(cluster, "tablet", "change_config", "change_replica_type", tablet, server, type);
  }

  private static List<String> holders(EmbeddedCluster cluster, String tablet) throws IOException {
    return info(cluster, tablet).findValuesAsText("Tablet Server UUID");
  }

  private static String follower(EmbeddedCluster cluster, String tablet) throws IOException {
    for (JsonNode replica : info(cluster, tablet)) {
      if (replica.get("Is Leader").asText().equals("V")) {
        return replica.get("Tablet Server UUID").asText();
      }
    }
    throw new AssertionError("Tablet " + tablet + " has no follower");
  }

  private static JsonNode info(EmbeddedCluster cluster, String tablet) throws IOException {
    KuduRun info = run(cluster, "tablet", "info", tablet, "--format=json");
    assertThat(info.exitCode()).as(info.err()).isZero();
    return new ObjectMapper().readTree(info.out());
  }

  /** The masters stand after the verb. */
  private static KuduRun run(EmbeddedCluster cluster, String... words) {
    List<Object> all = new ArrayList<>(List.of((Object[]) words));
    int verbs = words[1].equals("change_config") ? 3 : 2;
    all.add(verbs, cluster.masterAddresses());
    return KuduRun.of(all.toArray());
  }
}
