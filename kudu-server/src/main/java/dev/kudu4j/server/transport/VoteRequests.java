package dev.kudu4j.server.transport;

import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;

/** A transport that asks for votes without a thread that waits for the response. */
public interface VoteRequests {
  /**
   * Asks another member for its vote. The future may fail, and is not completed while a member is
   * silent. It is completed on a thread of the transport.
   */
  CompletableFuture<RequestVoteReplyProto> ask(RequestVoteRequestProto request);
}
