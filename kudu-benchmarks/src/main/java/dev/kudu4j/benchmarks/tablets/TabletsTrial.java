package dev.kudu4j.benchmarks.tablets;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.Poll;
import dev.kudu4j.benchmarks.cluster.ServerProcess;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Tables of empty tablets on one cluster. */
final class TabletsTrial implements AutoCloseable {
  private static final String KEY = "k";
  private static final int TIMEOUT_MILLIS = 600_000;
  private static final int RESTART_MILLIS = 600_000;
  private static final int POLL_MILLIS = 50;

  private final Cluster cluster;
  private final KuduClient client;
  private final List<KuduTable> tables = new ArrayList<>();
  private int tablets;

  TabletsTrial(Cluster cluster) {
    this.cluster = cluster;
    this.client =
        new KuduClient.KuduClientBuilder(cluster.masterAddresses())
            .defaultAdminOperationTimeoutMs(TIMEOUT_MILLIS)
            .defaultOperationTimeoutMs(TIMEOUT_MILLIS)
            .build();
  }

  /**
   * Creates tables one after the other, each with three replicas of each tablet.
   *
   * @return seconds
   */
  double create(int wanted, int tabletsOfTable) throws KuduException {
    Schema schema =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder(KEY, Type.INT32).key(true).build()));
    long start = System.nanoTime();
    while (tablets < wanted) {
      int buckets = Math.min(tabletsOfTable, wanted - tablets);
      CreateTableOptions options = new CreateTableOptions().setNumReplicas(3);
      if (buckets > 1) {
        options.addHashPartitions(List.of(KEY), buckets);
      } else {
        options.setRangePartitionColumns(List.of());
      }
      tables.add(client.createTable("t" + tables.size(), schema, options));
      tablets += buckets;
    }
    return secondsSince(start);
  }

  /** The leaders of all tablets. */
  private Map<String, String> leaders() throws Exception {
    Map<String, String> leaders = new HashMap<>();
    for (KuduTable table : tables) {
      for (LocatedTablet tablet : table.getTabletsLocations(TIMEOUT_MILLIS)) {
        LocatedTablet.Replica leader = tablet.getLeaderReplica();
        leaders.put(
            new String(tablet.getTabletId(), StandardCharsets.UTF_8),
            leader == null ? "" : leader.getRpcHost() + ":" + leader.getRpcPort());
      }
    }
    return leaders;
  }

  /** The cost of servers that nobody uses, as an average over the tablet servers. */
  record Idle(double percentOfProcessor, double threads, double megabytes, int changedLeaders) {}

  Idle idle(int seconds) throws Exception {
    Map<String, String> before = leaders();
    List<ServerProcess> servers = cluster.tabletServers();
    double cpu = cpuSeconds(servers);
    long start = System.nanoTime();
    TimeUnit.SECONDS.sleep(seconds);
    double used = cpuSeconds(servers) - cpu;
    double elapsed = secondsSince(start);
    Map<String, String> after = leaders();
    before.entrySet().removeAll(after.entrySet());
    int count = servers.size();
    return new Idle(
        100 * used / elapsed / count,
        servers.stream().mapToLong(ServerProcess::threads).sum() / (double) count,
        servers.stream().mapToLong(ServerProcess::residentBytes).sum() / 1e6 / count,
        before.size());
  }

  private static double cpuSeconds(List<ServerProcess> servers) {
    return servers.stream().mapToDouble(ServerProcess::cpuSeconds).sum();
  }

  /** Kills a tablet server and starts it again; returns the seconds until all its replicas run. */
  double restart() {
    long start = System.nanoTime();
    ServerProcess server = cluster.killAndRestart(0);
    Poll.until(
        "All tablets of the restarted server run",
        RESTART_MILLIS,
        POLL_MILLIS,
        () -> cluster.runningTablets(server) >= tablets);
    return secondsSince(start);
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
