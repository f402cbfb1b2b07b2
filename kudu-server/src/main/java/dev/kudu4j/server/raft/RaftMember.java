package dev.kudu4j.server.raft;

import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.raft.log.AppendLatency;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * This server's member of one Raft group: its view of the group, and requests to it. Each method
 * returns the value at the moment of the call.
 *
 * <p>Thread-safe.
 */
public final class RaftMember {
  /** The term reported while this server is not the leader. */
  public static final long NO_TERM = -1;

  /** The present role of this member in its group. */
  public enum Role {
    LEADER,
    CANDIDATE,
    FOLLOWER,
    LISTENER,
    /** The member is not active in the group yet. */
    STARTING
  }

  /**
   * Another member, as seen by the leader.
   *
   * @param silentMillis time since the leader last heard from the member, or since the term began
   * @param matchIndex last log index that the member has; -1 if unknown
   */
  public record Follower(String serverUuid, long silentMillis, long matchIndex) {}

  private final String tabletId;
  private final RaftServer.Division division;
  private final RaftRequests requests;

  RaftMember(String tabletId, RaftServer.Division division, RaftRequests requests) {
    this.tabletId = tabletId;
    this.division = division;
    this.requests = requests;
  }

  RaftServer.Division division() {
    return division;
  }

  public String serverUuid() {
    return division.getId().toString();
  }

  // ---- role and term

  public Role role() {
    return switch (division.getInfo().getCurrentRole()) {
      case LEADER -> Role.LEADER;
      case CANDIDATE -> Role.CANDIDATE;
      case FOLLOWER -> Role.FOLLOWER;
      case LISTENER -> Role.LISTENER;
      default -> Role.STARTING;
    };
  }

  public boolean isLeader() {
    return division.getInfo().isLeader();
  }

  public boolean isCandidate() {
    return division.getInfo().isCandidate();
  }

  public long currentTerm() {
    return division.getInfo().getCurrentTerm();
  }

  /** Uuid of the leader's server, or empty if this member knows no leader. */
  public Optional<String> leaderUuid() {
    return Optional.ofNullable(division.getInfo().getLeaderId()).map(Object::toString);
  }

  /** Milliseconds since this follower heard from its leader; 0 if it has no leader. */
  public long leaderSilentMillis() {
    return division
        .getInfo()
        .getRoleInfoProto()
        .getFollowerInfo()
        .getLeaderInfo()
        .getLastRpcElapsedTimeMs();
  }

  /** Milliseconds since this candidate last heard from a leader. */
  public long leaderlessMillis() {
    return division.getInfo().getRoleInfoProto().getCandidateInfo().getLastLeaderElapsedTimeMs();
  }

  /** Whether the member is being closed, or is closed. */
  public boolean isClosing() {
    return division.getInfo().getLifeCycleState().isClosingOrClosed();
  }

  // ---- configuration

  /** The committed configuration of a member that has not applied a configuration entry yet. */
  public CommittedConfiguration initialConfiguration() {
    return CommittedConfiguration.initial(division.getRaftConf());
  }

  /** The latest configuration in the log, which may still be reverted. */
  public CommittedConfiguration latestConfiguration() {
    return CommittedConfiguration.latest(division.getRaftConf());
  }

  /**
   * Whether a change of the configuration has begun after {@code committed} and is not complete.
   */
  public boolean isChangingFrom(CommittedConfiguration committed) {
    RaftConfiguration latest = division.getRaftConf();
    return !latest.getPreviousPeers(RaftPeerRole.FOLLOWER).isEmpty()
        || latest.getLogEntryIndex() > committed.index();
  }

  /** Whether this server is the only voter. */
  public boolean isOnlyVoter() {
    List<RaftPeer> voters = List.copyOf(division.getRaftConf().getAllPeers(RaftPeerRole.FOLLOWER));
    return voters.size() == 1 && voters.get(0).getId().equals(division.getId());
  }

  /** The other servers that receive the log, including those that are being added or removed. */
  public List<GroupPeer> others() {
    Set<RaftPeer> seen = new HashSet<>();
    List<GroupPeer> others = new ArrayList<>();
    for (RaftPeerRole role : List.of(RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)) {
      for (RaftPeer peer : division.getRaftConf().getAllPeers(role)) {
        if (!peer.getId().equals(division.getId()) && seen.add(peer)) {
          others.add(GroupPeer.of(peer));
        }
      }
    }
    return others;
  }

  /** Whether any other server receives the log. */
  public boolean hasOthers() {
    return !others().isEmpty();
  }

  /** The other voters, including those that vote only until a change is complete. */
  public List<String> otherVoters() {
    List<String> others = new ArrayList<>();
    for (RaftPeer peer : division.getRaftConf().getAllPeers(RaftPeerRole.FOLLOWER)) {
      if (!peer.getId().equals(division.getId())) {
        others.add(peer.getId().toString());
      }
    }
    return others;
  }

  /**
   * The sets of voters, each of which must provide a majority: one set, or two sets during a change
   * of the voters.
   */
  public List<Set<String>> electorates() {
    RaftConfiguration latest = division.getRaftConf();
    Set<String> now = uuids(latest.getCurrentPeers(RaftPeerRole.FOLLOWER));
    Set<String> before = uuids(latest.getPreviousPeers(RaftPeerRole.FOLLOWER));
    return before.isEmpty() ? List.of(now) : List.of(now, before);
  }

  private static Set<String> uuids(Collection<RaftPeer> peers) {
    Set<String> uuids = new HashSet<>();
    peers.forEach(peer -> uuids.add(peer.getId().toString()));
    return uuids;
  }

  /**
   * The other members as seen by this leader. Empty if this member does not lead, or if the members
   * changed during the call: Ratis reports names and log indexes separately, in the same order, and
   * they must fit together.
   */
  public List<Follower> followers() {
    List<ServerRpcProto> before = followerInfos();
    long[] matches = division.getInfo().getFollowerMatchIndices();
    List<ServerRpcProto> after = followerInfos();
    if (matches == null || matches.length != before.size() || !sameServers(before, after)) {
      return List.of();
    }
    List<Follower> followers = new ArrayList<>();
    for (int i = 0; i < matches.length; i++) {
      followers.add(
          new Follower(
              before.get(i).getId().getId().toStringUtf8(),
              before.get(i).getLastRpcElapsedTimeMs(),
              matches[i]));
    }
    return followers;
  }

  private List<ServerRpcProto> followerInfos() {
    return division.getInfo().isLeader()
        ? division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList()
        : List.of();
  }

  private static boolean sameServers(List<ServerRpcProto> before, List<ServerRpcProto> after) {
    if (before.size() != after.size()) {
      return false;
    }
    for (int i = 0; i < before.size(); i++) {
      if (!before.get(i).getId().getId().equals(after.get(i).getId().getId())) {
        return false;
      }
    }
    return true;
  }

  // ---- log

  /** First index in the log. */
  public long firstLogIndex() {
    return division.getRaftLog().getStartIndex();
  }

  /** Position of the last entry in the log, or empty if the log holds none. */
  public Optional<LogPosition> lastLogged() {
    return Optional.ofNullable(division.getRaftLog().getLastEntryTermIndex())
        .map(RaftMember::position);
  }

  /** Index of the last committed entry known to this member. */
  public long committedIndex() {
    return division.getRaftLog().getLastCommittedIndex();
  }

  /** Position of the last committed entry, or empty if the log does not hold it. */
  public Optional<LogPosition> lastCommitted() {
    return Optional.ofNullable(division.getRaftLog().getTermIndex(committedIndex()))
        .map(RaftMember::position);
  }

  private static LogPosition position(TermIndex at) {
    return new LogPosition(at.getTerm(), at.getIndex());
  }

  /** Latency of appends to this member's log, in microseconds. */
  public Distribution appendLatency() {
    return AppendLatency.appending(division.getMemberId());
  }

  // ---- requests

  /**
   * Submits an entry; this member must lead. May block while Raft's queue is full. Does not throw:
   * a failure is passed to the entry.
   */
  public void submit(RaftEntry entry) {
    try {
      requests
          .submit(division, entry)
          .whenComplete(
              (reply, thrown) -> {
                if (thrown != null) {
                  entry.failed(RaftFailures.explain(tabletId, thrown));
                } else if (!reply.isSuccess()) {
                  entry.failed(RaftFailures.explain(tabletId, reply.getException()));
                }
              });
    } catch (IOException | RuntimeException | Error e) { // otherwise the owner would wait forever
      entry.failed(RaftFailures.explain(tabletId, e));
    }
  }

  /**
   * Makes this member a candidate immediately, even if another member leads. Returns whether it is
   * a candidate now.
   */
  public boolean startElection() throws IOException {
    return requests.elect(division);
  }

  /** Steps down; another leader is elected after an election timeout. */
  public CompletableFuture<Void> stepDown() {
    return new LeadershipTransfer(tabletId, division, requests).toNobody();
  }

  /**
   * Transfers the leadership to another voter, without an election timeout.
   *
   * @param newLeader uuid of the voter; empty for the voter with the highest commit index
   */
  public CompletableFuture<Void> transferLeadership(
      Optional<String> newLeader, Collection<String> otherVoters) {
    return new LeadershipTransfer(tabletId, division, requests).to(newLeader, otherVoters);
  }

  /**
   * Replaces the configuration of the group; this member must lead. A server that is added must
   * already run the group; the change waits until that server has nearly caught up.
   *
   * @param now the configuration to replace; the call fails if the group has another configuration
   * @return the log index of the new configuration
   */
  public CompletableFuture<Long> changeConfiguration(
      CommittedConfiguration now, List<GroupPeer> voters, List<GroupPeer> listeners) {
    CompletableFuture<RaftClientReply> reply;
    try {
      reply = requests.configure(division, now, voters, listeners);
    } catch (IOException e) {
      reply = CompletableFuture.failedFuture(e);
    }
    return reply.handle(
        (answer, thrown) -> {
          Throwable failure = thrown != null ? thrown : answer.getException();
          if (failure != null) {
            throw RaftFailures.explain(tabletId, failure);
          }
          return division.getRaftConf().getLogEntryIndex();
        });
  }

  /**
   * Makes this member adopt a configuration of these voters without the consent of other members,
   * and start an election. Used for a group that has lost its majority permanently.
   *
   * @return why Raft rejected the configuration; empty if Raft accepted it
   */
  public CompletableFuture<Optional<String>> forceConfiguration(List<GroupPeer> voters) {
    CompletableFuture<AppendEntriesReplyProto> forced;
    try {
      forced = requests.force(division, voters);
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(RaftFailures.explain(tabletId, e));
    }
    return forced.thenApply(
        reply -> {
          if (reply.getResult() != AppendResult.SUCCESS) {
            return Optional.of(reply.getResult().toString());
          }
          requests.electSoon(division);
          return Optional.empty();
        });
  }

  /** Stops this member. Its log is kept. */
  public void close() {
    division.close();
  }
}
