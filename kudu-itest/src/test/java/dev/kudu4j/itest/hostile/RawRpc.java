package dev.kudu4j.itest.hostile;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.rpc.AuthenticationTypePB;
import dev.kudu4j.common.proto.rpc.ConnectionContextPB;
import dev.kudu4j.common.proto.rpc.ErrorStatusPB;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.RemoteMethodPB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.proto.rpc.ResponseHeader;
import dev.kudu4j.common.proto.rpc.RpcFeatureFlag;
import dev.kudu4j.common.proto.rpc.UserInformationPB;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * An RPC connection without the checks of the RPC library: docs/design/wire.md.
 *
 * <pre>
 *   preamble 7 | frame ... frame        frame = length 4 | varint, header | varint, body
 * </pre>
 */
final class RawRpc extends RawConnection {
  static final byte[] PREAMBLE = {'h', 'r', 'p', 'c', 9, 0, 0};

  private static final int NEGOTIATE_CALL = -33;
  private static final int CONTEXT_CALL = -3;
  private static final int NEGOTIATION_MILLIS = 20_000;

  private int lastCall;

  /** The outcome of a call. */
  enum Outcome {
    ANSWERED,
    REFUSED,
    CLOSED,
    HUNG
  }

  /**
   * @param body of the answer; null unless it is one
   * @param error of the rejection; null unless it is one
   */
  record Reply(Outcome outcome, ByteString body, ErrorStatusPB error) {
    private static Reply of(Outcome outcome) {
      return new Reply(outcome, null, null);
    }

    @Override
    public String toString() {
      return outcome + (error == null ? "" : " " + error.getMessage());
    }
  }

  /** Only connects. */
  RawRpc(InetSocketAddress port) throws IOException {
    this(STRANGERS_HOST, port);
  }

  private RawRpc(String from, InetSocketAddress port) throws IOException {
    super(from, port);
  }

  /** Connects and negotiates as a user whose name the attacker chooses. */
  static RawRpc as(String user, InetSocketAddress port) throws IOException {
    return negotiated(STRANGERS_HOST, user, port);
  }

  /** Connects as the operator, from the host where the servers run. */
  static RawRpc operator(InetSocketAddress port) throws IOException {
    return negotiated(OPERATORS_HOST, HostileCluster.OPERATOR, port);
  }

  private static RawRpc negotiated(String from, String user, InetSocketAddress port)
      throws IOException {
    RawRpc rpc = new RawRpc(from, port);
    try {
      rpc.negotiate(user);
      return rpc;
    } catch (IOException e) {
      rpc.close();
      throw e;
    }
  }

  void negotiate(String user) throws IOException {
    send(PREAMBLE);
    sendFrame(frame(header(NEGOTIATE_CALL), hello().toByteArray()));
    readFrame(NEGOTIATION_MILLIS);
    sendFrame(frame(header(NEGOTIATE_CALL), plain(user).toByteArray()));
    readFrame(NEGOTIATION_MILLIS);
    sendFrame(frame(header(CONTEXT_CALL), context(user).toByteArray()));
  }

  static RequestHeader header(int call) {
    return RequestHeader.newBuilder().setCallId(call).build();
  }

  /** The first message of negotiation. */
  static NegotiatePB hello() {
    return NegotiatePB.newBuilder()
        .addSupportedFeatures(RpcFeatureFlag.APPLICATION_FEATURE_FLAGS)
        .setStep(NegotiatePB.NegotiateStep.NEGOTIATE)
        .addAuthnTypes(
            AuthenticationTypePB.newBuilder()
                .setSasl(AuthenticationTypePB.Sasl.getDefaultInstance()))
        .build();
  }

  /** The second message: a name without a proof. */
  static NegotiatePB plain(String user) {
    return NegotiatePB.newBuilder()
        .setStep(NegotiatePB.NegotiateStep.SASL_INITIATE)
        .setToken(ByteString.copyFrom("\0" + user + "\0", StandardCharsets.UTF_8))
        .addSaslMechanisms(NegotiatePB.SaslMechanism.newBuilder().setMechanism("PLAIN"))
        .build();
  }

  /** The last message, which is not answered. */
  static ConnectionContextPB context(String user) {
    return ConnectionContextPB.newBuilder()
        .setDEPRECATEDUserInfo(UserInformationPB.newBuilder().setRealUser(user))
        .build();
  }

  /** The header of the next call of a method. */
  RequestHeader.Builder call(String service, String method, int timeoutMillis) {
    return RequestHeader.newBuilder()
        .setCallId(++lastCall)
        .setRemoteMethod(RemoteMethodPB.newBuilder().setServiceName(service).setMethodName(method))
        .setTimeoutMillis(timeoutMillis);
  }

  /** A frame without its length. */
  static byte[] frame(Message header, byte[] body) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length + 128);
      header.writeDelimitedTo(bytes);
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeUInt32NoTag(body.length);
      out.flush();
      bytes.write(body);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Calls a method with a given body, and waits for the outcome. */
  Reply call(String service, String method, byte[] body, int timeoutMillis) {
    return call(call(service, method, timeoutMillis).build(), body, timeoutMillis);
  }

  /** Sends a call with a given header, and waits for the outcome. */
  Reply call(RequestHeader header, byte[] body, int timeoutMillis) {
    try {
      sendFrame(frame(header, body));
      return reply(timeoutMillis);
    } catch (SocketTimeoutException e) {
      return Reply.of(Outcome.HUNG);
    } catch (IOException e) {
      return Reply.of(Outcome.CLOSED);
    }
  }

  /** Calls a method with a valid message; fails without an answer that can be parsed. */
  <R extends Message> R ask(String service, String method, Message request, Parser<R> parser) {
    Reply reply = call(service, method, request.toByteArray(), NEGOTIATION_MILLIS);
    if (reply.outcome() != Outcome.ANSWERED) {
      throw new AssertionError(service + "." + method + ": " + reply);
    }
    try {
      return parser.parseFrom(reply.body());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(service + "." + method + " answers something else", e);
    }
  }

  /** The next answer on the connection, to any call. */
  Reply reply(int timeoutMillis) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(readFrame(timeoutMillis));
    ResponseHeader.Builder header = ResponseHeader.newBuilder();
    in.readMessage(header, ExtensionRegistryLite.getEmptyRegistry());
    int bytes = in.readUInt32();
    int end = in.pushLimit(bytes);
    int messageBytes = header.getSidecarOffsetsCount() == 0 ? bytes : header.getSidecarOffsets(0);
    ByteString body = ByteString.copyFrom(in.readRawBytes(messageBytes));
    in.skipRawBytes(in.getBytesUntilLimit());
    in.popLimit(end);
    return header.getIsError()
        ? new Reply(Outcome.REFUSED, null, ErrorStatusPB.parseFrom(body))
        : new Reply(Outcome.ANSWERED, body, null);
  }
}
