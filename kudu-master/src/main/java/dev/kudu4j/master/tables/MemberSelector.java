package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.ReplicaMove;
import dev.kudu4j.master.placement.ReplicaPlacer;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Chooses the server for a change of members that has been decided: the one that joins, leaves or
 * becomes leader.
 */
final class MemberSelector {
  private final Catalog catalog;
  private final ObservedTablets observed;
  private final ServerPool pool;
  private final RandomGenerator random;

  MemberSelector(
      Catalog catalog, ObservedTablets observed, ServerPool pool, RandomGenerator random) {
    this.catalog = catalog;
    this.observed = observed;
    this.pool = pool;
    this.random = random;
  }

  /** The server that gets a new replica of the tablet; null when no server can take it. */
  RegisteredServer newMember(String tabletId, Group group, int replicationFactor) {
    List<RegisteredServer> candidates =
        pool.forReplica().stream().filter(server -> !group.isMember(server.uuid())).toList();
    ReplicaMove move = observed.get(tabletId).move(observed.nowNanos());
    if (move != null) {
      for (RegisteredServer server : candidates) {
        if (server.uuid().equals(move.target())) {
          return server;
        }
      }
    }
    ReplicaPlacer placer = new ReplicaPlacer(candidates, random);
    RegisteredServer chosen =
        placer.addTo(pool.registered(staying(tabletId, group)), replicationFactor).orElse(null);
    placer.commit();
    return chosen;
  }

  /**
   * The members that stay when a new one joins. The location of the new member is chosen with
   * regard to these members only.
   */
  private List<String> staying(String tabletId, Group group) {
    return group.members().stream()
        .filter(
            member ->
                !member.replace()
                    && !member.health().isFailed()
                    && !catalog.isDecommissioned(member.uuid())
                    && !observed.get(tabletId).isLeaving(member.uuid(), observed.nowNanos()))
        .map(member -> member.uuid())
        .toList();
  }

  /** Selects the member to remove from members that the policy considers equally dispensable. */
  String leastWanted(Group group, int replicationFactor, List<String> anyOf) {
    List<RegisteredServer> expendable = pool.registered(anyOf);
    if (expendable.size() < anyOf.size()) { // an unregistered server leaves first
      return anyOf.stream().filter(uuid -> pool.servers().get(uuid) == null).findFirst().get();
    }
    return ReplicaPlacer.leastWanted(
            pool.registered(group.uuids()), expendable, replicationFactor, pool.locations())
        .uuid();
  }

  /** A random one of the members that can become leader. */
  String nextLeader(List<String> anyOf) {
    return anyOf.get(random.nextInt(anyOf.size()));
  }
}
