package dev.kudu4j.benchmarks.cluster;

import java.nio.file.Path;
import java.util.List;

/** The source of a side's cluster: this process starts it, or it is running already. */
public sealed interface ClusterSource {
  /**
   * @param directory directory of the servers' data; not used for a given cluster
   * @param rpc borrowed until the cluster is closed
   */
  TargetCluster open(Path directory, StatusClient rpc);

  /**
   * A cluster of processes on this machine.
   *
   * @param flags flags for all daemons
   */
  record Started(Distribution distribution, int tabletServers, List<String> flags)
      implements ClusterSource {
    @Override
    public Cluster open(Path directory, StatusClient rpc) {
      return Cluster.start(distribution, directory, tabletServers, flags, rpc);
    }

    /** Starts a cluster whose master has the given port. */
    public Cluster open(Path directory, int masterPort, StatusClient rpc) {
      return Cluster.start(distribution, directory, masterPort, tabletServers, flags, rpc);
    }
  }

  /**
   * A running cluster that this process does not control.
   *
   * @param masterAddresses addresses of the masters, separated by commas
   */
  record Given(String masterAddresses) implements ClusterSource {
    @Override
    public TargetCluster open(Path directory, StatusClient rpc) {
      return new GivenCluster(masterAddresses);
    }
  }
}
