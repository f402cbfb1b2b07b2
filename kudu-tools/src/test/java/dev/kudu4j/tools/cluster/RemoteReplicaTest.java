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
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Verbs for single replicas, on servers in this JVM. */
@Timeout(300)
class RemoteReplicaTest {
  @TempDir private Path directory;

  @Test
  void everyReplicaIsReadFromItsServer() throws IOException {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServers(3).replicationFactor(3).start()) {
      String tablet = fill(cluster);
      for (int i = 0; i < 3; i++) {
        awaitRows(cluster.tabletServerAddress(i).toString(), tablet);
      }
      boolean lastLeads = leader(cluster, tablet).equals(cluster.tabletServerUuid(2));
      int alone = lastLeads ? 1 : 2;
      leaveAlone(cluster, alone);
      String follower = cluster.tabletServerAddress(alone).toString();

      succeed("delete", follower, tablet, "for a test");
      assertThat(refusal("dump", follower, tablet))
          .contains(
              "no running replica of tablet " + tablet + " on " + follower,
              "kudu remote_replica list " + follower);
      assertThat(succeed("list", follower)).contains(tablet, "TOMBSTONED", "for a test");
    }
  }

  /** Stops the master and the other tablet servers, which would replace the server's replicas. */
  private static void leaveAlone(EmbeddedCluster cluster, int server) {
    cluster.stopMaster(0);
    IntStream.range(0, cluster.tabletServerCount())
        .filter(other -> other != server)
        .forEach(cluster::stopTabletServer);
  }

  /** The master is stopped: it would delete a replica that is not in its group. */
  @Test
  void aReplicaIsCopiedToAnotherServerAndAgainWhereOneWasDeleted() throws IOException {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(2).start()) {
      String tablet = fill(cluster);
      boolean first = leader(cluster, tablet).equals(cluster.tabletServerUuid(0));
      String source = cluster.tabletServerAddress(first ? 0 : 1).toString();
      String target = cluster.tabletServerAddress(first ? 1 : 0).toString();
      cluster.stopMaster(0);

      assertThat(refusal("copy", tablet, target, source)).contains(tablet, target);
      succeed("copy", tablet, source, target);
      awaitRows(target, tablet);
      assertThat(refusal("copy", tablet, source, target)).contains(tablet, "runs on this server");

      succeed("delete", target, tablet, "for a test");
      assertThat(refusal("copy", tablet, source, target)).contains(tablet, "--force_copy");
      succeed("copy", tablet, source, target, "--force_copy");
      awaitRows(target, tablet);
      assertThat(rows(source, tablet)).hasSize(3);
    }
  }

  private static String succeed(String... verb) {
    KuduRun run = onReplica(verb);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private static String refusal(String... verb) {
    KuduRun run = onReplica(verb);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
    return run.err();
  }

  private static KuduRun onReplica(String... verb) {
    return KuduRun.of(Stream.concat(Stream.of("remote_replica"), Stream.of(verb)).toArray());
  }

  @Test
  void aTabletWithoutAMajorityContinuesAfterAnUnsafeChange() throws IOException {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServers(3).replicationFactor(3).start()) {
      String tablet = fill(cluster);
      String left = cluster.tabletServerAddress(0).toString();
      awaitRows(left, tablet);
      cluster.stopTabletServer(1);
      cluster.stopTabletServer(2);

      assertThat(succeed("unsafe_change_config", left, tablet, cluster.tabletServerUuid(0)))
          .contains(tablet, cluster.tabletServerUuid(0));
      Path csv = Files.writeString(directory.resolve("more.csv"), "id,v\n4,b\n");
      KuduRun written =
          KuduRun.of("table", "import", cluster.masterAddresses(), "t", csv.toString());
      assertThat(written.exitCode()).as(written.err()).isZero();
      assertThat(rows(left, tablet)).hasSize(4);
    }
  }

  @Test
  void aTabletThatHasLostAllOfItsReplicasIsReplacedByAnEmptyOne() throws IOException {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(2).start()) {
      String masters = cluster.masterAddresses();
      String tablet = fill(cluster);
      int holder = leader(cluster, tablet).equals(cluster.tabletServerUuid(0)) ? 0 : 1;
      cluster.stopTabletServer(holder);
      KuduRun away = // the master need not notice that it is stopped
          KuduRun.of(
              "tserver", "state", "enter_maintenance", masters, cluster.tabletServerUuid(holder));
      assertThat(away.exitCode()).as(away.err()).isZero();

      KuduRun replaced = KuduRun.of("tablet", "unsafe_replace_tablet", masters, tablet);
      assertThat(replaced.exitCode()).as(replaced.err()).isZero();
      assertThat(replaced.out()).contains("Tablet " + tablet + " is deleted");
      KuduRun again = KuduRun.of("tablet", "unsafe_replace_tablet", masters, tablet);
      assertThat(again.err()).contains("No table has a tablet " + tablet);

      Path csv = Files.writeString(directory.resolve("more.csv"), "id,v\n4,b\n");
      KuduRun written = KuduRun.of("table", "import", masters, "t", csv.toString());
      assertThat(written.exitCode()).as(written.err()).isZero();
      assertThat(KuduRun.of("table", "scan", masters, "t", "--format=csv").out())
          .contains("4,b")
          .doesNotContain("1,a");
    }
  }

  /** A table with one tablet, in which cells are NULL, empty and not empty. */
  private String fill(EmbeddedCluster cluster) throws IOException {
    String masters = cluster.masterAddresses();
    KuduRun created =
        KuduRun.of("table", "create", masters, "t", "--columns=id int64 key, v string nullable");
    assertThat(created.exitCode()).as(created.err()).isZero();
    Path csv = Files.writeString(directory.resolve("t.csv"), "id,v\n1,a\n2,\n3,\"\"\n");
    assertThat(KuduRun.of("table", "import", masters, "t", csv.toString()).exitCode()).isZero();
    return KuduRun.of("table", "list", masters, "--list_tablets", "--format=space")
        .out()
        .split(" ", -1)[1];
  }

  private static String leader(EmbeddedCluster cluster, String tablet) {
    return await("the leader is known")
        .atMost(Duration.ofMinutes(1))
        .until(() -> toldLeader(cluster, tablet), Optional::isPresent)
        .orElseThrow();
  }

  private static Optional<String> toldLeader(EmbeddedCluster cluster, String tablet)
      throws IOException {
    KuduRun info = KuduRun.of("tablet", "info", cluster.masterAddresses(), tablet, "--format=json");
    for (JsonNode replica : new ObjectMapper().readTree(info.out())) {
      if (replica.get("Is Leader").asText().equals("L")) {
        return Optional.of(replica.get("Tablet Server UUID").asText());
      }
    }
    return Optional.empty();
  }

  private static KuduRun dump(String server, String tablet) {
    return KuduRun.of("remote_replica", "dump", server, tablet, "--format=csv");
  }

  private static List<String> rows(String server, String tablet) {
    KuduRun dumped = dump(server, tablet);
    assertThat(dumped.exitCode()).as(dumped.err()).isZero();
    return dumped.out().lines().skip(1).sorted().toList();
  }

  /**
   * Waits, because a follower may be behind, or not exist yet: two of three replicas are enough for
   * a table.
   */
  private static void awaitRows(String server, String tablet) {
    await("all rows are on " + server)
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> assertThat(rows(server, tablet)).containsExactly("1,a", "2,", "3,\"\""));
    assertThat(dump(server, tablet).err()).endsWith("3 rows\n");
  }
}
