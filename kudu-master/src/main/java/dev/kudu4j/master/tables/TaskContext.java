package dev.kudu4j.master.tables;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.heartbeat.ReportReader;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;

/**
 * What tasks look at and talk to.
 *
 * @param reader takes news that come with an answer
 * @param reports takes what an answer means for a replica
 */
record TaskContext(
    Catalog catalog,
    ObservedTablets observed,
    ServerRegistry servers,
    TabletServerCalls calls,
    Creations creations,
    Deletions deletions,
    Tombstones tombstones,
    AskedChanges askedChanges,
    ReportReader reader,
    ReportReader.Listener reports,
    Refusals refusals) {

  /** Hears of servers that will not have a replica, for a reason that time does not cure. */
  @FunctionalInterface
  interface Refusals {
    void replicaRefused(String tabletId, String serverUuid, KuduException why);
  }
}
