package dev.kudu4j.embedded;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.process.RecentLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a cluster.
 *
 * @param directory directory of the servers' files; empty for a temporary directory
 * @param replicationFactor default of new tables
 * @param memoryBytes total memory of each tablet server
 * @param webPages whether the servers have web pages
 * @param log log lines of this program, which the web pages show
 * @param flags flags of all servers, which {@code masterFlags} or {@code tabletServerFlags} follow;
 *     if a flag is repeated, the last value counts
 */
record ClusterSettings(
    int masters,
    int tabletServers,
    int replicationFactor,
    Optional<Path> directory,
    ClusterPorts ports,
    long memoryBytes,
    boolean webPages,
    RecentLog log,
    List<String> flags,
    List<String> masterFlags,
    List<String> tabletServerFlags) {
  static final int MAX_TABLET_SERVERS = 50;
  static final int MAX_MASTERS = 5;

  ClusterSettings {
    if (masters < 1 || masters > MAX_MASTERS || masters % 2 == 0) {
      throw KuduException.invalidArgument("A cluster has 1, 3 or 5 masters, not %d", masters);
    }
    if (tabletServers < 1 || tabletServers > MAX_TABLET_SERVERS) {
      throw KuduException.invalidArgument(
          "A cluster has 1 to %d tablet servers, not %d", MAX_TABLET_SERVERS, tabletServers);
    }
    if (replicationFactor < 1 || replicationFactor % 2 == 0) {
      throw KuduException.invalidArgument(
          "The replication factor must be odd, not %d", replicationFactor);
    }
    if (replicationFactor > tabletServers) {
      throw KuduException.invalidArgument(
          "Replication factor %d needs as many tablet servers; the cluster has %d",
          replicationFactor, tabletServers);
    }
    ports
        .clash(masters, tabletServers)
        .ifPresent(
            port -> {
              throw KuduException.invalidArgument(
                  "Two servers of the cluster would listen on port %d; the ports of further"
                      + " servers of a kind are %d apart",
                  port, ClusterPorts.STEP);
            });
    flags = List.copyOf(flags);
    masterFlags = List.copyOf(masterFlags);
    tabletServerFlags = List.copyOf(tabletServerFlags);
  }

  /** The default replication factor: three if there are at least three servers, otherwise one. */
  static int usualReplicationFactor(int tabletServers) {
    return tabletServers < 3 ? 1 : 3;
  }
}
