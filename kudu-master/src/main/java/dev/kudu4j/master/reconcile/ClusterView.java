package dev.kudu4j.master.reconcile;

import dev.kudu4j.master.observed.ObservedTablet;
import java.util.function.Function;

/**
 * The observed state of the cluster, with which the reconciler compares the catalog.
 *
 * @param tablets the observed state of a tablet, by its id
 * @param nowNanos the present time by the clock of {@code ObservedTablets}
 * @param nowMicros the present time by the clock of the catalog's records
 * @param sessionStartMicros when this leader session began, by the clock of the records. The
 *     silence of a server is measured from this time at the earliest, since this leader could not
 *     notice it earlier
 */
public record ClusterView(
    Function<String, ObservedTablet> tablets,
    ServerView servers,
    long nowNanos,
    long nowMicros,
    long sessionStartMicros) {
  ObservedTablet tablet(String tabletId) {
    return tablets.apply(tabletId);
  }
}
