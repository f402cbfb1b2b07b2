package dev.kudu4j.common.rpc;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.proto.rpc.RemoteMethodPB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.rpc.frame.InboundMemory;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory and connections that a hostile client can occupy. */
@Timeout(120)
final class RpcHostileClientTest {
  private static final String SERVICE = "test.Service";
  private static final int FRAME_BYTES = 8 << 20;

  private final BlockingQueue<RpcCall> held = new LinkedBlockingQueue<>();
  private final List<RawConnection> opened = new ArrayList<>();
  private final InboundMemory memory = new InboundMemory(16 << 20, 1_000);
  private @Nullable RpcServer server; // null until served

  private void serve(RpcServerOptions options) {
    RpcService service =
        RpcService.builder(SERVICE)
            .method(
                "Echo",
                Access.CLIENT,
                NegotiatePB.parser(),
                (request, call) -> call.respond(request))
            .method("Hold", Access.CLIENT, NegotiatePB.parser(), (request, call) -> held.add(call))
            .method("Big", Access.CLIENT, NegotiatePB.parser(), RpcHostileClientTest::big)
            .build();
    server =
        RpcServer.builder("Test").options(options).inboundMemory(memory).service(service).start();
  }

  private static void big(NegotiatePB request, RpcCall call) {
    call.respond(
        request, List.of(PooledByteBufAllocator.DEFAULT.directBuffer(4 << 20).writeZero(4 << 20)));
  }

  @AfterEach
  void stop() throws IOException {
    for (RawConnection connection : opened) {
      connection.close();
    }
    server().close();
    assertThat(memory.usedBytes()).isZero();
  }

  private RpcServer server() {
    return Objects.requireNonNull(server, "call serve() first");
  }

  private InetSocketAddress address() {
    return server().boundAddresses().get(0);
  }

  private RawConnection connect() throws IOException {
    return kept(new RawConnection(address()));
  }

  private RawConnection negotiate() throws IOException {
    return kept(RawConnection.negotiated(address()));
  }

  private RawConnection kept(RawConnection connection) {
    opened.add(connection);
    return connection;
  }

  private static byte[] request(int callId, String method, byte[] token) {
    NegotiatePB message =
        NegotiatePB.newBuilder()
            .setStep(NegotiateStep.NEGOTIATE)
            .setToken(ByteString.copyFrom(token))
            .build();
    return request(callId, method, message.toByteString());
  }

  private static byte[] request(int callId, String method, ByteString message) {
    byte[] header =
        RequestHeader.newBuilder()
            .setCallId(callId)
            .setRemoteMethod(
                RemoteMethodPB.newBuilder().setServiceName(SERVICE).setMethodName(method))
            .build()
            .toByteArray();
    ByteBuffer frame = ByteBuffer.allocate(14 + header.length + message.size()).putInt(0);
    putVarint(frame, header.length);
    frame.put(header);
    putVarint(frame, message.size());
    message.copyTo(frame);
    frame.putInt(0, frame.position() - Integer.BYTES);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  private static void putVarint(ByteBuffer target, int value) {
    int rest = value;
    for (; rest > 127; rest >>>= 7) {
      target.put((byte) (rest | 128));
    }
    target.put((byte) rest);
  }

  private static byte[] request(int callId, String method) {
    return request(callId, method, new byte[0]);
  }

  private static void echo(RawConnection connection) throws IOException {
    connection.send(request(7, "Echo"));
    assertThat(connection.readFrame()).isNotEmpty();
  }

  @Test
  void aLongFrameBeforeNegotiationEndsTheConnection() throws Exception {
    serve(RpcServerOptions.defaults());
    RawConnection claimant = connect();
    claimant.send(CapturedFrames.bytes("java: preamble"));
    claimant.send(ByteBuffer.allocate(4).putInt(InboundMemory.FREE_BYTES + 1).array());
    assertThat(claimant.isEnded()).isTrue();
  }

  @Test
  void unfinishedRequestsDoNotFillTheMemoryOrBlockOthers() throws Exception {
    serve(RpcServerOptions.defaults().withWorkerThreads(2));
    byte[] whole = request(1, "Echo", new byte[FRAME_BYTES]);
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      RawConnection unfinished = negotiate();
      senders.add(sendAllButTheEnd(unfinished, whole));
    }
    await("the memory is exhausted").until(() -> memory.waitingConnections() > 0);
    assertThat(memory.usedBytes()).isLessThan(memory.capacityBytes() + 2 * FRAME_BYTES);
    echo(negotiate()); // a short request proceeds

    RawConnection honest = negotiate();
    honest.send(whole);
    assertThat(honest.readFrame().length).isGreaterThan(FRAME_BYTES);
    assertThat(memory.evictions()).isPositive();
    for (RawConnection connection : opened) {
      connection.close();
    }
    for (Thread sender : senders) {
      sender.join();
    }
    await("all memory is released").until(() -> memory.usedBytes() == 0);
  }

  private static Thread sendAllButTheEnd(RawConnection connection, byte[] request) {
    Thread sender =
        new Thread(
            () -> {
              try {
                connection.send(Arrays.copyOf(request, request.length - 1));
              } catch (IOException e) {
                // The server has closed the connection, as expected.
              }
            });
    sender.start();
    return sender;
  }

  @Test
  void aRequestWithTooManyElementsIsRejectedBeforeParsing() throws Exception {
    serve(RpcServerOptions.defaults());
    byte[] elements = new byte[2 << 20]; // one million SASL mechanisms without a name
    for (int i = 0; i < elements.length; i += 2) {
      elements[i] = NegotiatePB.SASL_MECHANISMS_FIELD_NUMBER << 3 | 2;
    }
    NegotiatePB message =
        NegotiatePB.newBuilder()
            .setStep(NegotiateStep.NEGOTIATE)
            .setToken(ByteString.EMPTY)
            .build();
    RawConnection hostile = negotiate();
    hostile.send(request(1, "Echo", message.toByteString().concat(ByteString.copyFrom(elements))));
    assertThat(new String(hostile.readFrame(), StandardCharsets.UTF_8)).contains("many elements");
    echo(hostile);
  }

  @Test
  void hugeHeaderEndsTheConnection() throws Exception {
    serve(RpcServerOptions.defaults());
    RawConnection hostile = negotiate();
    hostile.send(request(1, "x".repeat(200 << 10)));
    assertThat(hostile.isEnded()).isTrue();
    echo(negotiate());
  }

  @Test
  void requestIsChargedUntilItIsAnswered() throws Exception {
    serve(RpcServerOptions.defaults());
    RawConnection asking = negotiate();
    asking.send(request(1, "Hold", new byte[FRAME_BYTES]));
    RpcCall call = held.take();
    assertThat(memory.usedBytes()).isGreaterThan(FRAME_BYTES);
    call.respond(NegotiatePB.newBuilder().setStep(NegotiateStep.NEGOTIATE).build());
    assertThat(memory.usedBytes()).isZero();
    asking.readFrame();
  }

  @Test
  void memoryOfACancelledRequestIsReleased() throws Exception {
    serve(RpcServerOptions.defaults());
    RawConnection asking = negotiate();
    asking.send(request(1, "Hold", new byte[FRAME_BYTES]));
    RpcCall call = held.take();
    asking.close();
    await("the memory is released").until(() -> memory.usedBytes() == 0);
    call.respond(NegotiatePB.newBuilder().setStep(NegotiateStep.NEGOTIATE).build());
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void aClientThatDoesNotReadIsClosedAndItsCallsAreCancelled() throws Exception {
    serve(
        RpcServerOptions.defaults()
            .withWorkerThreads(1)
            .withTimeouts(60_000, 400, 1_000)
            .withConnectionLimits(4096, 1 << 20));
    RawConnection lazy = negotiate();
    lazy.send(request(0, "Hold"));
    RpcCall waiting = held.take();
    for (int i = 1; i < 20; i++) {
      lazy.send(request(i, "Big"));
    }
    await("cancelled").until(waiting::isCancelled);
    await("closed").until(() -> server().connections().get(1, TimeUnit.MINUTES).isEmpty());
  }

  @Test
  void aNewConnectionReplacesTheLongestIdleConnection() throws Exception {
    serve(RpcServerOptions.defaults().withConnections(new ConnectionLimits(6, 6, 3)));
    RawConnection busy = negotiate();
    busy.send(request(1, "Hold"));
    RpcCall call = held.take();
    List<RawConnection> idle = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      idle.add(negotiate());
      echo(idle.get(i));
    }
    echo(idle.get(0)); // the second connection is then idle longest
    RawConnection newcomer = negotiate();
    echo(newcomer);
    assertThat(idle.get(1).isEnded()).isTrue();
    echo(idle.get(0));
    call.respond(NegotiatePB.newBuilder().setStep(NegotiateStep.NEGOTIATE).build());
    assertThat(busy.readFrame()).isNotEmpty();
  }

  @Test
  void connectionsWithoutNegotiationAreReplacedFirst() throws Exception {
    serve(RpcServerOptions.defaults().withConnections(new ConnectionLimits(100, 100, 3)));
    RawConnection client = negotiate();
    echo(client); // after this the server has read the last message of the negotiation
    List<RawConnection> silent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      silent.add(connect());
    }
    for (int i = 0; i < 17; i++) {
      assertThat(silent.get(i).isEnded()).isTrue();
    }
    echo(client);
    echo(negotiate());
  }

  @Test
  void aNewConnectionIsRejectedWhenAllOthersHaveCalls() throws Exception {
    serve(RpcServerOptions.defaults().withConnections(new ConnectionLimits(3, 3, 3)));
    for (int i = 0; i < 3; i++) {
      negotiate().send(request(1, "Hold"));
    }
    List<RpcCall> calls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      calls.add(held.poll(Patience.SECONDS, TimeUnit.SECONDS));
    }
    assertThat(connect().isEnded()).isTrue();
    assertThat(calls).noneMatch(RpcCall::isCancelled);
  }
}
