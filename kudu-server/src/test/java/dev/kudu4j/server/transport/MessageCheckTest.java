package dev.kudu4j.server.transport;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Checks of responses, and of the parsed size of an append. Requests: HostileRaftPortTest. */
class MessageCheckTest {
  private static final long OWN_TERM = 7;
  private static final long LAST_INDEX = 100;

  private static AppendEntriesReplyProto.Builder reply() {
    return AppendEntriesReplyProto.newBuilder()
        .setTerm(OWN_TERM)
        .setNextIndex(LAST_INDEX + 1)
        .setMatchIndex(LAST_INDEX)
        .setFollowerCommit(LAST_INDEX);
  }

  private static void assertRejected(AppendEntriesReplyProto.Builder reply) {
    assertThatThrownBy(() -> MessageCheck.appendReply(reply.build(), OWN_TERM, LAST_INDEX, false))
        .isInstanceOf(RejectedMessage.class);
  }

  @Test
  void impossibleResponsesAreRejected() {
    assertThatCode(() -> MessageCheck.appendReply(reply().build(), OWN_TERM, LAST_INDEX, false))
        .doesNotThrowAnyException();
    assertRejected(reply().setTerm(Long.MAX_VALUE));
    assertRejected(reply().setTerm(-1));
    assertRejected(reply().setTerm(OWN_TERM + MessageCheck.LONGEST_JUMP + 1));
    assertRejected(reply().setMatchIndex(LAST_INDEX + 1));
    assertRejected(reply().setNextIndex(Long.MAX_VALUE));
    assertRejected(reply().setFollowerCommit(Long.MIN_VALUE));
    RequestVoteReplyProto vote = RequestVoteReplyProto.newBuilder().setTerm(Long.MAX_VALUE).build();
    assertThatThrownBy(() -> MessageCheck.voteReply(vote, OWN_TERM, true))
        .isInstanceOf(RejectedMessage.class);
    InstallSnapshotReplyProto snapshot =
        InstallSnapshotReplyProto.newBuilder().setTerm(OWN_TERM).setSnapshotIndex(-2).build();
    assertThatThrownBy(() -> MessageCheck.snapshotReply(snapshot, OWN_TERM, true))
        .isInstanceOf(RejectedMessage.class);
  }

  /** A server that was away from a group whose terms were driven up must be able to return. */
  @Test
  void provenServerMayBeFarAhead() {
    assertThatCode(
            () ->
                MessageCheck.appendReply(
                    reply().setTerm(MessageCheck.MAX_TERM).build(), OWN_TERM, LAST_INDEX, true))
        .doesNotThrowAnyException();
  }

  @Test
  void appendOfEmptyEntriesIsRejectedBeforeItIsParsed() {
    LogEntryProto small =
        LogEntryProto.newBuilder()
            .setTerm(1)
            .setIndex(1)
            .setStateMachineLogEntry(
                StateMachineLogEntryProto.newBuilder()
                    .setCallId(1)
                    .setClientId(ByteString.copyFrom(new byte[16])))
            .build();
    AppendEntriesRequestProto.Builder usual = AppendEntriesRequestProto.newBuilder();
    AppendEntriesRequestProto.Builder empty = AppendEntriesRequestProto.newBuilder();
    for (int i = 0; i < 50_000; i++) {
      usual.addEntries(small);
      empty.addEntries(LogEntryProto.getDefaultInstance());
    }
    assertThatCode(() -> checkShape(usual.build())).doesNotThrowAnyException();
    assertThatThrownBy(() -> checkShape(empty.build())).isInstanceOf(RejectedMessage.class);
  }

  private static void checkShape(AppendEntriesRequestProto request) throws Exception {
    byte[] bytes = request.toByteArray();
    MessageCheck.shape(ByteString.copyFrom(bytes).newCodedInput(), bytes.length);
  }
}
