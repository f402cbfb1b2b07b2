package dev.kudu4j.server.transport;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;

/**
 * The vote of a member that has not received any entry yet.
 *
 * <p>A Ratis candidate does not count the vote of a member whose log is empty: its disk may have
 * been erased together with entries that it had acknowledged. In Kudu4j a member whose disk was
 * erased does not vote at all, because its replica has failed or is absent. The vote of a new
 * member has to be counted, or the group could not survive the loss of the leader that wrote the
 * first entries. The reply of a new member therefore omits the last log entry, and candidates treat
 * it like the reply of an older version of Ratis, which did not send that field.
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
   * Whether the configuration is still the one that the group was created with, which no log entry
   * has changed yet.
   */
  private static boolean isNew(RaftServer server, RequestVoteRequestProto request)
      throws IOException {
    RaftGroupId group = RaftGroupId.valueOf(request.getServerRequest().getRaftGroupId().getId());
    return server.getDivision(group).getRaftConf().getLogEntryIndex() < 0;
  }
}
