package dev.kudu4j.master.reconcile;

import dev.kudu4j.master.observed.ObservedTablet;
import java.util.function.Function;

/**
 * What the reconciler compares the catalog with.
 *
 * @param tablets what is observed of a tablet, by its id
 * @param nowNanos by the clock of the observations
 * @param nowMicros by the clock of the catalog's records
 * @param sessionStartMicros when this leader session began, by the clock of the records: before
 *     that it could not know whether a server is silent
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
