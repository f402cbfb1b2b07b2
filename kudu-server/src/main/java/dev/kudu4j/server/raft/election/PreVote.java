package dev.kudu4j.server.raft.election;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * Raft's pre-vote: asks another member whether it would vote for this member, and changes no state
 * of the other member.
 */
final class PreVote {
  private PreVote() {}

  /** Blocks until the other member has answered. */
  static RequestVoteReplyProto ask(
      RaftServer server, RaftServer.Division division, RaftPeer other, long term, TermIndex last)
      throws IOException {
    return server
        .getServerRpc()
        .requestVote(
            RequestVoteRequestProto.newBuilder()
                .setServerRequest(
                    RaftRpcRequestProto.newBuilder()
                        .setRequestorId(division.getId().toByteString())
                        .setReplyId(other.getId().toByteString())
                        .setRaftGroupId(
                            RaftGroupIdProto.newBuilder()
                                .setId(division.getMemberId().getGroupId().toByteString())))
                .setCandidateTerm(term)
                .setCandidateLastEntry(last.toProto())
                .setPreVote(true)
                .build());
  }
}
