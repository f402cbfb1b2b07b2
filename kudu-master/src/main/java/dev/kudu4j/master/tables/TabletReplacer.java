package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.placement.ReplicaPlacer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a tablet that cannot be created on its servers by a new tablet with another id on other
 * servers. Only a tablet that never ran is replaced automatically, since it cannot hold a row. A
 * tablet that has run and is lost is replaced at the request of an operator.
 *
 * <p>If there are too few other servers, and a majority of the members has refused, the creation of
 * the table is recorded as failed. For members that are merely silent the master waits.
 */
final class TabletReplacer {
  private static final Logger LOG = LoggerFactory.getLogger(TabletReplacer.class);

  private final Catalog catalog;
  private final ServerPool pool;
  private final ObservedTablets observed;
  private final RandomGenerator random;
  private final TabletRecords records;
  private final TableRefresh refresh;

  /**
   * The result of the replacement of a lost tablet.
   *
   * @param tabletId id of the new tablet
   */
  record Replacement(String tabletId, TableChange change) {}

  /** Reconciles a table that was changed. */
  @FunctionalInterface
  interface TableRefresh {
    void refresh(String tableId);
  }

  TabletReplacer(
      Catalog catalog,
      ServerPool pool,
      ObservedTablets observed,
      RandomGenerator random,
      TabletRecords records,
      TableRefresh refresh) {
    this.catalog = catalog;
    this.pool = pool;
    this.observed = observed;
    this.random = random;
    this.records = records;
    this.refresh = refresh;
  }

  /** Replaces a tablet that never ran, since a member has been silent for too long. */
  void replaceSilent(String tabletId) {
    replace(tabletId, null);
  }

  /**
   * Notes that a server refused to create its replica, for a permanent reason, and replaces the
   * tablet if possible.
   */
  void replicaRefused(String tabletId, String serverUuid, KuduException reason) {
    boolean known = observed.get(tabletId).refusals().contains(serverUuid);
    observed.refused(tabletId, Set.of(serverUuid));
    if (!known) {
      LOG.warn("{} refuses to create tablet {}: {}", serverUuid, tabletId, reason.describe());
    }
    replace(tabletId, reason);
  }

  /**
   * @param refusal why a server refused; null if the reason is a silent server
   */
  private void replace(String tabletId, KuduException refusal) {
    TabletInfo tablet = catalog.tablet(tabletId);
    if (tablet == null) {
      return;
    }
    long begun = observed.nowNanos();
    TableChange change =
        catalog.change(
            edit -> {
              TableInfo table = catalog.table(tablet.tableId());
              return isReplaceable(table, tabletId)
                  ? replace(edit, table, tabletId, refusal)
                  : TableChange.none(tablet.tableId());
            });
    if (!change.description().isEmpty()) {
      TableChangeLog.recorded(change, Requester.MASTER, observed.nowNanos() - begun);
      refresh.refresh(tablet.tableId());
    }
  }

  /**
   * Replaces a tablet whose replicas are lost by an empty one; replicas that still exist are
   * deleted.
   *
   * @throws KuduException NOT_FOUND when no table has the tablet; INVALID_ARGUMENT when there are
   *     too few servers, or the table may not be changed
   */
  Replacement replaceLost(String tabletId) {
    return catalog.change(
        edit -> {
          TabletInfo tablet = catalog.tablet(tabletId);
          TableInfo table = tablet == null ? null : catalog.table(tablet.tableId());
          if (table == null || table.isRemoved() || table.isDropping(tabletId)) {
            throw KuduException.notFound(
                "No table has a tablet %s; see kudu table list --list_tablets", tabletId);
          }
          TableAlterer.checkAlterable(table);
          int replicas = table.entry().getNumReplicas();
          List<RegisteredServer> candidates = pool.forTablet(replicas);
          if (candidates.size() < replicas) {
            throw KuduException.invalidArgument(
                "%d tablet servers take replicas now, and tablet %s needs %d; start more of them",
                candidates.size(), tabletId, replicas);
          }
          String freshId = record(edit, table, tablet, candidates, replicas);
          return new Replacement(
              freshId, replaced(table, tabletId, freshId, "an operator gave it up"));
        });
  }

  private boolean isReplaceable(TableInfo table, String tabletId) {
    TabletInfo tablet = catalog.tablet(tabletId);
    return tablet != null
        && table != null
        && !tablet.isRunning()
        && !table.hasFailed()
        && !table.isDropping(tabletId);
  }

  private TableChange replace(
      CatalogEdit edit, TableInfo table, String tabletId, KuduException refusal) {
    TabletInfo tablet = catalog.tablet(tabletId);
    int replicaCount = tablet.config().getPeersCount();
    Set<String> refused = observed.get(tabletId).refusals();
    List<RegisteredServer> willing = new ArrayList<>(pool.servers().live());
    willing.removeIf(
        server -> refused.contains(server.uuid()) || !catalog.takesReplicas(server.uuid()));
    if (willing.size() < replicaCount) {
      if (refusal != null && isMajority(refused, tablet)) {
        recordFailure(edit, table, refusal);
      }
      return TableChange.none(table.id()); // the members that did not refuse may suffice
    }
    String freshId = record(edit, table, tablet, willing, replicaCount);
    if (!refused.isEmpty()) {
      observed.refused(freshId, refused);
    }
    String reason =
        refusal == null
            ? "a member has been silent for too long"
            : "a server refused it: " + refusal.getMessage();
    return replaced(table, tabletId, freshId, reason);
  }

  private static TableChange replaced(
      TableInfo table, String tabletId, String freshId, String reason) {
    return TableChange.of(
        table.id(),
        "Tablet %s of table %s replaced by the empty tablet %s, since %s",
        tabletId,
        table,
        freshId,
        reason);
  }

  /** Records a new, empty tablet on some of the servers, and drops the old one. */
  private String record(
      CatalogEdit edit,
      TableInfo table,
      TabletInfo tablet,
      List<RegisteredServer> candidates,
      int replicas) {
    ReplicaPlacer placer = new ReplicaPlacer(candidates, random);
    int generation = table.entry().getGeneration() + 1;
    String freshId =
        records.add(
            edit,
            table.id(),
            generation,
            table.schemaVersion(),
            tablet.partition(),
            tablet.entry().getDimensionLabel(),
            placer.place(replicas));
    placer.commit();
    edit.putTable(
        table.id(),
        table.entry().toBuilder()
            .setGeneration(generation)
            .addDroppingTabletIds(Ids.toWire(tablet.id()))
            .build());
    return freshId;
  }

  private static boolean isMajority(Set<String> refused, TabletInfo tablet) {
    int refusing = 0;
    for (RaftPeerPB peer : tablet.config().getPeersList()) {
      if (refused.contains(Ids.fromWire(peer.getPermanentUuid()))) {
        refusing++;
      }
    }
    return refusing * 2 > tablet.config().getPeersCount();
  }

  /**
   * Records why a tablet cannot be created. If the table is being created, its creation fails as a
   * whole. If the tablet belongs to an added range, the master tries again.
   */
  private static void recordFailure(CatalogEdit edit, TableInfo table, KuduException refusal) {
    boolean creation = table.schemaVersion() == 0;
    if (!creation && table.entry().getStateMessage().equals(refusal.describe())) {
      return;
    }
    var entry = table.entry().toBuilder().setStateMessage(refusal.describe());
    if (creation) {
      LOG.warn(
          "Table {} cannot be created, since most of the chosen servers refuse: {}",
          table,
          refusal.describe());
      entry.setCreateFailure(StatusWire.toWire(refusal));
    }
    edit.putTable(table.id(), entry.build());
  }
}
