package dev.kudu4j.master.heartbeat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;

/** Copies messages that are kept longer than the request that contained them. */
final class Messages {
  private Messages() {}

  /** A copy that does not keep the buffer of the whole request in memory. */
  @SuppressWarnings("unchecked") // the parser of a message's type makes that type
  static <M extends Message> M ownCopy(M message) {
    try {
      return (M) message.getParserForType().parseFrom(message.toByteArray());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("Cannot parse a message that was just serialized", e);
    }
  }
}
