package dev.kudu4j.itest.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.common.transaction.StatusTable;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Ksck;
import dev.kudu4j.itest.workload.Findings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.ThrowingRunnable;

/** State on which the servers must agree after the faults; they need some time for it. */
final class Agreement {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final FrailCluster cluster;
  private final Findings findings;

  Agreement(FrailCluster cluster, Findings findings) {
    this.cluster = cluster;
    this.findings = findings;
  }

  /** All replicas are healthy and hold the same rows. */
  void ofReplicas() {
    reach(
        "all replicas are healthy and hold the same",
        () -> Ksck.verifyEqualReplicas(cluster.masters()));
  }

  /** The tablet servers have the tablets that the catalog names, and nothing of dropped tables. */
  void ofCatalogAndTablets() {
    reach(
        "the tablet servers have the tablets of the catalog and no others",
        () -> assertThat(present()).isEqualTo(named()));
  }

  private void reach(String description, ThrowingRunnable agreement) {
    try {
      await(description).atMost(PATIENCE).ignoreExceptions().untilAsserted(agreement);
    } catch (ConditionTimeoutException e) {
      findings.add("%s", e.getMessage());
    }
  }

  private Set<String> named() throws KuduException {
    Set<String> tablets = new TreeSet<>();
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      List<String> tables = new ArrayList<>(client.getTablesList().getTablesList());
      tables.add(StatusTable.NAME); // which is not listed
      for (String table : tables) {
        List<LocatedTablet> located =
            client.openTable(table).getTabletsLocations(PATIENCE.toMillis());
        located.forEach(t -> tablets.add(new String(t.getTabletId(), StandardCharsets.UTF_8)));
      }
    }
    return tablets;
  }

  private Set<String> present() {
    Set<String> tablets = new TreeSet<>();
    cluster.tabletServers().forEach(server -> tablets.addAll(AdminCalls.tabletIds(server)));
    return tablets;
  }
}
