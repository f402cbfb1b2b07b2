package dev.kudu4j.master.reconcile;

import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.membership.DesiredConfiguration;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.membership.MembershipChange;
import dev.kudu4j.master.membership.MembershipPolicy;
import dev.kudu4j.master.observed.ObservedReplica.State;
import dev.kudu4j.master.observed.ObservedTablet;
import dev.kudu4j.master.reconcile.Action.AlterSchema;
import dev.kudu4j.master.reconcile.Action.ChangeMembership;
import dev.kudu4j.master.reconcile.Action.CreateReplica;
import dev.kudu4j.master.reconcile.Action.DeleteReplica;
import dev.kudu4j.master.reconcile.Action.FinishTable;
import dev.kudu4j.master.reconcile.Action.RecordCreated;
import dev.kudu4j.master.reconcile.Action.RemoveExpired;
import dev.kudu4j.master.reconcile.Action.ReplaceTablet;
import dev.kudu4j.master.reconcile.Action.TombstoneReplica;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Compares the catalog's record of a table with the observed state of its tablets, and lists the
 * pending actions. A pure function: it changes nothing, and the same input gives the same list.
 *
 * <p>It must be cheap for tables without pending actions, since it runs over all tables every
 * second.
 */
public final class Reconciler {
  private final ReconcilerOptions options;

  public Reconciler(ReconcilerOptions options) {
    this.options = options;
  }

  /** The actions that are pending for one table. */
  public List<Action> reconcile(TableInfo table, ClusterView view) {
    if (table.isSoftDeleted() && isExpired(table, view.nowMicros())) {
      return List.of(new RemoveExpired(table.id())); // its replicas are deleted after that
    }
    List<Action> actions = new ArrayList<>();
    if (table.isRemoved()) {
      drop(table.recordedTablets(), view, actions);
    } else {
      drop(table.dropping(), view, actions);
      table.tablets().forEach(tablet -> keep(table, tablet, view, actions));
    }
    if (isFinished(table, view)) {
      actions.add(new FinishTable(table.id()));
    }
    return actions;
  }

  /** Whether the reserve time of a soft-deleted table is over. */
  public static boolean isExpired(TableInfo table, long nowMicros) {
    long reserve = Integer.toUnsignedLong(table.entry().getReserveSeconds());
    return nowMicros >= table.entry().getDeleteTimeMicros() + TimeUnit.SECONDS.toMicros(reserve);
  }

  private static void drop(List<TabletInfo> tablets, ClusterView view, List<Action> actions) {
    for (TabletInfo tablet : tablets) {
      ObservedTablet observed = view.tablet(tablet.id());
      tablet
          .holders()
          .filter(server -> !observed.isReplica(server, State.DELETED))
          .forEach(server -> actions.add(new DeleteReplica(tablet.id(), server)));
    }
  }

  /** Adds the actions that are pending for a tablet that is not being dropped. */
  private void keep(TableInfo table, TabletInfo tablet, ClusterView view, List<Action> actions) {
    ObservedTablet observed = view.tablet(tablet.id());
    if (!tablet.uncreated().isEmpty() && mayBeCreated(table, tablet)) {
      create(tablet, observed, view, actions);
    }
    if (table.isAltering() && lacksSchema(table, tablet, observed)) {
      actions.add(new AlterSchema(tablet.id()));
    }
    if (membershipChange(table, tablet, observed, view).isPresent()) {
      actions.add(new ChangeMembership(tablet.id()));
    }
    for (String server : tablet.nonMemberHolders()) {
      if (desired(table, tablet, observed, server, view.nowNanos()) == DesiredReplica.TOMBSTONED
          && view.servers().isLive(server)) {
        actions.add(new TombstoneReplica(tablet.id(), server));
      }
    }
  }

  private static boolean mayBeCreated(TableInfo table, TabletInfo tablet) {
    return !table.hasFailed() && !tablet.entry().getAwaitsIndexes();
  }

  private void create(
      TabletInfo tablet, ObservedTablet observed, ClusterView view, List<Action> actions) {
    if (isReplaceable(tablet, observed, view)) {
      actions.add(new ReplaceTablet(tablet.id()));
      return;
    }
    for (String server : tablet.uncreated()) {
      if (!observed.isReplica(server, State.RUNNING)) {
        actions.add(new CreateReplica(tablet.id(), server));
      } else if (tablet.isRunning()) {
        actions.add(new RecordCreated(tablet.id(), server)); // an earlier write has failed
      }
    }
  }

  /**
   * Whether a tablet has waited too long for a silent member, and other servers can take its
   * replicas.
   */
  private boolean isReplaceable(TabletInfo tablet, ObservedTablet observed, ClusterView view) {
    long since = Math.max(tablet.entry().getCreateTimeMicros(), view.sessionStartMicros());
    if (tablet.isRunning() || view.nowMicros() - since < options.creationPatienceMicros()) {
      return false;
    }
    ServerView servers = view.servers();
    List<RaftPeerPB> members = tablet.config().getPeersList();
    boolean allLive =
        members.stream()
            .allMatch(member -> servers.isLive(Ids.fromWire(member.getPermanentUuid())));
    long willing =
        servers.live().stream()
            .filter(uuid -> servers.takesReplicas(uuid) && !observed.refusals().contains(uuid))
            .count();
    return !allLive && willing >= members.size();
  }

  /** The change that one server's replica of a tablet needs. */
  public static DesiredReplica desired(
      TableInfo table, TabletInfo tablet, ObservedTablet observed, String server, long nowNanos) {
    if (table.isDropping(tablet.id())) {
      return observed.isReplica(server, State.DELETED)
          ? DesiredReplica.UNCHANGED
          : DesiredReplica.DELETED;
    }
    if (isOutsider(tablet, observed, server, nowNanos)) {
      return observed.isReplica(server, State.TOMBSTONED)
          ? DesiredReplica.UNCHANGED
          : DesiredReplica.TOMBSTONED;
    }
    boolean missing =
        tablet.uncreated().contains(server)
            && mayBeCreated(table, tablet)
            && !observed.isReplica(server, State.RUNNING);
    return missing ? DesiredReplica.CREATED : DesiredReplica.UNCHANGED;
  }

  /**
   * Whether a server is recorded as a non-member, and the group's leader has reported members
   * without it. The record alone does not suffice, since it may be out of date.
   */
  private static boolean isOutsider(
      TabletInfo tablet, ObservedTablet observed, String server, long nowNanos) {
    Group group = observed.status().currentGroup();
    return tablet.nonMemberHolders().contains(server)
        && group != null
        && !group.isMember(server)
        && !observed.isJoining(server, nowNanos);
  }

  /** Whether a running tablet has not applied the newest schema of its table. */
  public static boolean lacksSchema(TableInfo table, TabletInfo tablet, ObservedTablet observed) {
    return !table.isDropping(tablet.id())
        && tablet.isRunning()
        && observed.status().schemaVersion() < table.schemaVersion();
  }

  /**
   * The next change of a tablet's members; empty when none is needed, nothing is known of the
   * group, or the leader has accepted one that it has not reported yet.
   */
  public static Optional<MembershipChange> membershipChange(
      TableInfo table, TabletInfo tablet, ObservedTablet observed, ClusterView view) {
    Group group = observed.status().currentGroup();
    if (table.isDropping(tablet.id()) || !tablet.isRunning() || group == null) {
      return Optional.empty();
    }
    if (observed.isChanging(group, view.nowNanos())) {
      return Optional.empty();
    }
    MembershipChange change =
        MembershipPolicy.next(group, desiredConfiguration(table, observed, group, view));
    return change.isNothing() ? Optional.empty() : Optional.of(change);
  }

  private static DesiredConfiguration desiredConfiguration(
      TableInfo table, ObservedTablet observed, Group group, ClusterView view) {
    ServerView servers = view.servers();
    return new DesiredConfiguration(
        table.replicationFactor(),
        servers::isInMaintenance,
        uuid -> servers.isDecommissioned(uuid) || observed.isLeaving(uuid, view.nowNanos()),
        servers.available().stream().anyMatch(uuid -> !group.isMember(uuid)));
  }

  /**
   * Whether a deletion or an alteration of the table is complete, which then has to be recorded.
   */
  private boolean isFinished(TableInfo table, ClusterView view) {
    if (table.isRemoved()) {
      return table.recordedTablets().stream().allMatch(tablet -> isForgettable(tablet, view));
    }
    return table.dropping().stream().anyMatch(tablet -> isForgettable(tablet, view))
        || (table.isAltering() && isAltered(table, view));
  }

  private boolean isForgettable(TabletInfo tablet, ClusterView view) {
    return view.tablet(tablet.id()).isForgettable(tablet, view.nowNanos(), options.lingerNanos());
  }

  private static boolean isAltered(TableInfo table, ClusterView view) {
    return table.tablets().stream()
        .allMatch(
            tablet ->
                tablet.isRunning()
                    && view.tablet(tablet.id()).status().schemaVersion() >= table.schemaVersion());
  }
}
