package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.ReplicaMove;
import dev.kudu4j.master.placement.ReplicaPlacer;
import java.util.List;
import java.util.random.RandomGenerator;

/** Chooses the server that joins, leaves or leads, once it is decided that one has to. */
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

  /** The server that gets a new member; null when there is none. */
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
        placer.addTo(pool.known(staying(tabletId, group)), replicationFactor).orElse(null);
    placer.commit();
    return chosen;
  }

  /** The members that the new one does not replace: only their locations count. */
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

  /** Of members that are equally bad, the one that leaves. */
  String leastWanted(Group group, int replicationFactor, List<String> anyOf) {
    List<RegisteredServer> expendable = pool.known(anyOf);
    if (expendable.size() < anyOf.size()) { // one that never registered is the least wanted
      return anyOf.stream().filter(uuid -> pool.servers().get(uuid) == null).findFirst().get();
    }
    return ReplicaPlacer.leastWanted(
            pool.known(group.uuids()), expendable, replicationFactor, pool.locations())
        .uuid();
  }

  /** Of members that can lead, any. */
  String nextLeader(List<String> anyOf) {
    return anyOf.get(random.nextInt(anyOf.size()));
  }
}
