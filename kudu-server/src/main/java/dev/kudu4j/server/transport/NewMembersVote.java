package dev.kudu4j.server.transport;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;

/**
 * The vote of a member that no entry has reached yet.
 *
 * <p>A candidate of Ratis does not count the vote of an empty log: that member's disk may have been
 * erased, and what it had acknowledged with it. Here such a member does not vote at all, as its
 * replica has failed or is not there. One that is only new has to be counted, or the others could
 * not go on without the leader who made the first entries; so it says nothing of its log, which
 * candidates take for the answer of a server older than their rule.
 */
final class NewMembersVote {
  private NewMembersVote() {}

  static RequestVoteReplyProto give(RaftServer server, RequestVoteRequestProto request)
      throws IOException {
    RequestVoteReplyProto reply = server.requestVote(request);
    return reply.getServerReply().getSuccess() && isNew(server, request)
        ? reply.toBuilder().clearLastEntry().build()
        : reply;
  }

  /** Whether the members are still those that its making named: no log has ever told it any. */
  private static boolean isNew(RaftServer server, RequestVoteRequestProto request)
      throws IOException {
    RaftGroupId group = RaftGroupId.valueOf(request.getServerRequest().getRaftGroupId().getId());
    return server.getDivision(group).getRaftConf().getLogEntryIndex() < 0;
  }
}
