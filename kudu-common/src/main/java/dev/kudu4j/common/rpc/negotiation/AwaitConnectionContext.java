package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.rpc.ConnectionContextPB;
import org.jspecify.annotations.Nullable;

/**
 * The last step: the client sends the connection context. The server does not answer it and ignores
 * its user name, since the client is already authenticated.
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
