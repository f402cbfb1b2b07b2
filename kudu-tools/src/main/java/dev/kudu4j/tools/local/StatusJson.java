package dev.kudu4j.tools.local;

import java.util.List;

/** The status of a local cluster as JSON. Unknown values are null. */
final class StatusJson {
  private StatusJson() {}

  record NotRunning(boolean running, boolean healthy, String directory) {
    static NotRunning of(ClusterDirectory cluster) {
      return new NotRunning(false, false, cluster.toString());
    }
  }

  record Running(
      boolean running,
      boolean healthy,
      String directory,
      long pid,
      long ageSeconds,
      Long memoryBytes,
      long memoryLimitBytes,
      List<Server> servers) {
    static Running of(
        ClusterDirectory cluster, ClusterShape shape, ClusterReport report, ProcessFacts facts) {
      return new Running(
          true,
          report.isHealthy(),
          cluster.toString(),
          facts.pid(),
          facts.age().toSeconds(),
          nullIfUnknown(facts.residentBytes()),
          LocalMemory.limit(shape.memoryBytes()),
          report.servers().stream().map(Server::of).toList());
    }
  }

  record Server(
      String server,
      String state,
      boolean healthy,
      Long tablets,
      Long memoryBytes,
      String rpc,
      String web) {
    static Server of(ServerReport report) {
      return new Server(
          report.name(),
          report.state(),
          report.isHealthy(),
          nullIfUnknown(report.tablets()),
          nullIfUnknown(report.memoryBytes()),
          report.rpc(),
          report.web());
    }
  }

  private static Long nullIfUnknown(long value) {
    return value < 0 ? null : value;
  }
}
