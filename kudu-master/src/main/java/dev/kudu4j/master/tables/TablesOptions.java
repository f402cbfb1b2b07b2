package dev.kudu4j.master.tables;

import dev.kudu4j.master.reconcile.ReconcilerOptions;
import java.util.concurrent.TimeUnit;

/**
 * The options of a leader's work on tables.
 *
 * @param replication limits of the numbers of replicas
 * @param creationPatienceMillis how long a server may be silent before a tablet in creation is
 *     placed elsewhere
 * @param reconcileMillis time between two runs of the reconciler
 * @param lingerMillis how long the record of a dropped tablet is kept after its last replica is
 *     gone
 * @param defaultReserveSeconds how long a dropped table is kept when the request does not say
 * @param rebalancing options of the rebalancer
 */
public record TablesOptions(
    ReplicationRules replication,
    long creationPatienceMillis,
    long reconcileMillis,
    long lingerMillis,
    int defaultReserveSeconds,
    RebalancingOptions rebalancing) {
  public static final TablesOptions DEFAULT =
      new TablesOptions(
          new ReplicationRules(() -> 3, 1, 7, 60, 10_000),
          30_000,
          1_000,
          60_000,
          0,
          RebalancingOptions.OFF);

  ReconcilerOptions reconciler() {
    return new ReconcilerOptions(
        TimeUnit.MILLISECONDS.toMicros(creationPatienceMillis),
        TimeUnit.MILLISECONDS.toNanos(lingerMillis));
  }

  /** These options with other limits of replicas. */
  public TablesOptions withReplication(ReplicationRules other) {
    return new TablesOptions(
        other,
        creationPatienceMillis,
        reconcileMillis,
        lingerMillis,
        defaultReserveSeconds,
        rebalancing);
  }

  /** These options with other options of the rebalancer. */
  public TablesOptions withRebalancing(RebalancingOptions other) {
    return new TablesOptions(
        replication,
        creationPatienceMillis,
        reconcileMillis,
        lingerMillis,
        defaultReserveSeconds,
        other);
  }
}
