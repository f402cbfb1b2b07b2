package dev.kudu4j.master.tables;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.common.proto.master.SysTabletsEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.ReportReader;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedReplica.State;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import dev.kudu4j.master.reconcile.Action;
import dev.kudu4j.master.tables.PendingUpdates.ReportedConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in the catalog what the tablet servers report: tablets that run, changed configurations,
 * the end of alterations, and the removal of dropped tablets and tables.
 *
 * <p>A tablet counts as running only after it is recorded as running. Otherwise clients might write
 * to it, and a restarted master would assume that the tablet never held a row and might replace it
 * by an empty tablet.
 *
 * <p>Thread-safe. Reports are accepted without blocking and recorded on the worker.
 */
final class ReportRecorder implements ReportReader.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(ReportRecorder.class);

  /** The most servers that a tablet's record names in addition to its members. */
  private static final int MAX_OUTSIDERS = 100;

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final Action.Executor actions;
  private final Executor worker;
  private final TimeSource time;
  private final long lingerNanos;

  @GuardedBy("this")
  private PendingUpdates pending = new PendingUpdates();

  @GuardedBy("this")
  private boolean draining;

  /**
   * @param actions starts the tasks that a report makes necessary
   * @param lingerNanos how long the record of a dropped tablet is kept after its last replica is
   *     gone
   */
  ReportRecorder(
      Catalog catalog,
      ObservedTablets observed,
      Action.Executor actions,
      TablesEnvironment environment,
      long lingerNanos) {
    this.catalog = catalog;
    this.observed = observed;
    this.actions = actions;
    this.worker = environment.worker();
    this.time = environment.time();
    this.lingerNanos = lingerNanos;
  }

  @Override
  public void tabletRuns(TabletInfo tablet) {
    synchronized (this) {
      pending.running.add(tablet.id());
      pending.tables.add(tablet.tableId());
    }
    drainLater();
  }

  /**
   * A replica of a tablet that is not being dropped runs. If the tablet is not recorded as running
   * yet, the replica is recorded later, in the same write as the running tablet.
   */
  @Override
  public void replicaRuns(TabletInfo tablet, String serverUuid) {
    observed.replicaLeft(tablet.id(), serverUuid, State.TOMBSTONED);
    if (!tablet.uncreated().contains(serverUuid)) {
      return;
    }
    observed.replicaRuns(tablet.id(), serverUuid);
    if (tablet.isRunning()) {
      synchronized (this) {
        pending.created.add(tablet.id());
      }
      drainLater();
    }
  }

  @Override
  public void configChanged(TabletInfo tablet, long term, RaftConfigPB config) {
    synchronized (this) {
      pending.configs.merge(
          tablet.id(), new ReportedConfig(term, config), (a, b) -> b.isLaterThan(a) ? b : a);
    }
    drainLater();
  }

  @Override
  public void membersReported(TabletInfo tablet, Group group) {
    TableInfo table = catalog.table(tablet.tableId());
    if (table != null
        && (!group.isWhole() || group.members().size() != table.replicationFactor())) {
      actions.changeMembership(tablet.id());
    }
  }

  @Override
  public void outsiderFound(TabletInfo tablet, String serverUuid, boolean tombstone) {
    if (tombstone) {
      observed.replicaTombstoned(tablet.id(), serverUuid);
    } else {
      observed.replicaLeft(tablet.id(), serverUuid, State.TOMBSTONED);
    }
    if (tablet.nonMemberHolders().contains(serverUuid)
        || tablet.nonMemberHolders().size() >= MAX_OUTSIDERS) {
      return;
    }
    synchronized (this) {
      pending.outsiders.computeIfAbsent(tablet.id(), id -> new HashSet<>()).add(serverUuid);
    }
    drainLater();
  }

  @Override
  public void schemaApplied(TabletInfo tablet, int version) {
    TableInfo table = catalog.table(tablet.tableId());
    if (table == null || !table.isAltering()) {
      return;
    }
    if (version >= table.schemaVersion()) {
      tableMayBeDone(table.id());
    } else if (tablet.isRunning()) {
      actions.alterSchema(tablet.id()); // its creation is complete, so its leader can be asked
    }
  }

  /** Checks on the worker whether an alteration or a deletion of the table is complete. */
  void tableMayBeDone(String tableId) {
    synchronized (this) {
      pending.tables.add(tableId);
    }
    drainLater();
  }

  @Override
  public void replicaUnwanted(String tabletId, String serverUuid) {
    if (catalog.tablet(tabletId) != null) {
      observed.replicaLeft(tabletId, serverUuid, State.DELETED);
      actions.ensureReplica(tabletId, serverUuid);
    } else {
      LOG.debug("{} has a replica of unknown tablet {}; it is not deleted", serverUuid, tabletId);
    }
  }

  @Override
  public void replicaGone(String tabletId, String serverUuid) {
    TabletInfo tablet = catalog.tablet(tabletId);
    TableInfo table = tablet == null ? null : catalog.table(tablet.tableId());
    if (table == null) {
      return;
    }
    if (!table.isDropping(tabletId) && !tablet.isRunning()) {
      observed.replicaLeft(tabletId, serverUuid, State.RUNNING);
    }
    // The task asks the server to create the replica again or, if the tablet was dropped, to
    // confirm that it will not create it.
    actions.ensureReplica(tabletId, serverUuid);
  }

  private void drainLater() {
    synchronized (this) {
      if (draining || pending.isEmpty()) {
        return;
      }
      draining = true;
    }
    worker.execute(this::drain);
  }

  private void drain() {
    PendingUpdates taken;
    synchronized (this) {
      taken = pending;
      pending = new PendingUpdates();
      draining = false;
    }
    try {
      record(taken);
    } catch (KuduException e) {
      LOG.warn(
          "Reports could not be recorded; the servers will send them again: {}", e.getMessage());
    }
    drainLater();
  }

  private void record(PendingUpdates taken) {
    Map<String, Integer> inCreation = new HashMap<>();
    taken.running.forEach(id -> noteInCreation(id, inCreation));
    List<TabletInfo> forgotten =
        catalog.change(
            edit -> {
              taken.running.forEach(id -> recordTablet(edit, id, taken));
              taken.configs.keySet().forEach(id -> recordTablet(edit, id, taken));
              taken.created.forEach(id -> recordTablet(edit, id, taken));
              taken.outsiders.keySet().forEach(id -> recordTablet(edit, id, taken));
              List<TabletInfo> forgettable = new ArrayList<>();
              for (String tableId : taken.tables) {
                TableInfo table = catalog.table(tableId);
                if (table != null && table.isRemoved()) {
                  recordRemoval(edit, table, forgettable);
                } else if (table != null) {
                  recordTable(edit, table, taken, forgettable);
                }
              }
              return forgettable;
            });
    taken.tables.forEach(id -> logIfReady(id, inCreation));
    forgotten.forEach(tablet -> observed.forget(tablet.id()));
    taken.running.forEach(this::catchUp);
  }

  /** Notes the number of tablets that do not run yet, for the table of this tablet. */
  private void noteInCreation(String tabletId, Map<String, Integer> counts) {
    TabletInfo tablet = catalog.tablet(tabletId);
    TableInfo table = tablet == null ? null : catalog.table(tablet.tableId());
    if (table != null) {
      counts.putIfAbsent(table.id(), table.tabletsInCreation());
    }
  }

  private void logIfReady(String tableId, Map<String, Integer> inCreationBefore) {
    TableInfo table = catalog.table(tableId);
    if (table != null
        && !table.isRemoved()
        && inCreationBefore.getOrDefault(tableId, 0) > 0
        && table.tabletsInCreation() == 0) {
      TableChangeLog.ready(table, time.nowMicros());
    }
  }

  /**
   * Called after a tablet was recorded as running. Alters the tablet if its table was altered
   * during the creation of the tablet.
   */
  private void catchUp(String tabletId) {
    TabletInfo tablet = catalog.tablet(tabletId);
    if (tablet == null) {
      return;
    }
    if (tablet.uncreated().isEmpty()) {
      observed.creationRecorded(tabletId);
    }
    schemaApplied(tablet, observed.status(tabletId).schemaVersion());
  }

  private void recordTablet(CatalogEdit edit, String id, PendingUpdates taken) {
    TabletInfo tablet = catalog.tablet(id);
    if (tablet == null) {
      return;
    }
    TabletEntryPB.Builder entry = tablet.entry().toBuilder();
    if (taken.running.contains(id)) {
      entry.setState(SysTabletsEntryPB.State.RUNNING);
    }
    ReportedConfig reported = taken.configs.get(id);
    boolean changed =
        reported != null && tablet.isLaterConfig(reported.term(), reported.config().getOpidIndex());
    if (changed) {
      // From now on missing replicas are copied, not created: CreateTablet can only create members
      // of the initial configuration.
      entry.setConfig(reported.config()).setConfigTerm(reported.term()).clearUncreatedUuids();
      observed.creationRecorded(id);
      reported
          .config()
          .getPeersList()
          .forEach(
              peer ->
                  observed.replicaLeft(
                      id, Ids.fromWire(peer.getPermanentUuid()), State.TOMBSTONED));
    }
    recordOthers(tablet, entry, taken.outsiders.getOrDefault(id, Set.of()));
    if (!changed
        && entry.getState() == SysTabletsEntryPB.State.RUNNING
        && !tablet.uncreated().isEmpty()) {
      entry.clearUncreatedUuids();
      tablet.uncreated().stream()
          .filter(server -> !observed.get(id).isReplica(server, State.RUNNING))
          .forEach(server -> entry.addUncreatedUuids(Ids.toWire(server)));
    }
    TabletEntryPB after = entry.build();
    if (!after.equals(tablet.entry())) {
      edit.putTablet(id, after);
    }
  }

  /**
   * Records the servers that may have a replica and are no members: former members, and servers
   * that reported one.
   */
  private static void recordOthers(
      TabletInfo before, TabletEntryPB.Builder after, Set<String> found) {
    Set<String> others = new TreeSet<>(found);
    before.holders().forEach(others::add);
    after
        .getConfig()
        .getPeersList()
        .forEach(peer -> others.remove(Ids.fromWire(peer.getPermanentUuid())));
    if (!others.equals(before.nonMemberHolders())) {
      after.clearOtherUuids();
      others.forEach(uuid -> after.addOtherUuids(Ids.toWire(uuid)));
    }
  }

  private void recordRemoval(CatalogEdit edit, TableInfo table, List<TabletInfo> forgettable) {
    List<TabletInfo> all = table.recordedTablets();
    if (all.stream().allMatch(this::isForgettable)) {
      all.forEach(edit::removeTablet);
      edit.removeTable(table.id());
      forgettable.addAll(all);
      TableChangeLog.gone(table, all.size(), time.nowMicros());
    }
  }

  private void recordTable(
      CatalogEdit edit, TableInfo table, PendingUpdates taken, List<TabletInfo> forgettable) {
    TableEntryPB.Builder entry = table.entry().toBuilder();
    Set<String> gone = new HashSet<>();
    for (TabletInfo tablet : table.dropping()) {
      if (isForgettable(tablet)) {
        gone.add(tablet.id());
        edit.removeTablet(tablet);
        forgettable.add(tablet);
      }
    }
    if (!gone.isEmpty()) {
      List<ByteString> left = new ArrayList<>(entry.getDroppingTabletIdsList());
      left.removeIf(id -> gone.contains(Ids.fromWire(id)));
      entry.clearDroppingTabletIds().addAllDroppingTabletIds(left);
    }
    if (table.isAltering() && isAltered(table, taken)) {
      entry.setState(SysTablesEntryPB.State.RUNNING).clearAppliedSchema().clearStateMessage();
      TableChangeLog.altered(table, time.nowMicros());
    }
    TableEntryPB changed = entry.build();
    if (!changed.equals(table.entry())) {
      edit.putTable(table.id(), changed);
    }
  }

  /** Whether every tablet of the table runs and has applied the newest schema. */
  private boolean isAltered(TableInfo table, PendingUpdates taken) {
    for (TabletInfo tablet : table.tablets()) {
      boolean runs = tablet.isRunning() || taken.running.contains(tablet.id());
      if (!runs || observed.status(tablet.id()).schemaVersion() < table.schemaVersion()) {
        return false;
      }
    }
    return true;
  }

  private boolean isForgettable(TabletInfo tablet) {
    return observed.get(tablet.id()).isForgettable(tablet, observed.nowNanos(), lingerNanos);
  }
}
