package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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

  private static List<String> holders(EmbeddedCluster cluster, String tablet) throws IOException {
    KuduRun info = run(cluster, "tablet", "info", tablet, "--format=json");
    assertThat(info.exitCode()).as(info.err()).isZero();
    return new ObjectMapper().readTree(info.out()).findValuesAsText("Tablet Server UUID");
  }

  /** The masters stand after the verb. */
  private static KuduRun run(EmbeddedCluster cluster, String... words) {
    List<Object> all = new ArrayList<>(List.of((Object[]) words));
    int verbs = words[1].equals("change_config") ? 3 : 2;
    all.add(verbs, cluster.masterAddresses());
    return KuduRun.of(all.toArray());
  }
}
