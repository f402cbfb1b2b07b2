package dev.kudu4j.server.transport;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;

/**
 * The vote of a member that has not received any entry yet.
 *
 * <p>A Ratis candidate does not count the vote of an empty log: that member's disk may have been
 * erased together with the entries it had acknowledged. In Kudu4j such a member does not vote at
 * all, because its replica has failed or is absent. A new member has to be counted, or the group
 * could not lose the leader that wrote the first entries. Its reply therefore omits the last log
 * entry, and candidates treat it as the reply of a server that predates their rule.
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

  /**
   * Whether the configuration is still the one that the group was created with: no log entry has
   * changed it.
   */
  private static boolean isNew(RaftServer server, RequestVoteRequestProto request)
      throws IOException {
    RaftGroupId group = RaftGroupId.valueOf(request.getServerRequest().getRaftGroupId().getId());
    return server.getDivision(group).getRaftConf().getLogEntryIndex() < 0;
  }
}
