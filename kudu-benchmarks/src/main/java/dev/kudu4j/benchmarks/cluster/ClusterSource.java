package dev.kudu4j.benchmarks.cluster;

import java.nio.file.Path;
import java.util.List;

/** The source of the cluster of a side. */
public sealed interface ClusterSource {
  /**
   * @param directory of the servers' data, if any are started
   * @param rpc borrowed until the cluster is closed
   */
  TargetCluster open(Path directory, StatusClient rpc);

  /**
   * Processes on this machine.
   *
   * @param flags for all daemons
   */
  record Started(Distribution distribution, int tabletServers, List<String> flags)
      implements ClusterSource {
    @Override
    public Cluster open(Path directory, StatusClient rpc) {
      return Cluster.start(distribution, directory, tabletServers, flags, rpc);
    }

    /** The same with a given port of the master. */
    public Cluster open(Path directory, int masterPort, StatusClient rpc) {
      return Cluster.start(distribution, directory, masterPort, tabletServers, flags, rpc);
    }
  }

  /**
   * A running cluster that this process does not control.
   *
   * @param masterAddresses separated by commas
   */
  record Given(String masterAddresses) implements ClusterSource {
    @Override
    public TargetCluster open(Path directory, StatusClient rpc) {
      return new GivenCluster(masterAddresses);
    }
  }
}
