package dev.kudu4j.server.transport;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto.LogEntryBodyCase;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.util.ProtoUtils;

/**
 * Validates messages before they are passed to Ratis, which does not validate them.
 *
 * <p><b>Sender.</b> A message names its sender, which must be the server at the other end of the
 * connection. The sender must be a member of the group in this replica's configuration, with two
 * exceptions. A server that has proven the cluster secret may be the leader of a newer
 * configuration, which this replica has yet to learn. Any other non-member is accepted as a leader
 * only while this replica has no live leader, for example after the replica was down while its
 * group changed. Vote requests of non-members are left to Ratis, which changes no state because of
 * them and answers whether the candidate is a member.
 *
 * <p><b>Content.</b> A term never decreases, and a member that has seen a high term makes the other
 * members adopt it, so a wrong term would be permanent. No term above {@link #MAX_TERM} is
 * accepted, and from an unproven sender no term more than {@link #LONGEST_JUMP} above the replica's
 * own. A group that elects once a second needs 136 years for such a jump, so no replica is ever
 * down for so long that it cannot rejoin. Reaching the highest term by jumps takes 2^30 messages,
 * each of which is synced to disk.
 *
 * <p>Thread-safe. No method blocks, except while the group is being opened.
 */
final class MessageCheck {
  static final long MAX_TERM = 1L << 62;
  static final long LONGEST_JUMP = 1L << 32;

  private static final long MAX_INDEX = 1L << 62;
  private static final long NO_INDEX = -1;
  private static final int GROUP_ID_BYTES = 16;
  private static final int MAX_PEERS = 128;
  private static final int LONGEST_NAME_BYTES = 64;
  private static final int LONGEST_ADDRESS = 300;
  private static final int MIN_FIELD_BYTES = 16;

  private final RaftServer server;
  private final ByteString self;
  private final long leaderSilentMillis;

  MessageCheck(RaftServer server) {
    this.server = server;
    this.self = server.getId().toByteString();
    this.leaderSilentMillis =
        RaftServerConfigKeys.Rpc.timeoutMax(server.getProperties()).toLong(TimeUnit.MILLISECONDS);
  }

  // ---- requests

  /**
   * Rejects an unparsed append whose objects would occupy far more memory than its bytes: an empty
   * entry has two bytes and becomes an object of a hundred. No real entry is that small.
   *
   * @param bytes length of the append
   */
  static void shape(CodedInputStream body, int bytes) throws IOException {
    long fields = 0;
    for (int tag = body.readTag(); tag != 0; tag = body.readTag()) {
      body.skipField(tag);
      fields++;
    }
    check(fields * MIN_FIELD_BYTES <= bytes, "too many entries for its length");
  }

  void append(Sender sender, AppendEntriesRequestProto request) throws IOException {
    RaftServer.Division division = division(sender, request.getServerRequest());
    checkMayLead(division, sender);
    long term = request.getLeaderTerm();
    checkTerm(division.getInfo().getCurrentTerm(), term, sender.proven());
    checkIndex(request.getLeaderCommit());
    if (request.hasPreviousLog()) {
      checkPosition(request.getPreviousLog(), term);
    }
    checkEntries(request);
    check(request.getCommitInfosCount() <= MAX_PEERS, "too many commit infos");
    for (CommitInfoProto info : request.getCommitInfosList()) {
      check(isName(info.getServer().getId()), "a commit info without a server");
      checkIndex(info.getCommitIndex());
    }
  }

  private static void checkEntries(AppendEntriesRequestProto request) throws RejectedMessage {
    List<LogEntryProto> entries = request.getEntriesList();
    if (entries.isEmpty()) {
      return;
    }
    long index = entries.get(0).getIndex();
    long term = request.hasPreviousLog() ? request.getPreviousLog().getTerm() : 0;
    check(
        !request.hasPreviousLog() || index == request.getPreviousLog().getIndex() + 1,
        "entries that do not follow the previous entry");
    check(index >= 0 && index <= MAX_INDEX, "an index out of range");
    for (int i = 0; i < entries.size(); i++) {
      LogEntryProto entry = entries.get(i);
      check(entry.getIndex() == index + i, "indices with a gap");
      check(
          entry.getTerm() >= term && entry.getTerm() <= request.getLeaderTerm(),
          "an entry of an impossible term");
      term = entry.getTerm();
      checkBody(entry);
    }
  }

  private static void checkBody(LogEntryProto entry) throws RejectedMessage {
    switch (entry.getLogEntryBodyCase()) {
      case STATEMACHINELOGENTRY ->
          check(
              entry.getStateMachineLogEntry().getType() == StateMachineLogEntryProto.Type.WRITE,
              "an entry of an unknown type");
      case CONFIGURATIONENTRY -> checkConfiguration(entry.getConfigurationEntry());
      case METADATAENTRY -> checkIndex(entry.getMetadataEntry().getCommitIndex());
      case LOGENTRYBODY_NOT_SET -> throw new RejectedMessage("an entry without content");
    }
  }

  private static void checkConfiguration(RaftConfigurationProto configuration)
      throws RejectedMessage {
    check(configuration.getPeersCount() > 0, "a configuration without voters");
    checkPeers(configuration.getPeersList());
    checkPeers(configuration.getOldPeersList());
    checkPeers(configuration.getListenersList());
    checkPeers(configuration.getOldListenersList());
  }

  private static void checkPeers(List<RaftPeerProto> peers) throws RejectedMessage {
    check(peers.size() <= MAX_PEERS, "too many members");
    for (RaftPeerProto peer : peers) {
      check(isName(peer.getId()), "a member without an id");
      check(isAddress(peer.getAddress()), "a member without a proper address");
      check(peer.getClientAddress().length() <= LONGEST_ADDRESS, "an address too long");
    }
  }

  private static boolean isName(ByteString id) {
    return !id.isEmpty() && id.size() <= LONGEST_NAME_BYTES;
  }

  private static boolean isAddress(String address) {
    int colon = address.lastIndexOf(':');
    if (colon <= 0 || address.length() > LONGEST_ADDRESS || address.length() - colon > 6) {
      return false;
    }
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      return port > 0 && port < 1 << 16;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  void vote(Sender sender, RequestVoteRequestProto request) throws IOException {
    RaftServer.Division division = division(sender, request.getServerRequest());
    long term = request.getCandidateTerm();
    checkTerm(division.getInfo().getCurrentTerm(), term, sender.proven());
    checkPosition(request.getCandidateLastEntry(), term);
  }

  void elect(Sender sender, StartLeaderElectionRequestProto request) throws IOException {
    RaftServer.Division division = division(sender, request.getServerRequest());
    check(sender.proven() || isMember(division, sender.id()), "the sender is not a member");
    long term = request.getLeaderLastEntry().getTerm();
    checkTerm(division.getInfo().getCurrentTerm(), term, sender.proven());
    checkPosition(request.getLeaderLastEntry(), term);
  }

  void notice(Sender sender, InstallSnapshotRequestProto request) throws IOException {
    RaftServer.Division division = division(sender, request.getServerRequest());
    checkMayLead(division, sender);
    long term = request.getLeaderTerm();
    checkTerm(division.getInfo().getCurrentTerm(), term, sender.proven());
    check(request.hasNotification(), "a snapshot instead of a notification");
    checkPosition(request.getNotification().getFirstAvailableTermIndex(), term);
    if (request.hasLastRaftConfigurationLogEntryProto()) {
      LogEntryProto last = request.getLastRaftConfigurationLogEntryProto();
      check(
          last.getLogEntryBodyCase() == LogEntryBodyCase.CONFIGURATIONENTRY,
          "a configuration entry of another type");
      checkIndex(last.getIndex());
      check(last.getTerm() >= 0 && last.getTerm() <= term, "an entry of an impossible term");
      checkConfiguration(last.getConfigurationEntry());
    }
  }

  /** Checks the head of a message and returns the group that the message addresses. */
  private RaftServer.Division division(Sender sender, RaftRpcRequestProto head) throws IOException {
    check(sender.is(head.getRequestorId()), "it names another sender than that of the connection");
    check(self.equals(head.getReplyId()), "the message is for another server");
    check(head.getCallId() >= 0, "a negative call");
    check(head.getRaftGroupId().getId().size() == GROUP_ID_BYTES, "a group id of the wrong length");
    RaftGroupId group = ProtoUtils.toRaftGroupId(head.getRaftGroupId());
    return server.getDivision(group);
  }

  private void checkMayLead(RaftServer.Division division, Sender sender) throws RejectedMessage {
    check(
        sender.proven()
            || isMember(division, sender.id())
            || !hearsFromALeader(division, sender.id()),
        "the sender is not a member");
  }

  private static boolean isMember(RaftServer.Division division, RaftPeerId id) {
    RaftConfiguration configuration = division.getRaftConf();
    return configuration != null
        && configuration.getPeer(id, RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER) != null;
  }

  /** Whether this replica leads, or has a live leader other than {@code other}. */
  private boolean hearsFromALeader(RaftServer.Division division, RaftPeerId other) {
    DivisionInfo info = division.getInfo();
    RaftPeerId leader = info.getLeaderId();
    if (info.isLeader() || leader == null || leader.equals(other)) {
      return info.isLeader();
    }
    RoleInfoProto role = info.getRoleInfoProto();
    FollowerInfoProto follower = role.getFollowerInfo();
    return role.hasFollowerInfo()
        && follower.getLeaderInfo().getLastRpcElapsedTimeMs() < leaderSilentMillis;
  }

  // ---- responses

  /**
   * Checks a response to an append.
   *
   * @param ownTerm term of the leader
   * @param lastIndex last index of the leader's log
   */
  static void appendReply(
      AppendEntriesReplyProto reply, long ownTerm, long lastIndex, boolean proven)
      throws RejectedMessage {
    checkTerm(ownTerm, reply.getTerm(), proven);
    checkIndex(reply.getNextIndex());
    checkIndex(reply.getMatchIndex());
    checkIndex(reply.getFollowerCommit());
    check(
        reply.getResult() != AppendResult.SUCCESS || reply.getMatchIndex() <= lastIndex,
        "a match index beyond the leader's log");
  }

  /**
   * Checks a response to an InstallSnapshot notification: entries are no longer in the log.
   *
   * @param ownTerm term of the leader
   */
  static void snapshotReply(InstallSnapshotReplyProto reply, long ownTerm, boolean proven)
      throws RejectedMessage {
    checkTerm(ownTerm, reply.getTerm(), proven);
    checkIndex(reply.getSnapshotIndex());
  }

  /**
   * Checks a response to a request for a vote.
   *
   * @param ownTerm term of the candidate
   */
  static void voteReply(RequestVoteReplyProto reply, long ownTerm, boolean proven)
      throws RejectedMessage {
    checkTerm(ownTerm, reply.getTerm(), proven);
  }

  // ---- numbers

  private static void checkTerm(long ownTerm, long term, boolean proven) throws RejectedMessage {
    check(term >= 0 && term <= MAX_TERM, "a term out of range");
    check(proven || term - ownTerm <= LONGEST_JUMP, "a term too far ahead");
  }

  private static void checkIndex(long index) throws RejectedMessage {
    check(index >= NO_INDEX && index <= MAX_INDEX, "an index out of range");
  }

  private static void checkPosition(TermIndexProto position, long term) throws RejectedMessage {
    check(position.getTerm() >= 0 && position.getTerm() <= term, "an entry of an impossible term");
    checkIndex(position.getIndex());
  }

  private static void check(boolean condition, String otherwise) throws RejectedMessage {
    if (!condition) {
      throw new RejectedMessage("Rejected: " + otherwise);
    }
  }
}
