package dev.kudu4j.server.raft;

import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests to a local member of a group: log an entry, start an election, transfer the leadership,
 * change the members.
 *
 * <p>Thread-safe.
 */
final class RaftRequests {
  private static final Logger LOG = LoggerFactory.getLogger(RaftRequests.class);
  private static final int TRANSFER_MILLIS = 3_000;

  /** Name of the leader that appears to send a forced configuration. */
  private static final String FORCED_BY = "unsafe-change-config";

  private final RaftServer server;
  private final RaftPeerId self;
  private final Executor elections;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();

  /**
   * @param elections runs elections
   */
  RaftRequests(RaftServer server, Executor elections) {
    this.server = server;
    this.self = server.getId();
    this.elections = elections;
  }

  /** Like {@link #electAtOnce}, on another thread. */
  void electSoon(RaftServer.Division division) {
    elections.execute(() -> electAtOnce(division));
  }

  /**
   * Starts an election if the group runs. A failure is only logged, because the group then elects a
   * leader after its timeout.
   */
  void electAtOnce(RaftServer.Division division) {
    try {
      if (division.getInfo().getLifeCycleState() == LifeCycle.State.RUNNING) {
        elect(division);
      }
    } catch (IOException | RuntimeException e) {
      LOG.info("{} could not start an election immediately", division.getMemberId(), e);
    }
  }

  /**
   * Makes this server a candidate immediately, with the request that a leader sends to its
   * successor. The request therefore names the leader of the term, if there is one, as its sender.
   *
   * @return whether this server is a candidate now
   */
  boolean elect(RaftServer.Division division) throws IOException {
    RaftPeerId leader = division.getInfo().getLeaderId();
    TermIndex last = lastEntry(division);
    TermIndexProto.Builder lastEntry =
        TermIndexProto.newBuilder().setTerm(last.getTerm()).setIndex(last.getIndex());
    return server
        .startLeaderElection(
            StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(
                    RaftRpcRequestProto.newBuilder()
                        .setRequestorId((leader == null ? self : leader).toByteString())
                        .setReplyId(self.toByteString())
                        .setRaftGroupId(
                            RaftGroupIdProto.newBuilder()
                                .setId(division.getMemberId().getGroupId().toByteString()))
                        .setCallId(calls.incrementAndGet()))
                .setLeaderLastEntry(lastEntry)
                .build())
        .getServerReply()
        .getSuccess();
  }

  static TermIndex lastEntry(RaftServer.Division division) {
    TermIndex last = division.getRaftLog().getLastEntryTermIndex();
    SnapshotInfo checkpoint = division.getStateMachine().getLatestSnapshot();
    if (last != null) {
      return last;
    }
    return checkpoint != null ? checkpoint.getTermIndex() : TermIndex.valueOf(0, 0);
  }

  /**
   * Transfers the leadership of a group.
   *
   * @param newLeader null to step down and leave the choice to an election
   */
  CompletableFuture<RaftClientReply> transferLeadership(
      RaftServer.Division division, @Nullable String newLeader) throws IOException {
    return server.transferLeadershipAsync(
        new TransferLeadershipRequest(
            client,
            self,
            division.getMemberId().getGroupId(),
            calls.incrementAndGet(),
            newLeader == null ? null : RaftPeerId.valueOf(newLeader),
            TRANSFER_MILLIS));
  }

  /**
   * Replaces the configuration of a group that this server leads. A server that is added must
   * already run the group and hold a checkpoint after which the leader's log continues. The change
   * waits until that server has nearly caught up.
   *
   * @param now the configuration to replace; the call fails if the group has another configuration
   */
  CompletableFuture<RaftClientReply> configure(
      RaftServer.Division division,
      CommittedConfiguration now,
      List<GroupPeer> voters,
      List<GroupPeer> listeners)
      throws IOException {
    SetConfigurationRequest.Arguments change =
        SetConfigurationRequest.Arguments.newBuilder()
            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
            .setServersInCurrentConf(toRaftPeers(now.voters()))
            .setListenersInCurrentConf(toRaftPeers(now.listeners()))
            .setServersInNewConf(inRole(voters, RaftPeerRole.FOLLOWER))
            .setListenersInNewConf(inRole(listeners, RaftPeerRole.LISTENER))
            .build();
    return server.setConfigurationAsync(
        new SetConfigurationRequest(
            client, self, division.getMemberId().getGroupId(), calls.incrementAndGet(), change));
  }

  private static List<RaftPeer> inRole(List<GroupPeer> peers, RaftPeerRole role) {
    return peers.stream()
        .map(peer -> RaftPeer.newBuilder(peer.toRaftPeer()).setStartupRole(role).build())
        .toList();
  }

  private static List<RaftPeer> toRaftPeers(List<GroupPeer> peers) {
    return peers.stream().map(GroupPeer::toRaftPeer).toList();
  }

  /**
   * Makes a replica accept a configuration as if the leader of the next term had sent it. The
   * replica keeps its log.
   */
  CompletableFuture<AppendEntriesReplyProto> force(
      RaftServer.Division division, List<GroupPeer> voters) throws IOException {
    TermIndex last = lastEntry(division);
    long term = division.getInfo().getCurrentTerm() + 1;
    LogEntryProto entry =
        RaftLogs.configuration(
            new LogPosition(term, last.getIndex() + 1), toRaftPeers(voters), List.of());
    ByteString sender = RaftPeerId.valueOf(FORCED_BY).toByteString();
    return server.appendEntriesAsync(
        AppendEntriesRequestProto.newBuilder()
            .setServerRequest(
                RaftRpcRequestProto.newBuilder()
                    .setRequestorId(sender)
                    .setReplyId(self.toByteString())
                    .setRaftGroupId(
                        RaftGroupIdProto.newBuilder()
                            .setId(division.getMemberId().getGroupId().toByteString()))
                    .setCallId(calls.incrementAndGet()))
            .setLeaderTerm(term)
            .setPreviousLog(
                TermIndexProto.newBuilder().setTerm(last.getTerm()).setIndex(last.getIndex()))
            .addEntries(entry)
            .setLeaderCommit(division.getRaftLog().getLastCommittedIndex())
            .build());
  }

  /** Submits an entry to a group that this server leads. May block while Raft's queue is full. */
  CompletableFuture<RaftClientReply> submit(RaftServer.Division division, RaftEntry entry)
      throws IOException {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(self)
            .setGroupId(division.getMemberId().getGroupId())
            .setCallId(calls.incrementAndGet())
            .setMessage(entry)
            .setType(RaftClientRequest.writeRequestType())
            .build();
    return ((RaftClientAsynchronousProtocol) division).submitClientRequestAsync(request);
  }
}
