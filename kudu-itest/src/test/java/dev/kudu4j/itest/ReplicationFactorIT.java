package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.itest.suite.TableStore;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.PublishedTool;
import dev.kudu4j.itest.workload.Findings;
import dev.kudu4j.itest.workload.Inserts;
import dev.kudu4j.itest.workload.Lives;
import dev.kudu4j.itest.workload.Load;
import dev.kudu4j.itest.workload.Store;
import dev.kudu4j.itest.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables get more replicas, and fewer, during writes and reads; by Apache Kudu's tool, as its
 * operators do it. Rejected changes: {@link ServersComeAndGoIT}.
 */
@Tag("nightly")
class ReplicationFactorIT {
  private static final int WAIT_MILLIS = 120_000;
  private static final int TABLET_SERVERS = 5;

  @TempDir Path directory;
  private final Findings findings = new Findings();
  private final List<Workload> workloads =
      List.of(new Inserts(findings, 2), new Lives(findings, 2));

  @Test
  void threeReplicasBecomeFiveAndThreeAgainUnderLoad() throws Exception {
    try (LocalCluster cluster = cluster();
        KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      try (Store store = TableStore.patient(cluster.masters())) {
        for (Workload workload : workloads) {
          workload.prepare(store);
        }
      }
      try (Load load = new Load(workloads, findings, 1, n -> new TableStore(cluster.masters()))) {
        awaitProgress(load);
        for (int factor : List.of(5, 3)) {
          for (Workload workload : workloads) {
            PublishedTool.Result altered = alter(cluster, workload.name(), factor);
            assertThat(altered.exitCode()).as(altered.output()).isZero();
          }
          awaitReplicas(cluster, client, factor);
          awaitProgress(load);
        }
      }
      verify(cluster);
    }
  }

  private LocalCluster cluster() {
    return new LocalCluster(
            directory, TABLET_SERVERS, LocalCluster.SMALL_JVM, "--time_source=system_unsync")
        .start();
  }

  private static PublishedTool.Result alter(LocalCluster cluster, String table, int factor) {
    return PublishedTool.find()
        .run(
            60,
            "table",
            "set_replication_factor",
            cluster.masters(),
            table,
            Integer.toString(factor));
  }

  private void awaitProgress(Load load) {
    Map<String, Long> before = load.successes();
    await("all work continues, beyond " + before)
        .atMost(Duration.ofMillis(WAIT_MILLIS))
        .until(
            () ->
                !findings.isEmpty()
                    || load.successes().entrySet().stream()
                        .allMatch(entry -> entry.getValue() > before.get(entry.getKey()) + 50));
  }

  /** Waits until each tablet has that many voters on distinct servers, and no other replica. */
  private void awaitReplicas(LocalCluster cluster, KuduClient client, int factor) {
    long begin = System.nanoTime();
    await("every tablet has " + factor + " replicas, and no server another")
        .atMost(Duration.ofMillis(WAIT_MILLIS))
        .until(
            () -> {
              int tablets = 0;
              for (Workload workload : workloads) {
                for (LocatedTablet tablet : tablets(client, workload.name())) {
                  tablets += hasVoters(tablet, factor) ? 1 : 1_000;
                }
              }
              return replicas(cluster) == tablets * factor;
            });
    System.out.printf(
        "replication factor %d after %d ms%n", factor, (System.nanoTime() - begin) / 1_000_000);
  }

  private static List<LocatedTablet> tablets(KuduClient client, String table) throws KuduException {
    return client.openTable(table).getTabletsLocations(WAIT_MILLIS);
  }

  private static boolean hasVoters(LocatedTablet tablet, int factor) {
    List<LocatedTablet.Replica> replicas = tablet.getReplicas();
    return replicas.size() == factor
        && replicas.stream().map(LocatedTablet.Replica::getRpcPort).distinct().count() == factor
        && replicas.stream().noneMatch(replica -> replica.getRole().equals("LEARNER"));
  }

  private static int replicas(LocalCluster cluster) {
    return cluster.tabletServers().stream()
        .mapToInt(server -> AdminCalls.tabletIds(server).size())
        .sum();
  }

  private void verify(LocalCluster cluster) throws Exception {
    try (Store store = TableStore.patient(cluster.masters())) {
      for (Workload workload : workloads) {
        workload.verify(store);
        System.out.printf("%s: %s%n", workload.name(), workload.summary());
      }
    }
    assertThat(findings.isEmpty()).as("%s", findings).isTrue();
    PublishedTool tool = PublishedTool.find();
    await("all replicas are healthy and hold the same")
        .atMost(Duration.ofMillis(WAIT_MILLIS))
        .untilAsserted(
            () -> {
              PublishedTool.Result check =
                  tool.run(120, "cluster", "ksck", cluster.masters(), "--checksum_scan");
              assertThat(check.exitCode()).as(check.output()).isZero();
            });
  }
}
