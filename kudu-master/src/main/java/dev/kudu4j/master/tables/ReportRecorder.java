package dev.kudu4j.master.tables;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.common.proto.master.SysTabletsEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.ReportReader;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import dev.kudu4j.master.tables.PendingUpdates.ToldConfig;
import dev.kudu4j.server.logging.Marks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records how far the tablet servers have come: tablets that run, configurations that changed,
 * alterations that every tablet has, tablets and tables that are gone for good.
 *
 * <p>A tablet counts as running only once that is recorded. Were it told to clients before, a
 * master that restarts would take it for one that never held a row, and might replace it by an
 * empty one.
 *
 * <p>Thread-safe. PendingUpdates are taken in without blocking and recorded on the worker.
 */
final class ReportRecorder implements ReportReader.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(ReportRecorder.class);

  /** As many as are recorded of a tablet: each is a server that once had a replica of it. */
  private static final int MOST_OUTSIDERS = 100;

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final Creations creations;
  private final Deletions deletions;
  private final Tombstones tombstones;
  private final Executor worker;

  private final ReplicaStarter replicaStarter;
  private final AlterationStarter alterationStarter;
  private final MembershipStarter membershipStarter;

  @GuardedBy("this")
  private PendingUpdates news = new PendingUpdates();

  @GuardedBy("this")
  private boolean draining;

  /** Starts the task that brings a replica to what is wanted. */
  @FunctionalInterface
  interface ReplicaStarter {
    void start(String tabletId, String serverUuid);
  }

  /** Starts the task that brings a tablet to its table's schema. */
  @FunctionalInterface
  interface AlterationStarter {
    void start(String tabletId);
  }

  /** Starts the task that looks after the members of a tablet. */
  @FunctionalInterface
  interface MembershipStarter {
    void start(String tabletId);
  }

  ReportRecorder(
      Catalog catalog,
      ObservedTablets observed,
      Creations creations,
      Deletions deletions,
      Tombstones tombstones,
      Executor worker,
      ReplicaStarter replicaStarter,
      AlterationStarter alterationStarter,
      MembershipStarter membershipStarter) {
    this.catalog = catalog;
    this.observed = observed;
    this.creations = creations;
    this.deletions = deletions;
    this.tombstones = tombstones;
    this.worker = worker;
    this.replicaStarter = replicaStarter;
    this.alterationStarter = alterationStarter;
    this.membershipStarter = membershipStarter;
  }

  @Override
  public void tabletRuns(TabletInfo tablet) {
    synchronized (this) {
      news.running.add(tablet.id());
      news.tables.add(tablet.tableId());
    }
    drainLater();
  }

  /**
   * A replica that nobody had told of. While its tablet does not run that waits for the news that
   * it does.
   */
  @Override
  public void replicaRuns(TabletInfo tablet, String serverUuid) {
    tombstones.replicaSeen(tablet.id(), serverUuid);
    if (!tablet.uncreated().contains(serverUuid)) {
      return;
    }
    creations.replicaRuns(tablet.id(), serverUuid);
    if (tablet.isRunning()) {
      synchronized (this) {
        news.created.add(tablet.id());
      }
      drainLater();
    }
  }

  @Override
  public void configChanged(TabletInfo tablet, long term, RaftConfigPB config) {
    synchronized (this) {
      news.configs.merge(
          tablet.id(), new ToldConfig(term, config), (a, b) -> b.isLaterThan(a) ? b : a);
    }
    drainLater();
  }

  @Override
  public void membersTold(TabletInfo tablet, Group group) {
    TableInfo table = catalog.table(tablet.tableId());
    if (table != null
        && (!group.isWhole() || group.members().size() != table.replicationFactor())) {
      membershipStarter.start(tablet.id());
    }
  }

  @Override
  public void outsiderFound(TabletInfo tablet, String serverUuid, boolean tombstone) {
    if (tombstone) {
      tombstones.replicaBuried(tablet.id(), serverUuid);
    } else {
      tombstones.replicaSeen(tablet.id(), serverUuid);
    }
    if (tablet.others().contains(serverUuid) || tablet.others().size() >= MOST_OUTSIDERS) {
      return;
    }
    synchronized (this) {
      news.outsiders.computeIfAbsent(tablet.id(), id -> new HashSet<>()).add(serverUuid);
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
      alterationStarter.start(tablet.id()); // it has a leader that can be told
    }
  }

  /** Has a look whether an alteration or a deletion has nothing left to do. */
  void tableMayBeDone(String tableId) {
    synchronized (this) {
      news.tables.add(tableId);
    }
    drainLater();
  }

  @Override
  public void replicaUnwanted(String tabletId, String serverUuid) {
    if (catalog.tablet(tabletId) != null) {
      deletions.replicaSeen(tabletId, serverUuid);
      replicaStarter.start(tabletId, serverUuid);
    } else {
      LOG.debug("{} has a replica of unknown tablet {}; left alone", serverUuid, tabletId);
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
      creations.replicaGone(tabletId, serverUuid);
    }
    // It is asked for again or, when it is to be gone, forbidden.
    replicaStarter.start(tabletId, serverUuid);
  }

  private void drainLater() {
    synchronized (this) {
      if (draining || news.isEmpty()) {
        return;
      }
      draining = true;
    }
    worker.execute(this::drain);
  }

  private void drain() {
    PendingUpdates taken;
    synchronized (this) {
      taken = news;
      news = new PendingUpdates();
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
    forgotten.forEach(this::forget);
    taken.running.forEach(this::catchUp);
  }

  /** A tablet that was slow to be created follows what its table went through meanwhile. */
  private void catchUp(String tabletId) {
    TabletInfo tablet = catalog.tablet(tabletId);
    if (tablet == null) {
      return;
    }
    if (tablet.uncreated().isEmpty()) {
      creations.forget(tabletId);
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
    ToldConfig told = taken.configs.get(id);
    boolean changed =
        told != null && tablet.isLaterConfig(told.term(), told.config().getOpidIndex());
    if (changed) {
      // From now on members come to be by copy only: CreateTablet carries the first configuration.
      entry.setConfig(told.config()).setConfigTerm(told.term()).clearUncreatedUuids();
      creations.forget(id);
      told.config()
          .getPeersList()
          .forEach(peer -> tombstones.replicaSeen(id, Ids.fromWire(peer.getPermanentUuid())));
    }
    recordOthers(tablet, entry, taken.outsiders.getOrDefault(id, Set.of()));
    if (!changed
        && entry.getState() == SysTabletsEntryPB.State.RUNNING
        && !tablet.uncreated().isEmpty()) {
      entry.clearUncreatedUuids();
      tablet.uncreated().stream()
          .filter(server -> !creations.isRunning(id, server))
          .forEach(server -> entry.addUncreatedUuids(Ids.toWire(server)));
    }
    TabletEntryPB after = entry.build();
    if (!after.equals(tablet.entry())) {
      edit.putTablet(id, after);
    }
  }

  /** Whoever was a member and is none, or was found to have a replica, may have one. */
  private static void recordOthers(
      TabletInfo before, TabletEntryPB.Builder after, Set<String> found) {
    Set<String> others = new TreeSet<>(found);
    before.holders().forEach(others::add);
    after
        .getConfig()
        .getPeersList()
        .forEach(peer -> others.remove(Ids.fromWire(peer.getPermanentUuid())));
    if (!others.equals(before.others())) {
      after.clearOtherUuids();
      others.forEach(uuid -> after.addOtherUuids(Ids.toWire(uuid)));
    }
  }

  private void recordRemoval(CatalogEdit edit, TableInfo table, List<TabletInfo> forgettable) {
    List<TabletInfo> all = table.recordedTablets();
    if (all.stream().allMatch(deletions::isForgettable)) {
      all.forEach(edit::removeTablet);
      edit.removeTable(table.id());
      forgettable.addAll(all);
      LOG.info(Marks.ON_DEMAND, "Table {} is gone, with its {} tablets", table, all.size());
    }
  }

  private void recordTable(
      CatalogEdit edit, TableInfo table, PendingUpdates taken, List<TabletInfo> forgettable) {
    TableEntryPB.Builder entry = table.entry().toBuilder();
    Set<String> gone = new HashSet<>();
    for (TabletInfo tablet : table.dropping()) {
      if (deletions.isForgettable(tablet)) {
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
      LOG.info(
          Marks.ON_DEMAND,
          "Table {} has schema version {} everywhere",
          table,
          table.schemaVersion());
    }
    TableEntryPB changed = entry.build();
    if (!changed.equals(table.entry())) {
      edit.putTable(table.id(), changed);
    }
  }

  /** Whether every tablet runs with the newest schema. */
  private boolean isAltered(TableInfo table, PendingUpdates taken) {
    for (TabletInfo tablet : table.tablets()) {
      boolean runs = tablet.isRunning() || taken.running.contains(tablet.id());
      if (!runs || observed.status(tablet.id()).schemaVersion() < table.schemaVersion()) {
        return false;
      }
    }
    return true;
  }

  private void forget(TabletInfo tablet) {
    tombstones.forget(tablet.id());
    creations.forget(tablet.id());
    deletions.forget(tablet.id());
    observed.forget(tablet.id());
  }
}
