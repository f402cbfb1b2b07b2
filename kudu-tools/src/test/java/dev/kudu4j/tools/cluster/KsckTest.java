package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ksck} and the verbs that list servers, on three servers in this JVM. */
@Timeout(300)
class KsckTest {
  @TempDir private Path directory;

  private static KuduRun kudu(EmbeddedCluster cluster, String mode, String verb, String... rest) {
    Object[] arguments = new Object[rest.length + 3];
    arguments[0] = mode;
    arguments[1] = verb;
    arguments[2] = cluster.masterAddresses();
    System.arraycopy(rest, 0, arguments, 3, rest.length);
    return KuduRun.of(arguments);
  }

  @Test
  void healthyAndMissingServersAreReported() throws IOException {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServers(3).replicationFactor(3).start()) {
      fill(cluster);
      assertHealthy(cluster);
      assertServersAreListed(cluster);
      assertTabletIsLocated(cluster);
      assertLeadersStepDown(cluster);
      String down = cluster.tabletServerUuid(1);
      String address = cluster.tabletServerAddress(1).toString();
      cluster.stopTabletServer(1);
      assertOneDown(cluster, down, address);
      cluster.startTabletServer(1);
      awaitHealthy(cluster);
    }
  }

  private void fill(EmbeddedCluster cluster) throws IOException {
    KuduRun created =
        kudu(cluster, "table", "create", "t", "--columns=id int64 key, v string", "--hash=id:2");
    assertThat(created.exitCode()).as(created.err()).isZero();
    Path csv = Files.writeString(directory.resolve("t.csv"), "id,v\n1,a\n2,b\n3,c\n");
    assertThat(kudu(cluster, "table", "import", "t", csv.toString()).exitCode()).isZero();
  }

  private static void assertHealthy(EmbeddedCluster cluster) {
    KuduRun run = awaitHealthy(cluster);
    assertThat(run.out())
        .contains(
            "Master Summary",
            "| HEALTHY | LEADER",
            "Tablet Server Summary",
            "All 2 tablets are healthy",
            "6 replicas, 9 rows read; the replicas of each tablet are equal",
            " Replicas       |           6")
        .containsPattern(" t +\\| +3 \\| HEALTHY +\\| +2 \\| +2 \\|")
        .endsWith("OK\n");
    assertThat(kudu(cluster, "cluster", "ksck", "--ksck_format=plain_full").out())
        .contains("is healthy", "The consensus matrix is:", "[LEADER]");
  }

  private static void assertServersAreListed(EmbeddedCluster cluster) {
    KuduRun servers = kudu(cluster, "tserver", "list", "--format=csv");
    assertThat(servers.out()).hasLineCount(4).contains(cluster.tabletServerUuid(2));
    assertThat(kudu(cluster, "master", "list").out()).contains("LEADER | HEALTHY");
    assertThat(kudu(cluster, "tablet", "leader_step_down", "abc").err()).contains("has tablet abc");
  }

  private static void assertTabletIsLocated(EmbeddedCluster cluster) throws IOException {
    String tablet = anyTablet(cluster);
    JsonNode replicas =
        await("the master knows the leaders") // later than ksck, which asks the servers
            .atMost(Duration.ofMinutes(1))
            .until(
                () -> located(cluster, tablet),
                found -> found.findValuesAsText("Is Leader").contains("L"));
    assertThat(replicas).hasSize(3);
    assertThat(replicas.findValuesAsText("ID")).containsOnly(tablet);
    assertThat(replicas.findValuesAsText("Table Name")).containsOnly("t");
    assertThat(replicas.findValuesAsText("Is Leader")).containsExactlyInAnyOrder("L", "V", "V");
    assertThat(replicas.findValuesAsText("Tablet Server UUID"))
        .contains(cluster.tabletServerUuid(0), cluster.tabletServerUuid(1));
    assertThat(kudu(cluster, "tablet", "info", "abc").err()).contains("has a tablet abc");
  }

  private static JsonNode located(EmbeddedCluster cluster, String tablet) throws IOException {
    KuduRun run = kudu(cluster, "tablet", "info", tablet, "--format=json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void invalidMemberChangesAreRejectedWithoutARequestToTheLeader() throws IOException {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServers(3).replicationFactor(3).start()) {
      fill(cluster);
      String tablet = anyTablet(cluster);
      String member = cluster.tabletServerUuid(0);
      assertThat(changeConfig(cluster, "add_replica", tablet, member, "VOTER"))
          .contains("already has a replica of tablet " + tablet);
      assertThat(changeConfig(cluster, "add_replica", tablet, "stranger", "VOTER"))
          .contains("does not know a tablet server stranger");
      assertThat(changeConfig(cluster, "remove_replica", tablet, "stranger"))
          .contains("stranger has no replica of tablet");
      assertThat(changeConfig(cluster, "change_replica_type", tablet, member, "KING"))
          .contains("VOTER or NON_VOTER, not 'KING'");
      assertThat(changeConfig(cluster, "move_replica", tablet, member, member)).contains("already");
    }
  }

  /** The error message of a verb that fails. */
  private static String changeConfig(EmbeddedCluster cluster, String verb, String... rest) {
    List<Object> words =
        new ArrayList<>(List.of("tablet", "change_config", verb, cluster.masterAddresses()));
    words.addAll(List.of(rest));
    KuduRun run = KuduRun.of(words.toArray());
    assertThat(run.exitCode()).isNotZero();
    return run.err();
  }

  private static void assertLeadersStepDown(EmbeddedCluster cluster) {
    String tablet = anyTablet(cluster);
    KuduRun run = kudu(cluster, "tablet", "leader_step_down", tablet);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("steps down as leader of tablet " + tablet);
    awaitHealthy(cluster);
  }

  private static String anyTablet(EmbeddedCluster cluster) {
    return kudu(cluster, "table", "list", "--list_tablets", "--format=space")
        .out()
        .split(" ", -1)[1];
  }

  private static void assertOneDown(EmbeddedCluster cluster, String uuid, String address)
      throws IOException {
    KuduRun run = kudu(cluster, "cluster", "ksck", "--ksck_format=json_compact");
    assertThat(run.exitCode()).isEqualTo(1);
    JsonNode found = new ObjectMapper().readTree(run.out());
    assertThat(found.get("healthy").asBoolean()).isFalse();
    assertThat(found.get("errors").toString()).contains("1 of 3 tablet servers are not healthy");
    assertThat(found.get("next_steps").get(0).asText())
        .startsWith("Restart tablet server " + uuid + " (" + address + ") (connection refused)");
    for (JsonNode tablet : found.get("tablet_summaries")) {
      assertThat(tablet.get("health").asText()).isNotIn("HEALTHY", "RECOVERING");
    }
    KuduRun plain = kudu(cluster, "cluster", "ksck");
    assertThat(plain.exitCode()).isEqualTo(1);
    assertThat(plain.out())
        .contains(uuid + " (" + address + "): TS unavailable", "Next steps:")
        .endsWith("FAILED\n");
  }

  private static KuduRun awaitHealthy(EmbeddedCluster cluster) {
    KuduRun run =
        await("ksck finds nothing wrong")
            .atMost(Duration.ofMinutes(2))
            .until(
                () -> kudu(cluster, "cluster", "ksck", "--checksum_scan"),
                check -> check.exitCode() == 0);
    assertThat(run.out()).contains("the replicas of each tablet are equal");
    return run;
  }

  @Test
  void noMasterIsAFailure() {
    KuduRun run = KuduRun.of("cluster", "ksck", "127.0.0.1:1");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("No master responds at 127.0.0.1:1");
    assertThat(KuduRun.of("cluster", "ksck", "--help").out()).contains("Examples:");
    assertThat(KuduRun.of("tserver", "list", "--help").out()).contains("Examples:");
    assertThat(KuduRun.of("master", "list", "--help").out()).contains("Examples:");
  }
}
