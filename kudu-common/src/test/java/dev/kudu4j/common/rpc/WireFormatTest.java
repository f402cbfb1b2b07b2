package dev.kudu4j.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.master.PingRequestPB;
import dev.kudu4j.common.proto.master.PingResponsePB;
import dev.kudu4j.common.proto.rpc.ErrorStatusPB;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.RemoteMethodPB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.proto.rpc.ResponseHeader;
import dev.kudu4j.common.rpc.frame.FrameWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares our bytes with captured ones, through real sockets. */
@Timeout(120)
final class WireFormatTest {
  private static final String MASTER = "kudu.master.MasterService";

  private RpcServer server;

  @BeforeEach
  void start() {
    server =
        RpcServer.builder("Master")
            .service(
                RpcService.builder(MASTER)
                    .features(1, 2, 3)
                    .method(
                        "Ping",
                        Access.CLIENT,
                        PingRequestPB.parser(),
                        (request, call) -> call.respond(PingResponsePB.getDefaultInstance()))
                    .method(
                        "Needs",
                        Access.CLIENT,
                        NegotiatePB.parser(),
                        (request, call) -> call.respond(request))
                    .build())
            .start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private InetSocketAddress address() {
    return server.boundAddresses().get(0);
  }

  @Test
  void negotiatesWithTheJavaClientByteForByte() throws IOException {
    try (RawConnection client = new RawConnection(address())) {
      client.send(CapturedFrames.bytes("java: preamble"));
      client.send(CapturedFrames.bytes("java: negotiate, loopback"));
      assertThat(client.readFrame())
          .isEqualTo(CapturedFrames.bytes("server without TLS: negotiate reply"));
      client.send(CapturedFrames.bytes("java: SASL_INITIATE, user root"));
      assertThat(client.readFrame()).isEqualTo(CapturedFrames.bytes("server: SASL_SUCCESS"));
      client.send(
          concat(
              CapturedFrames.bytes("java: connection context, user root"),
              CapturedFrames.bytes("master Ping, call 0, timeout 10000")));
      assertThat(client.readFrame()).isEqualTo(CapturedFrames.bytes("master Ping reply"));
    }
  }

  @Test
  void acceptsEverythingOneByteAtATime() throws IOException {
    try (RawConnection client = new RawConnection(address())) {
      for (String name :
          List.of(
              "java: preamble",
              "minimal: negotiate",
              "minimal: SASL_INITIATE, user probe",
              "c++: connection context, user root",
              "master Ping, call 0, timeout 10000")) {
        for (byte b : CapturedFrames.bytes(name)) {
          client.send(new byte[] {b});
        }
      }
      client.readFrame();
      client.readFrame();
      assertThat(client.readFrame()).isEqualTo(CapturedFrames.bytes("master Ping reply"));
    }
  }

  @Test
  void wrongStepIsAnsweredAndEndsTheConnection() throws IOException {
    try (RawConnection client = new RawConnection(address())) {
      client.send(CapturedFrames.bytes("java: preamble"));
      client.send(CapturedFrames.bytes("minimal: SASL_INITIATE, user probe"));
      assertThat(client.readFrame())
          .isEqualTo(CapturedFrames.bytes("error during negotiation: wrong step"));
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void wrongCallIdInNegotiationIsAnInvalidHeader() throws IOException {
    try (RawConnection client = new RawConnection(address())) {
      client.send(CapturedFrames.bytes("java: preamble"));
      client.send(CapturedFrames.bytes("master Ping, call 0, timeout 10000"));
      assertThat(error(client.readFrame()).getCode())
          .isEqualTo(ErrorStatusPB.RpcErrorCodePB.FATAL_INVALID_RPC_HEADER);
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void aBadPreambleEndsTheConnectionWithoutAResponse() throws IOException {
    try (RawConnection client = new RawConnection(address())) {
      client.send("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void unsupportedFlagsAreListedAsCaptured() throws IOException {
    try (RawConnection client = RawConnection.negotiated(address())) {
      client.send(
          request(call(4, MASTER, "Ping").addAllRequiredFeatureFlags(List.of(3, 99, 12)).build()));
      assertThat(client.readFrame())
          .isEqualTo(CapturedFrames.bytes("unsupported flags reply to call 4 (flags 99 and 12)"));
    }
  }

  @Test
  void unknownMethodServiceAndMissingFieldsHaveKudusErrors() throws IOException {
    try (RawConnection client = RawConnection.negotiated(address())) {
      client.send(request(call(2, MASTER, "NoSuchMethod").build()));
      byte[] first = client.readFrame();
      assertThat(Arrays.copyOfRange(first, 4, 9)).isEqualTo(new byte[] {4, 8, 2, 16, 1});
      ErrorStatusPB method = error(first);
      assertThat(method.getCode()).isEqualTo(ErrorStatusPB.RpcErrorCodePB.ERROR_NO_SUCH_METHOD);
      assertThat(method.getMessage())
          .isEqualTo(
              "Invalid argument: Call on service kudu.master.MasterService received at 127.0.0.1:"
                  + address().getPort()
                  + " from 127.0.0.1:"
                  + client.socket().getLocalPort()
                  + " with an invalid method name: NoSuchMethod");

      client.send(request(call(3, "kudu.master.NoSuchService", "X").build()));
      ErrorStatusPB service = error(client.readFrame());
      assertThat(service.getMessage())
          .isEqualTo("Not found: service kudu.master.NoSuchService not registered on Master");
      assertThat(service.getCode()).isEqualTo(ErrorStatusPB.RpcErrorCodePB.ERROR_NO_SUCH_SERVICE);

      client.send(request(call(4, MASTER, "Needs").build()));
      ErrorStatusPB missing = error(client.readFrame());
      assertThat(missing.getMessage())
          .isEqualTo(
              "Invalid argument: invalid parameter for call kudu.master.MasterService.Needs:"
                  + " missing fields: step");
      assertThat(missing.getCode()).isEqualTo(ErrorStatusPB.RpcErrorCodePB.ERROR_INVALID_REQUEST);
    }
  }

  @Test
  void callWithoutMethodEndsTheConnection() throws IOException {
    try (RawConnection client = RawConnection.negotiated(address())) {
      client.send(request(RequestHeader.newBuilder().setCallId(0).build()));
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void ourClientSendsWhatTheMinimalClientSends() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        RpcClient client = new RpcClient(RpcClientOptions.defaults().withUser("probe"))) {
      var reply =
          client.call(
              (InetSocketAddress) listener.getLocalSocketAddress(),
              MASTER,
              "ConnectToMaster",
              PingRequestPB.getDefaultInstance(),
              PingResponsePB.parser(),
              RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS)).withFeatures(3));
      try (Socket peer = listener.accept()) {
        expect(peer, CapturedFrames.bytes("java: preamble"));
        expect(peer, CapturedFrames.bytes("minimal: negotiate"));
        peer.getOutputStream()
            .write(CapturedFrames.bytes("server with TLS on loopback: negotiate reply"));
        expect(peer, CapturedFrames.bytes("minimal: SASL_INITIATE, user probe"));
        peer.getOutputStream().write(CapturedFrames.bytes("server: SASL_SUCCESS"));
        expect(peer, CapturedFrames.bytes("minimal: connection context, user probe"));
        int length = java.nio.ByteBuffer.wrap(peer.getInputStream().readNBytes(4)).getInt();
        byte[] frame = peer.getInputStream().readNBytes(length);
        RequestHeader header = RequestHeader.parseFrom(Arrays.copyOfRange(frame, 1, 1 + frame[0]));
        assertThat(header.getCallId()).isZero();
        assertThat(header.getRequiredFeatureFlagsList()).containsExactly(3);
        assertThat(header.getTimeoutMillis()).isBetween(1, 1_000 * Patience.SECONDS);
        peer.getOutputStream().write(CapturedFrames.bytes("master Ping reply"));
        reply.get().close();
      }
    }
  }

  @Test
  void ourWriterMatchesTheCapturedCall() {
    RequestHeader header = call(0, MASTER, "Ping").setTimeoutMillis(10_000).build();
    assertThat(request(header))
        .isEqualTo(CapturedFrames.bytes("master Ping, call 0, timeout 10000"));
    ResponseHeader response = ResponseHeader.newBuilder().setCallId(0).setIsError(false).build();
    ByteBuf frame =
        FrameWriter.write(
            UnpooledByteBufAllocator.DEFAULT, response, PingResponsePB.getDefaultInstance(), 0);
    assertThat(ByteBufUtil.getBytes(frame)).isEqualTo(CapturedFrames.bytes("master Ping reply"));
    frame.release();
  }

  private static void expect(Socket peer, byte[] bytes) throws IOException {
    assertThat(peer.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
  }

  private static RequestHeader.Builder call(int id, String service, String method) {
    return RequestHeader.newBuilder()
        .setCallId(id)
        .setRemoteMethod(RemoteMethodPB.newBuilder().setServiceName(service).setMethodName(method));
  }

  private static byte[] request(RequestHeader header) {
    ByteBuf frame =
        FrameWriter.write(
            UnpooledByteBufAllocator.DEFAULT, header, PingRequestPB.getDefaultInstance(), 0);
    byte[] bytes = ByteBufUtil.getBytes(frame);
    frame.release();
    return bytes;
  }

  private static ErrorStatusPB error(byte[] frame) throws IOException {
    var input = new java.io.ByteArrayInputStream(frame, 4, frame.length - 4);
    assertThat(ResponseHeader.parseDelimitedFrom(input).getIsError()).isTrue();
    return ErrorStatusPB.parseDelimitedFrom(input);
  }

  private static byte[] concat(byte[] a, byte[] b) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(a);
    both.writeBytes(b);
    return both.toByteArray();
  }
}
