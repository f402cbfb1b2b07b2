package dev.kudu4j.itest.faults;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Await;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.workload.Findings;
import dev.kudu4j.tools.Kudu;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** What servers must agree on when all is quiet; it takes them a while. */
final class Agreement {
  private static final int PATIENCE_MILLIS = 120_000;

  private final FrailCluster cluster;
  private final Findings findings;

  Agreement(FrailCluster cluster, Findings findings) {
    this.cluster = cluster;
    this.findings = findings;
  }

  /** All replicas are healthy and hold the same rows. */
  void ofReplicas() {
    StringWriter last = new StringWriter();
    try {
      Await.until(
          "all replicas are healthy and hold the same", PATIENCE_MILLIS, () -> checksum(last) == 0);
    } catch (AssertionError e) {
      findings.add("%s%n%s", e.getMessage(), last);
    }
  }

  private int checksum(StringWriter output) {
    output.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(output, true);
    return Kudu.commandLine()
        .setOut(writer)
        .setErr(writer)
        .execute("cluster", "ksck", cluster.masters(), "--checksum_scan");
  }

  /** The tablet servers have the tablets that the catalog names, and nothing of dropped tables. */
  void ofCatalogAndTablets() {
    Set<String> named = new TreeSet<>();
    Set<String> present = new TreeSet<>();
    try {
      Await.until(
          "the tablet servers have the tablets of the catalog and no others",
          PATIENCE_MILLIS,
          () -> {
            findNamed(named);
            findPresent(present);
            return named.equals(present);
          });
    } catch (AssertionError e) {
      findings.add("%s: %s in the catalog, %s on servers", e.getMessage(), named, present);
    }
  }

  private void findNamed(Set<String> tablets) throws KuduException {
    tablets.clear();
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      for (String table : client.getTablesList().getTablesList()) {
        for (LocatedTablet tablet : client.openTable(table).getTabletsLocations(PATIENCE_MILLIS)) {
          tablets.add(new String(tablet.getTabletId(), StandardCharsets.UTF_8));
        }
      }
    }
  }

  private void findPresent(Set<String> tablets) {
    tablets.clear();
    for (Daemon tabletServer : cluster.tabletServers()) {
      tablets.addAll(AdminCalls.tabletIds(tabletServer));
    }
  }
}
