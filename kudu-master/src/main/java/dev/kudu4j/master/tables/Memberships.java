package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.membership.DesiredConfiguration;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.membership.Member;
import dev.kudu4j.master.membership.MembershipChange;
import dev.kudu4j.master.membership.MembershipPolicy;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.TabletStatus;
import dev.kudu4j.master.placement.ReplicaPlacer;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What the members of each tablet shall be: brings together what its leader tells, what the records
 * ask for, and which servers there are.
 */
final class Memberships {
  private final Catalog catalog;
  private final ObservedTablets observed;
  private final ServerPool pool;
  private final Moves moves;
  private final RandomGenerator random;

  /** A change that is to be made, in the configuration that it was decided for. */
  record Decision(TableInfo table, TabletInfo tablet, Group group, MembershipChange change) {}

  Memberships(
      Catalog catalog,
      ObservedTablets observed,
      ServerPool pool,
      Moves moves,
      RandomGenerator random) {
    this.catalog = catalog;
    this.observed = observed;
    this.pool = pool;
    this.moves = moves;
    this.random = random;
  }

  /** The change that a tablet needs; null when it needs none, or nothing is known of it. */
  Decision decide(String tabletId) {
    TabletInfo tablet = catalog.tablet(tabletId);
    TableInfo table = tablet == null ? null : catalog.table(tablet.tableId());
    TabletStatus status = observed.status(tabletId);
    if (table == null || table.isDropping(tabletId) || !tablet.isRunning() || !status.hasGroup()) {
      return null;
    }
    Group group = status.group();
    moves.follow(tabletId, group);
    MembershipChange change = MembershipPolicy.next(group, wishes(table, tablet, group));
    return change.isNothing() ? null : new Decision(table, tablet, group, change);
  }

  private DesiredConfiguration wishes(TableInfo table, TabletInfo tablet, Group group) {
    return new DesiredConfiguration(
        table.replicationFactor(),
        catalog::isInMaintenance,
        uuid -> catalog.isDecommissioned(uuid) || moves.isLeaving(tablet.id(), uuid),
        pool.forReplica().stream().anyMatch(server -> !group.isMember(server.uuid())));
  }

  /** The server that a new member comes to be on; null when there is none. */
  RegisteredServer newMember(Decision decision) {
    Group group = decision.group();
    List<RegisteredServer> free = pool.forReplica();
    String wanted = moves.target(decision.tablet().id());
    if (wanted != null && !group.isMember(wanted)) {
      for (RegisteredServer server : free) {
        if (server.uuid().equals(wanted)) {
          return server;
        }
      }
    }
    List<RegisteredServer> candidates =
        free.stream().filter(server -> !group.isMember(server.uuid())).toList();
    ReplicaPlacer placer = new ReplicaPlacer(candidates, random);
    RegisteredServer chosen =
        placer
            .addTo(pool.known(staying(decision)), decision.table().replicationFactor())
            .orElse(null);
    placer.commit();
    return chosen;
  }

  /** Members whose place counts for a new one: not those that it replaces. */
  private List<String> staying(Decision decision) {
    String tabletId = decision.tablet().id();
    return decision.group().members().stream()
        .filter(
            member ->
                !member.replace()
                    && !member.health().isFailed()
                    && !catalog.isDecommissioned(member.uuid())
                    && !moves.isLeaving(tabletId, member.uuid()))
        .map(Member::uuid)
        .toList();
  }

  /** Of members that are equally bad, the one that goes. */
  String leastWanted(Decision decision, List<String> anyOf) {
    List<RegisteredServer> expendable = pool.known(anyOf);
    if (expendable.size() < anyOf.size()) { // one that never registered is the least wanted
      return anyOf.stream().filter(uuid -> pool.servers().get(uuid) == null).findFirst().get();
    }
    return ReplicaPlacer.leastWanted(
            pool.known(decision.group().uuids()),
            expendable,
            decision.table().replicationFactor(),
            pool.locations())
        .uuid();
  }

  /** Of members that can lead, any. */
  String nextLeader(List<String> anyOf) {
    return anyOf.get(random.nextInt(anyOf.size()));
  }
}
