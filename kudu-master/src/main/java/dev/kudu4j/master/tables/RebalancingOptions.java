package dev.kudu4j.master.tables;

/**
 * How a cluster is kept even.
 *
 * @param replicas whether replicas are moved
 * @param replicaMillis time between two looks at replicas
 * @param movesPerServer how many moves may begin or end at one server at a time
 * @param leaders whether leadership is handed over
 * @param leaderMillis time between two looks at leaders
 * @param transfersAtOnce how many leaders may change at one look
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
