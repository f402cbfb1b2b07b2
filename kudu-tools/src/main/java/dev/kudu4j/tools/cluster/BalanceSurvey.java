package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.TServerStatePB;
import dev.kudu4j.master.rebalance.Balance;
import dev.kudu4j.tools.connection.ClusterCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The distribution of the replicas of a cluster, as its servers report it, and the input of the
 * planner of moves.
 *
 * @param servers the tablet servers, by uuid
 * @param leaders the consensus state of each tablet, as its leader reports it
 * @param tableNames names of the tables, by id
 */
record BalanceSurvey(
    Map<String, ServerState> servers,
    Map<String, ConsensusStatePB> leaders,
    Map<String, String> tableNames,
    Balance balance) {

  /**
   * Queries all servers.
   *
   * @param wanted accepts the names of the tables whose replicas may be moved
   * @param ignored servers that are not targets of moves
   * @param emptied whether replicas are moved away from the ignored servers
   * @param busy tablets that are already being moved
   */
  static BalanceSurvey of(
      ClusterCalls calls,
      Predicate<String> wanted,
      Set<String> ignored,
      boolean emptied,
      Set<String> busy) {
    Map<String, ServerState> servers = ClusterSurvey.tabletServers(calls);
    Set<String> maintained = inMaintenance(calls);
    Map<String, String> locations = new TreeMap<>();
    for (ServerState server : servers.values()) {
      if (server.isHealthy()
          && !ignored.contains(server.uuid())
          && !maintained.contains(server.uuid())) {
        locations.put(server.uuid(), server.location());
      }
    }
    Map<String, ConsensusStatePB> leaders = leaders(servers.values());
    Map<String, String> names = new HashMap<>();
    List<Balance.Placement> tablets = new ArrayList<>();
    for (TableState table : ClusterCalls.get(ClusterSurvey.tables(calls, wanted))) {
      names.put(table.id(), table.name());
      for (TableState.TabletState tablet : table.tablets()) {
        tablets.add(placement(table, tablet, leaders.get(tablet.id()), servers, busy));
      }
    }
    Set<String> leaving = emptied ? ignored : Set.of();
    return new BalanceSurvey(servers, leaders, names, new Balance(locations, leaving, tablets));
  }

  private static Set<String> inMaintenance(ClusterCalls calls) {
    Set<String> maintained = new HashSet<>();
    calls
        .master(
            "ListTabletServers",
            ListTabletServersRequestPB.newBuilder().setIncludeStates(true).build(),
            ListTabletServersResponsePB.parser())
        .getServersList()
        .forEach(
            entry -> {
              if (entry.getState() == TServerStatePB.MAINTENANCE_MODE) {
                maintained.add(entry.getInstanceId().getPermanentUuid().toStringUtf8());
              }
            });
    return maintained;
  }

  /**
   * The leaders' consensus states, by tablet. If two servers claim to lead a tablet, the one with
   * the later term counts.
   */
  private static Map<String, ConsensusStatePB> leaders(Iterable<ServerState> servers) {
    Map<String, ConsensusStatePB> leaders = new HashMap<>();
    for (ServerState server : servers) {
      server
          .consensus()
          .forEach(
              (tablet, state) -> {
                if (state.getLeaderUuid().equals(server.uuid())) {
                  leaders.merge(
                      tablet, state, (a, b) -> a.getCurrentTerm() > b.getCurrentTerm() ? a : b);
                }
              });
    }
    return leaders;
  }

  private static Balance.Placement placement(
      TableState table,
      TableState.TabletState tablet,
      ConsensusStatePB leader,
      Map<String, ServerState> servers,
      Set<String> busy) {
    List<String> holders = new ArrayList<>();
    boolean movable = leader != null && !leader.hasPendingConfig() && !busy.contains(tablet.id());
    if (leader == null) {
      tablet.placements().forEach(each -> holders.add(each.server()));
    } else {
      for (RaftPeerPB peer : leader.getCommittedConfig().getPeersList()) {
        String uuid = peer.getPermanentUuid().toStringUtf8();
        boolean voter = peer.getMemberType() == RaftPeerPB.MemberType.VOTER;
        if (voter) {
          holders.add(uuid);
        }
        movable &=
            voter
                && !peer.getAttrs().getReplace()
                && servers.containsKey(uuid)
                && servers.get(uuid).isHealthy();
      }
      movable &= holders.size() == table.replicationFactor();
    }
    return new Balance.Placement(
        tablet.id(),
        table.id(),
        table.replicationFactor(),
        holders,
        leader == null ? "" : leader.getLeaderUuid(),
        movable);
  }
}
