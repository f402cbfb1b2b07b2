package dev.kudu4j.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * The server continues to serve, limits its memory and leaks no buffer, regardless of the input.
 */
@Timeout(120)
final class RpcGarbageTest {
  private static final long SEED = 20261121;
  private static final int CONNECTIONS = 3_000;

  @Test
  void theServerSurvivesThousandsOfBadConnections() throws Exception {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ListAppender<ILoggingEvent> leaks = listenToLeaks();
    RpcService echo =
        RpcService.builder("test.EchoService")
            .method(
                "Echo",
                Access.CLIENT,
                NegotiatePB.parser(),
                (request, call) -> call.respond(request))
            .build();
    try (RpcServer server = RpcServer.builder("Test").service(echo).start();
        RpcClient client = new RpcClient(RpcClientOptions.defaults())) {
      InetSocketAddress address = server.boundAddresses().get(0);
      callEcho(client, address);
      long before = usedBytes();
      Random random = new Random(SEED);
      for (int i = 0; i < CONNECTIONS; i++) {
        throwGarbage(address, random);
      }
      callEcho(client, address);
      assertThat(usedBytes() - before).isLessThan(64L << 20);
    }
    provokeLeakReports();
    assertThat(leaks.list).filteredOn(event -> event.getLevel() == Level.ERROR).isEmpty();
  }

  private static void callEcho(RpcClient client, InetSocketAddress address) throws Exception {
    NegotiatePB request = NegotiatePB.newBuilder().setStep(NegotiateStep.NEGOTIATE).build();
    RpcCallOptions options = RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS));
    try (var reply =
        client
            .call(address, "test.EchoService", "Echo", request, NegotiatePB.parser(), options)
            .get()) {
      assertThat(reply.message()).isEqualTo(request);
    }
  }

  /**
   * Sends garbage before, during and after negotiation: random, mutated, truncated, oversize and
   * empty.
   */
  private static void throwGarbage(InetSocketAddress address, Random random) throws IOException {
    try (RawConnection connection = new RawConnection(address)) {
      int stage = random.nextInt(4);
      if (stage > 0) {
        connection.send(CapturedFrames.bytes("java: preamble"));
      }
      if (stage > 1) {
        connection.send(CapturedFrames.bytes("minimal: negotiate"));
      }
      if (stage > 2) {
        connection.send(CapturedFrames.bytes("minimal: SASL_INITIATE, user probe"));
        connection.send(CapturedFrames.bytes("minimal: connection context, user probe"));
      }
      connection.send(garbage(random));
      if (random.nextBoolean()) {
        connection.socket().setSoLinger(true, 0); // a reset instead of a regular close
      }
    } catch (SocketException e) {
      // The server closed the connection before everything was sent, as expected.
    }
  }

  private static byte[] garbage(Random random) {
    byte[] random64 = new byte[random.nextInt(64)];
    random.nextBytes(random64);
    return switch (random.nextInt(5)) {
      case 0 -> random64;
      case 1 -> // a frame of random content
          ByteBuffer.allocate(4 + random64.length).putInt(random64.length).put(random64).array();
      case 2 -> { // a call with flipped bits
        byte[] call = CapturedFrames.bytes("ConnectToMaster, call 1, feature 3");
        call[random.nextInt(call.length)] ^= (byte) (1 << random.nextInt(8));
        yield call;
      }
      case 3 -> // announces a long frame, sends little
          ByteBuffer.allocate(4 + 64).putInt(random.nextInt() & 0x3ffffff).array();
      default -> { // cut off
        byte[] whole = CapturedFrames.bytes("master Ping, call 0, timeout 10000");
        yield java.util.Arrays.copyOf(whole, random.nextInt(whole.length));
      }
    };
  }

  private static long usedBytes() {
    var metric = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
    return metric.usedDirectMemory() + metric.usedHeapMemory();
  }

  private static ListAppender<ILoggingEvent> listenToLeaks() {
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    ((Logger) LoggerFactory.getLogger(ResourceLeakDetector.class)).addAppender(appender);
    return appender;
  }

  /** Leaks are noticed when a collected buffer's reference is found by a later allocation. */
  @SuppressWarnings("GcCall") // unreachable buffers must be found now
  private static void provokeLeakReports() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      for (int j = 0; j < 100; j++) {
        ByteBufAllocator.DEFAULT.directBuffer(16).release();
      }
    }
  }
}
