package dev.kudu4j.master.tables;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what is still to be done, by comparing records with what is known of the tablet servers,
 * and starts it. Run after every change of a table, when a leader takes over, and every second, so
 * that nothing depends on a message not getting lost.
 *
 * <p>Cheap for tables where nothing is to be done.
 */
final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final Creations creations;
  private final Deletions deletions;
  private final Tombstones tombstones;
  private final ServerRegistry servers;
  private final ReportRecorder progress;
  private final ReportRecorder.ReplicaStarter replicas;
  private final ReportRecorder.AlterationStarter alterations;
  private final Memberships memberships;
  private final ReportRecorder.MembershipStarter membershipStarter;
  private final TabletReplacer replacer;
  private final TableRemover remover;

  Sweeper(
      Catalog catalog,
      ObservedTablets observed,
      Creations creations,
      Deletions deletions,
      Tombstones tombstones,
      ServerRegistry servers,
      ReportRecorder progress,
      ReportRecorder.ReplicaStarter replicas,
      ReportRecorder.AlterationStarter alterations,
      Memberships memberships,
      ReportRecorder.MembershipStarter membershipStarter,
      TabletReplacer replacer,
      TableRemover remover) {
    this.catalog = catalog;
    this.observed = observed;
    this.creations = creations;
    this.deletions = deletions;
    this.tombstones = tombstones;
    this.servers = servers;
    this.progress = progress;
    this.replicas = replicas;
    this.alterations = alterations;
    this.memberships = memberships;
    this.membershipStarter = membershipStarter;
    this.replacer = replacer;
    this.remover = remover;
  }

  void sweep() {
    for (TableInfo table : catalog.tables()) {
      try {
        sweep(table);
      } catch (KuduException e) {
        LOG.warn("Table {} waits for the next sweep: {}", table, e.getMessage());
      }
    }
  }

  /** Starts whatever one table needs. */
  void sweep(TableInfo table) {
    if (table.isRemoved()) {
      drop(table.tablets());
      drop(table.dropping());
      progress.tableMayBeDone(table.id());
      return;
    }
    if (table.isSoftDeleted() && remover.removeIfExpired(table)) {
      return; // its replicas are dropped by the next sweep
    }
    if (drop(table.dropping())) {
      progress.tableMayBeDone(table.id());
    }
    if (table.lacksReplicas() && !table.hasFailed()) {
      create(table);
    }
    if (table.isAltering()) {
      alter(table);
    }
    keepMembers(table);
    if (table.hasOthers()) {
      bury(table);
    }
  }

  private void keepMembers(TableInfo table) {
    for (TabletInfo tablet : table.tablets()) {
      if (memberships.decide(tablet.id()) != null) {
        membershipStarter.start(tablet.id());
      }
    }
  }

  /** Replicas on servers that are no members have no more use; those on silent ones wait. */
  private void bury(TableInfo table) {
    for (TabletInfo tablet : table.tablets()) {
      for (String server : tablet.others()) {
        if (!tombstones.isBuried(tablet.id(), server) && servers.isLive(server)) {
          replicas.start(tablet.id(), server);
        }
      }
    }
  }

  /** Tells whether one of the tablets can be forgotten. */
  private boolean drop(List<TabletInfo> tablets) {
    boolean forgettable = false;
    for (TabletInfo tablet : tablets) {
      drop(tablet);
      forgettable |= deletions.isForgettable(tablet);
    }
    return forgettable;
  }

  private void drop(TabletInfo tablet) {
    tablet
        .holders()
        .filter(server -> !deletions.isGone(tablet.id(), server))
        .forEach(server -> replicas.start(tablet.id(), server));
  }

  private void create(TableInfo table) {
    for (TabletInfo tablet : table.tablets()) {
      if (tablet.uncreated().isEmpty()
          || (!tablet.isRunning() && replacer.replaceIfHopeless(tablet))) {
        continue;
      }
      for (String server : tablet.uncreated()) {
        if (!creations.isRunning(tablet.id(), server)) {
          replicas.start(tablet.id(), server);
        } else if (tablet.isRunning()) {
          progress.replicaRuns(tablet, server); // what a failed write did not record
        }
      }
    }
  }

  private void alter(TableInfo table) {
    boolean complete = true;
    for (TabletInfo tablet : table.tablets()) {
      if (!tablet.isRunning()) {
        complete = false;
      } else if (observed.status(tablet.id()).schemaVersion() < table.schemaVersion()) {
        complete = false;
        alterations.start(tablet.id());
      }
    }
    if (complete) {
      progress.tableMayBeDone(table.id());
    }
  }
}
