package dev.kudu4j.tools.connection;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.status.KuduException;
import picocli.CommandLine.Option;

/** The options of all verbs that connect to a cluster. */
public final class ConnectionOptions {
  @Option(
      names = "--timeout_ms",
      paramLabel = "MS",
      defaultValue = "60000",
      description = "Timeout of each request; default ${DEFAULT-VALUE}.")
  private long timeoutMillis;

  @Option(
      names = "--negotiation_timeout_ms",
      paramLabel = "MS",
      defaultValue = "3000",
      description = "Timeout for connecting to a server; default ${DEFAULT-VALUE}.")
  private int connectTimeoutMillis;

  /** Timeout of each request. */
  public long timeoutMillis() {
    return timeoutMillis;
  }

  /** Connects to the leader of the masters; fails early if there is none. */
  public ClusterCalls connect(Masters masters) {
    checkTimes();
    return ClusterCalls.connect(masters, timeoutMillis, connectTimeoutMillis);
  }

  /** Connects without a leader, for calls to one server by its address. */
  public ClusterCalls reach(Masters masters) {
    checkTimes();
    return ClusterCalls.reach(masters, timeoutMillis, connectTimeoutMillis);
  }

  /** The calls of verbs with given servers that need no master. */
  public ClusterCalls withoutMasters() {
    checkTimes();
    return ClusterCalls.withoutMasters(timeoutMillis, connectTimeoutMillis);
  }

  private void checkTimes() {
    if (timeoutMillis <= 0 || timeoutMillis > Integer.MAX_VALUE || connectTimeoutMillis <= 0) {
      throw KuduException.invalidArgument(
          "--timeout_ms=%d and --negotiation_timeout_ms=%d must be positive",
          timeoutMillis, connectTimeoutMillis);
    }
  }

  /** A client for tables; check the cluster with {@link #connect} first. */
  public KuduClient client(Masters masters) {
    return new KuduClient.KuduClientBuilder(masters.toString())
        .defaultOperationTimeoutMs(timeoutMillis)
        .defaultAdminOperationTimeoutMs(timeoutMillis)
        .build();
  }
}
