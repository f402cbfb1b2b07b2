package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.rpc.ConnectionContextPB;
import org.jspecify.annotations.Nullable;

/**
 * The last step. The server does not answer the connection context and ignores its user name: the
 * authenticated name counts.
 */
final class AwaitConnectionContext implements ServerStep {
  @Override
  public int callId() {
    return NegotiationFrames.CONTEXT_CALL_ID;
  }

  @Override
  @SuppressWarnings("IgnoredPureGetter") // parsed only to validate it
  public @Nullable ServerStep accept(ByteString message, ServerExchange exchange) {
    try {
      ConnectionContextPB.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw NegotiationException.unauthorized("connection context is unreadable");
    }
    return null;
  }
}
