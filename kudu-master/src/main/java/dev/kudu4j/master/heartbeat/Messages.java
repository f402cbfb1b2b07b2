package dev.kudu4j.master.heartbeat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;

/** Messages that outlive the request that they came with. */
final class Messages {
  private Messages() {}

  /** A copy that does not hold on to the bytes of the frame that it was read from. */
  @SuppressWarnings("unchecked") // the parser of a message's type makes that type
  static <M extends Message> M ownCopy(M message) {
    try {
      return (M) message.getParserForType().parseFrom(message.toByteArray());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A message that was just written cannot be read", e);
    }
  }
}
