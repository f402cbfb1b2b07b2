package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compaction on request: the output of the command, and the server's web UI. */
@Timeout(300)
class CompactVerbTest {
  @TempDir private Path directory;

  @Test
  void compactedReplicasAreReported() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServers(1).webPages(true).start()) {
      String masters = cluster.masterAddresses();
      fill(masters);
      KuduRun all = KuduRun.of("tablet", "compact", masters, "--tables=t*");
      assertThat(all.exitCode()).as(all.out() + all.err()).isZero();
      assertThat(all.out())
          .contains("2 replicas compacted, 0 failed", "of t on " + cluster.tabletServerUuid(0))
          .containsPattern("1 rowsets, 0 delta files, [0-9.]+ MB now");
      String tablet =
          KuduRun.of("table", "list", masters, "--list_tablets", "--format=space")
              .out()
              .split(" ", -1)[1];
      assertThat(KuduRun.of("tablet", "compact", masters, tablet).out())
          .contains("1 replicas compacted");
      assertThat(KuduRun.of("table", "scan", masters, "t", "--row_count_only").out()).contains("3");
      eventually("the web UI shows the compactions")
          .untilAsserted(
              () -> {
                assertThat(page(cluster, "/maintenance-manager"))
                    .contains("request", "Full compaction", tablet, "done", "Score: bytes freed");
                assertThat(page(cluster, "/metrics_prometheus"))
                    .contains("kudu_maintenance_time_seconds_count{kind=\"rowset_compaction\"} 3");
              });
      assertThat(page(cluster, "/mem-trackers")).contains("Of limit", tablet, "MemRowSets");
    }
  }

  @Test
  void allReplicasOfATableAreCompacted() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(3).start()) {
      String masters = cluster.masterAddresses();
      fill(masters);
      eventually("every replica runs") // two of three are enough for a table
          .until(() -> KuduRun.of("cluster", "ksck", masters).exitCode() == 0);
      KuduRun all = KuduRun.of("tablet", "compact", masters, "--table=t");
      assertThat(all.exitCode()).as(all.out() + all.err()).isZero();
      assertThat(all.out()).contains("6 replicas compacted, 0 failed");

      cluster.stopTabletServer(1);
      KuduRun two = KuduRun.of("tablet", "compact", masters, "--table=t");
      assertThat(two.exitCode()).isEqualTo(1);
      assertThat(two.out())
          .contains("4 replicas compacted, 2 failed")
          .containsPattern("of t on " + cluster.tabletServerUuid(1) + " \\S+: failed: \\S+");
    }
  }

  @Test
  void aDroppedTabletIsNotCompacted() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      String masters = cluster.masterAddresses();
      fill(masters);
      String tablet =
          KuduRun.of("table", "list", masters, "--list_tablets", "--format=space")
              .out()
              .split(" ", -1)[1];
      assertThat(KuduRun.of("table", "delete", masters, "t").exitCode()).isZero();
      KuduRun dropped = KuduRun.of("tablet", "compact", masters, tablet);
      assertThat(dropped.exitCode()).isEqualTo(1);
      assertThat(dropped.out() + dropped.err()).contains(tablet);
    }
  }

  @Test
  void missingTabletsAndTablesAreReported() {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      String masters = cluster.masterAddresses();
      KuduRun none = KuduRun.of("tablet", "compact", masters, "abc");
      assertThat(none.exitCode()).isEqualTo(1);
      assertThat(none.err()).contains("has tablet abc", "kudu table list --list_tablets");
      assertThat(KuduRun.of("tablet", "compact", masters, "--table=x").err())
          .contains("has tablets of x");
    }
  }

  private static ConditionFactory eventually(String description) {
    return await(description).atMost(Duration.ofMinutes(1));
  }

  private void fill(String masters) throws IOException {
    KuduRun created =
        KuduRun.of(
            "table", "create", masters, "t", "--columns=id int64 key, v string", "--hash=id:2");
    assertThat(created.exitCode()).as(created.err()).isZero();
    Path csv = Files.writeString(directory.resolve("t.csv"), "id,v\n1,a\n2,b\n3,c\n");
    assertThat(KuduRun.of("table", "import", masters, "t", csv.toString()).exitCode()).isZero();
  }

  private static String page(EmbeddedCluster cluster, String path) throws Exception {
    URI uri = URI.create("http://" + cluster.webAddresses().get(1) + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
