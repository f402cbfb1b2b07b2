package dev.kudu4j.itest.hostile;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;

/**
 * A connection to a Raft port: docs/design/transport.md.
 *
 * <pre>
 *   length 4 | kind 1 | call 8 | body
 * </pre>
 */
final class RawRaft extends RawConnection {
  static final int HELLO = 1;
  static final int PING = 2;
  static final int APPEND = 3;
  static final int VOTE = 4;
  static final int ELECT = 5;
  static final int NOTICE = 6;

  private static final int HEAD_BYTES = 9;
  private static final String STAND_IN_FOR_ZEROS = "6b756475346a00008000636174616c67";

  private long lastCall;

  RawRaft(InetSocketAddress port) throws IOException {
    super(port);
  }

  /** Connects and greets, claiming to be one server that calls another. */
  static RawRaft claiming(String from, Target target, String purpose) throws IOException {
    RawRaft raft = new RawRaft(target.raft());
    raft.send(HELLO, StringValue.of(greeting(from, target, purpose)));
    return raft;
  }

  static String greeting(String from, Target target, String purpose) {
    return String.join(" ", "K4RAFT01", purpose, from, target.uuid());
  }

  RawRaft send(int kind, MessageLite body) throws IOException {
    return send(kind, body.toByteArray());
  }

  RawRaft send(int kind, byte[] body) throws IOException {
    sendFrame(frame(kind, ++lastCall, body));
    return this;
  }

  /** A frame without its length. */
  static byte[] frame(int kind, long call, byte[] body) {
    return ByteBuffer.allocate(HEAD_BYTES + body.length)
        .put((byte) kind)
        .putLong(call)
        .put(body)
        .array();
  }

  /** The body of the next answer, as text if it is text. */
  String answer(int timeoutMillis) throws IOException {
    byte[] frame = readFrame(timeoutMillis);
    byte[] body = Arrays.copyOfRange(frame, HEAD_BYTES, frame.length);
    return (frame[0] & 0xff) + " " + ByteString.copyFrom(body).toStringUtf8();
  }

  /** A vote request, as if another member were a candidate. */
  static RequestVoteRequestProto vote(
      String from, Target target, String tabletId, long term, boolean preVote) {
    return RequestVoteRequestProto.newBuilder()
        .setServerRequest(request(from, target, tabletId))
        .setCandidateTerm(term)
        .setCandidateLastEntry(TermIndexProto.newBuilder().setTerm(term).setIndex(term))
        .setPreVote(preVote)
        .build();
  }

  /** A heartbeat, as if another member led. */
  static AppendEntriesRequestProto append(String from, Target target, String tabletId, long term) {
    return AppendEntriesRequestProto.newBuilder()
        .setServerRequest(request(from, target, tabletId))
        .setLeaderTerm(term)
        .setPreviousLog(TermIndexProto.newBuilder().setTerm(term).setIndex(1))
        .setLeaderCommit(1)
        .build();
  }

  /** A message of any other kind: all of them begin with sender, receiver and group. */
  static byte[] header(String from, Target target, String tabletId) {
    return StartLeaderElectionRequestProto.newBuilder()
        .setServerRequest(request(from, target, tabletId))
        .build()
        .toByteArray();
  }

  static RaftRpcRequestProto request(String from, Target target, String tabletId) {
    return RaftRpcRequestProto.newBuilder()
        .setRequestorId(ByteString.copyFromUtf8(from))
        .setReplyId(ByteString.copyFromUtf8(target.uuid()))
        .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group(tabletId)))
        .setCallId(1)
        .build();
  }

  private static ByteString group(String tabletId) {
    String digits = tabletId.matches("0{32}") ? STAND_IN_FOR_ZEROS : tabletId;
    return ByteString.copyFrom(
        ByteBuffer.allocate(16)
            .putLong(Long.parseUnsignedLong(digits.substring(0, 16), 16))
            .putLong(Long.parseUnsignedLong(digits.substring(16), 16))
            .flip());
  }
}
