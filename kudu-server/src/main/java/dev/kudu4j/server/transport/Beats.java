package dev.kudu4j.server.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.PooledGroup;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.BytesValue;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.util.Timestamp;

/**
 * The heartbeats of all quiet groups that one server leads and another follows, in one message. A
 * group is quiet if the follower has all entries and knows the commit index. Its heartbeat only
 * shows the follower that the leader is alive, and the follower handles it without the group's
 * lock. Nearly all groups of a server with many tablets are quiet.
 *
 * <pre>
 *   request   group id 16 | term 8 | commit index 8 | next group ...
 *   answer    1 or 0 for each group
 * </pre>
 *
 * <p>The follower answers 1 if it follows this leader in this term and has committed up to this
 * index. After a 0 the leader sends the group a heartbeat of its own. A server that understands
 * this message says so in its response to a ping ({@link #FEATURE}).
 */
final class Beats {
  /** Answer to a ping of a server that understands these messages. */
  static final String FEATURE = "beats";

  private static final int GROUP_BYTES = 4 * Long.BYTES;

  private final List<GroupAppender> appenders = new ArrayList<>();
  private final ByteString.Output groups = ByteString.newOutput();
  private final byte[] group = new byte[GROUP_BYTES];
  private final Timestamp sent = Timestamp.currentTime();

  /** Adds a quiet group. */
  void add(GroupAppender appender, UUID id, long term, long commitIndex) {
    ByteBuffer.wrap(group)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .putLong(term)
        .putLong(commitIndex);
    groups.write(group, 0, GROUP_BYTES);
    appenders.add(appender);
  }

  void sendTo(OutgoingConnection connection) {
    if (appenders.isEmpty()) {
      return;
    }
    connection.send(
        MessageKind.BEATS,
        BytesValue.of(groups.toByteString()),
        new AnswerHandler() {
          @Override
          public void answered(CodedInputStream body) throws IOException {
            onReply(BytesValue.parseFrom(body).getValue());
          }

          @Override
          public void failed(CallFailure failure) {
            // A follower that has not responded for some time gets a separate heartbeat.
          }
        });
  }

  private void onReply(ByteString answers) throws IOException {
    if (answers.size() != appenders.size()) {
      throw new IOException(
          "%d groups got %d responses".formatted(appenders.size(), answers.size()));
    }
    for (int i = 0; i < appenders.size(); i++) {
      if (answers.byteAt(i) != 0) {
        appenders.get(i).beatHeard(sent);
      } else {
        appenders.get(i).beatAlone();
      }
    }
  }

  /**
   * Handles a request of another server.
   *
   * @return the response
   * @throws IOException if the request is malformed
   */
  static BytesValue hear(RaftServer server, Sender leader, ByteString groups) throws IOException {
    int count = groups.size() / GROUP_BYTES;
    if (count * GROUP_BYTES != groups.size()) {
      throw new RejectedMessage("Heartbeats of " + groups.size() + " bytes");
    }
    ByteBuffer in = groups.asReadOnlyByteBuffer();
    byte[] answers = new byte[count];
    for (int i = 0; i < count; i++) {
      RaftGroupId id = RaftGroupId.valueOf(new UUID(in.getLong(), in.getLong()));
      long term = in.getLong();
      long commitIndex = in.getLong();
      answers[i] =
          (byte) (PooledGroup.recordHeartbeat(server, id, leader.id(), term, commitIndex) ? 1 : 0);
    }
    return BytesValue.of(ByteString.copyFrom(answers));
  }
}
