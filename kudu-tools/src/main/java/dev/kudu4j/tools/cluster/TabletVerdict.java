package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The health of a tablet, derived from the reports of the master and its servers.
 *
 * <pre>
 *   fewer voters RUNNING than a majority, or no leader   UNAVAILABLE
 *   replicas that do not agree with the master           CONSENSUS_MISMATCH
 *   a replica that is copied or replays its log          RECOVERING
 *   fewer replicas RUNNING than wanted                   UNDER_REPLICATED
 * </pre>
 *
 * @param reason as text; empty if healthy
 * @param leader uuid of the leader according to the running replica with the highest term; empty if
 *     unknown
 */
record TabletVerdict(
    String tablet,
    TableState table,
    TabletHealth health,
    String reason,
    String leader,
    List<Replica> replicas) {

  /**
   * One replica.
   *
   * @param server null if the server is not registered with the master
   * @param state such as {@code RUNNING}, or {@code TS unavailable}, or {@code missing}
   * @param consensus null if unknown
   * @param conflict whether this replica reports different voters than the master, or a different
   *     leader than the tablet's
   */
  record Replica(
      String uuid,
      ServerState server,
      boolean voter,
      boolean masterSaysLeader,
      String state,
      boolean running,
      boolean recovering,
      TabletStatusPB status,
      ConsensusStatePB consensus,
      boolean conflict) {
    String address() {
      return server == null ? "unknown" : server.address();
    }
  }

  static TabletVerdict of(
      TableState table, TableState.TabletState tablet, Map<String, ServerState> servers) {
    Set<String> voters = new TreeSet<>();
    tablet.placements().stream()
        .filter(TableState.Placement::voter)
        .forEach(placement -> voters.add(placement.server()));
    String leader = leader(tablet, servers);
    List<Replica> replicas = new ArrayList<>();
    for (TableState.Placement placement : tablet.placements()) {
      replicas.add(replica(tablet.id(), placement, servers, voters, leader));
    }
    return judge(table, tablet.id(), voters.size(), leader, replicas);
  }

  /** The leader according to the running replica with the highest term. */
  private static String leader(TableState.TabletState tablet, Map<String, ServerState> servers) {
    return tablet.placements().stream()
        .map(placement -> servers.get(placement.server()))
        .filter(server -> server != null && isRunning(server.replicas().get(tablet.id())))
        .map(server -> server.consensus().get(tablet.id()))
        .filter(state -> state != null && !state.getLeaderUuid().isEmpty())
        .max(Comparator.comparingLong(ConsensusStatePB::getCurrentTerm))
        .map(ConsensusStatePB::getLeaderUuid)
        .orElse("");
  }

  private static boolean isRunning(TabletStatusPB status) {
    return status != null
        && status.getState() == TabletStatePB.RUNNING
        && status.getTabletDataState() != TabletDataState.TABLET_DATA_COPYING;
  }

  private static Replica replica(
      String tablet,
      TableState.Placement placement,
      Map<String, ServerState> servers,
      Set<String> voters,
      String leader) {
    ServerState server = servers.get(placement.server());
    TabletStatusPB status = server == null ? null : server.replicas().get(tablet);
    ConsensusStatePB consensus = server == null ? null : server.consensus().get(tablet);
    boolean running = isRunning(status);
    return new Replica(
        placement.server(),
        server,
        placement.voter(),
        placement.leader(),
        state(server, status),
        running,
        isRecovering(status),
        status,
        consensus,
        running && (consensus == null || disagrees(consensus, voters, leader)));
  }

  private static String state(ServerState server, TabletStatusPB status) {
    if (server == null || !server.hasAnswered()) {
      return "TS unavailable";
    }
    if (status == null) {
      return "missing";
    }
    boolean copying = status.getTabletDataState() == TabletDataState.TABLET_DATA_COPYING;
    return copying ? "COPYING" : status.getState().name();
  }

  private static boolean isRecovering(TabletStatusPB status) {
    if (status == null) {
      return false;
    }
    return status.getTabletDataState() == TabletDataState.TABLET_DATA_COPYING
        || status.getState() == TabletStatePB.BOOTSTRAPPING
        || status.getState() == TabletStatePB.INITIALIZED
        || status.getState() == TabletStatePB.NOT_INITIALIZED;
  }

  private static boolean disagrees(ConsensusStatePB state, Set<String> voters, String leader) {
    Set<String> own = new TreeSet<>();
    for (RaftPeerPB peer : state.getCommittedConfig().getPeersList()) {
      if (peer.getMemberType() != RaftPeerPB.MemberType.NON_VOTER) {
        own.add(peer.getPermanentUuid().toStringUtf8());
      }
    }
    return !own.equals(voters) || !state.getLeaderUuid().equals(leader);
  }

  private static TabletVerdict judge(
      TableState table, String tablet, int voters, String leader, List<Replica> replicas) {
    long running = replicas.stream().filter(each -> each.voter() && each.running()).count();
    long down = replicas.stream().filter(each -> !each.running()).count();
    long recovering = replicas.stream().filter(Replica::recovering).count();
    long conflicts = replicas.stream().filter(Replica::conflict).count();
    TabletHealth health = TabletHealth.HEALTHY;
    String reason = "";
    if (running < voters / 2 + 1) {
      health = TabletHealth.UNAVAILABLE;
      reason =
          replicas.isEmpty()
              ? "the master lists no replica"
              : down + " replica(s) not RUNNING, and the others are not a majority";
    } else if (leader.isEmpty()) {
      health = TabletHealth.UNAVAILABLE;
      reason = "no replica is the leader";
    } else if (conflicts > 0) {
      health = TabletHealth.CONSENSUS_MISMATCH;
      reason = conflicts + " replica(s) have a different configuration or leader than the master";
    } else if (recovering > 0 && recovering == down) {
      health = TabletHealth.RECOVERING;
      reason = recovering + " replica(s) being copied or started";
    } else if (down > 0) {
      health = TabletHealth.UNDER_REPLICATED;
      reason = down + " replica(s) not RUNNING";
    } else if (running < table.replicationFactor()) {
      health = TabletHealth.UNDER_REPLICATED;
      reason = running + " replicas of " + table.replicationFactor();
    }
    return new TabletVerdict(tablet, table, health, reason, leader, replicas);
  }
}
