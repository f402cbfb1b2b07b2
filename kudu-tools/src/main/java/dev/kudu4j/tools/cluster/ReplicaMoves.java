package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB.ConfigChangeItemPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.ChangeConfigType;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownResponsePB;
import dev.kudu4j.common.proto.consensus.RaftPeerAttrsPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.rebalance.Move;
import dev.kudu4j.tools.connection.ClusterCalls;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Moves of replicas that are in progress. To start a move, this class asks the leader to add a
 * member on the target server, and to mark the member on the source server for replacement. The
 * leader and the master complete the move. If the leader is on the source server, this class also
 * asks it to transfer leadership.
 */
final class ReplicaMoves {
  private final ClusterCalls calls;
  private final int perServer;
  private final Map<String, MoveInProgress> movesInProgress = new HashMap<>();
  private int done;
  private int failed;

  private static final class MoveInProgress {
    private final Move move;
    private boolean joined;

    MoveInProgress(Move move) {
      this.move = move;
    }
  }

  ReplicaMoves(ClusterCalls calls, int perServer) {
    this.calls = calls;
    this.perServer = perServer;
  }

  int done() {
    return done;
  }

  int failed() {
    return failed;
  }

  boolean isIdle() {
    return movesInProgress.isEmpty();
  }

  List<Move> movesInProgress() {
    return movesInProgress.values().stream().map(each -> each.move).toList();
  }

  Set<String> tablets() {
    return new HashSet<>(movesInProgress.keySet());
  }

  boolean hasRoom(Move move) {
    return count(move.from()) < perServer && count(move.to()) < perServer;
  }

  private long count(String server) {
    return movesInProgress.values().stream()
        .filter(each -> each.move.from().equals(server) || each.move.to().equals(server))
        .count();
  }

  /**
   * Starts a move. The leader rejects it if the members have changed since the survey; the next
   * survey then leads to a new plan.
   */
  void begin(Move move, BalanceSurvey survey) {
    ConsensusStatePB state = survey.leaders().get(move.tablet());
    InetSocketAddress target = ServerAddress.of(survey.servers().get(move.to()).address());
    RaftPeerPB source =
        RaftPeerPB.newBuilder()
            .setPermanentUuid(ByteString.copyFromUtf8(move.from()))
            .setAttrs(RaftPeerAttrsPB.newBuilder().setReplace(true))
            .build();
    RaftPeerPB joiner =
        RaftPeerPB.newBuilder()
            .setPermanentUuid(ByteString.copyFromUtf8(move.to()))
            .setMemberType(RaftPeerPB.MemberType.NON_VOTER)
            .setAttrs(RaftPeerAttrsPB.newBuilder().setPromote(true))
            .setLastKnownAddr(
                HostPortPB.newBuilder().setHost(target.getHostString()).setPort(target.getPort()))
            .build();
    BulkChangeConfigRequestPB request =
        BulkChangeConfigRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(state.getLeaderUuid()))
            .setTabletId(ByteString.copyFromUtf8(move.tablet()))
            .addConfigChanges(
                ConfigChangeItemPB.newBuilder().setType(ChangeConfigType.ADD_PEER).setPeer(joiner))
            .addConfigChanges(
                ConfigChangeItemPB.newBuilder()
                    .setType(ChangeConfigType.MODIFY_PEER)
                    .setPeer(source))
            .setCasConfigOpidIndex(state.getCommittedConfig().getOpidIndex())
            .build();
    try {
      ClusterCalls.get(
          calls.call(
              ServerAddress.of(survey.servers().get(state.getLeaderUuid()).address()),
              ClusterSurvey.CONSENSUS,
              "BulkChangeConfig",
              request,
              ChangeConfigResponsePB.parser()));
      movesInProgress.put(move.tablet(), new MoveInProgress(move));
    } catch (KuduException e) {
      failed++;
    }
  }

  /** Checks the progress of the moves. */
  void follow(BalanceSurvey survey) {
    for (Iterator<MoveInProgress> moves = movesInProgress.values().iterator(); moves.hasNext(); ) {
      MoveInProgress each = moves.next();
      ConsensusStatePB state = survey.leaders().get(each.move.tablet());
      if (state == null) {
        continue;
      }
      RaftPeerPB target = member(state, each.move.to());
      boolean atSource = member(state, each.move.from()) != null;
      if (target == null && (each.joined || !atSource)) {
        failed++;
        moves.remove();
      } else if (target != null && !atSource) {
        done++;
        moves.remove();
      } else if (target != null) {
        each.joined = true;
        if (target.getMemberType() == RaftPeerPB.MemberType.VOTER
            && state.getLeaderUuid().equals(each.move.from())) {
          transferLeadership(each.move, survey);
        }
      }
    }
  }

  private static RaftPeerPB member(ConsensusStatePB state, String uuid) {
    for (RaftPeerPB peer : state.getCommittedConfig().getPeersList()) {
      if (peer.getPermanentUuid().toStringUtf8().equals(uuid)) {
        return peer;
      }
    }
    return null;
  }

  /**
   * Asks the leader on the source server to transfer leadership to the target server. The result is
   * not awaited, since {@link #follow} repeats the request until the leader has changed.
   */
  private void transferLeadership(Move move, BalanceSurvey survey) {
    LeaderStepDownRequestPB request =
        LeaderStepDownRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(move.from()))
            .setTabletId(ByteString.copyFromUtf8(move.tablet()))
            .setMode(LeaderStepDownMode.GRACEFUL)
            .setNewLeaderUuid(ByteString.copyFromUtf8(move.to()))
            .build();
    calls.call(
        ServerAddress.of(survey.servers().get(move.from()).address()),
        ClusterSurvey.CONSENSUS,
        "LeaderStepDown",
        request,
        LeaderStepDownResponsePB.parser());
  }
}
