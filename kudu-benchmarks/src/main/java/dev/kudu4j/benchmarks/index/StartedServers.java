package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.workload.ours.TabletServers;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;

/** The tablet servers of a cluster that was started. */
final class StartedServers {
  private StartedServers() {}

  /**
   * Waits until the master knows all of them. A table that is created earlier has its tablets on
   * the first ones, and later some of them move.
   */
  static void await(ClusterSource source, String masters) throws KuduException {
    if (source instanceof ClusterSource.Started started) {
      try (KuduClient client = new KuduClient.KuduClientBuilder(masters).build()) {
        TabletServers.await(client, started.tabletServers());
      }
    }
  }
}
