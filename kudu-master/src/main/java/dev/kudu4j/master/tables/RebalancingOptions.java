package dev.kudu4j.master.tables;

/**
 * How replicas and leaders are kept spread evenly over the cluster.
 *
 * @param replicas whether replicas are moved
 * @param replicaMillis time between two runs that move replicas
 * @param movesPerServer the most moves at a time from or to one server
 * @param leaders whether leadership is transferred
 * @param leaderMillis time between two runs that transfer leadership
 * @param transfersAtOnce the most transfers in one run
 */
public record RebalancingOptions(
    boolean replicas,
    long replicaMillis,
    int movesPerServer,
    boolean leaders,
    long leaderMillis,
    int transfersAtOnce) {
  public static final RebalancingOptions OFF =
      new RebalancingOptions(false, 30_000, 1, false, 60_000, 10);
}
