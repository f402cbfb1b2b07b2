package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.MessageLite;
import dev.kudu4j.common.proto.rpc.AuthenticationTypePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.proto.rpc.ResponseHeader;
import dev.kudu4j.common.rpc.frame.FrameWriter;
import dev.kudu4j.common.rpc.frame.InboundMemory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/** Call ids, headers and helper methods of negotiation frames. */
final class NegotiationFrames {
  /** Call id of all negotiation frames, in both directions. */
  static final int NEGOTIATE_CALL_ID = -33;

  /** Call id of the connection context. */
  static final int CONTEXT_CALL_ID = -3;

  /**
   * Maximum size of a negotiation frame. Longer frames are rejected, because the sender is not
   * authenticated yet.
   */
  static final int MAX_FRAME_BYTES = InboundMemory.FREE_BYTES;

  static final String PLAIN = "PLAIN";

  static final NegotiatePB.SaslMechanism PLAIN_MECHANISM =
      NegotiatePB.SaslMechanism.newBuilder().setMechanism(PLAIN).build();

  static final NegotiatePB.SaslMechanism SECRET_MECHANISM =
      NegotiatePB.SaslMechanism.newBuilder().setMechanism(SecretProof.MECHANISM).build();

  static final NegotiatePB SASL_SUCCESS =
      NegotiatePB.newBuilder().setStep(NegotiatePB.NegotiateStep.SASL_SUCCESS).build();

  static final AuthenticationTypePB SASL =
      AuthenticationTypePB.newBuilder()
          .setSasl(AuthenticationTypePB.Sasl.getDefaultInstance())
          .build();

  private NegotiationFrames() {}

  static ByteBuf request(ChannelHandlerContext context, int callId, MessageLite message) {
    RequestHeader header = RequestHeader.newBuilder().setCallId(callId).build();
    return FrameWriter.write(context.alloc(), header, message, 0);
  }

  static ByteBuf response(ChannelHandlerContext context, MessageLite message) {
    ResponseHeader header = ResponseHeader.newBuilder().setCallId(NEGOTIATE_CALL_ID).build();
    return FrameWriter.write(context.alloc(), header, message, 0);
  }

  static ByteBuf error(ChannelHandlerContext context, NegotiationException error) {
    ResponseHeader header =
        ResponseHeader.newBuilder().setCallId(NEGOTIATE_CALL_ID).setIsError(true).build();
    return FrameWriter.write(context.alloc(), header, error.toMessage(), 0);
  }
}
