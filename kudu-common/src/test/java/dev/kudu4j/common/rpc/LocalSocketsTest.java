package dev.kudu4j.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.net.SocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalSocketsTest {
  private static final String SERVICE = "test.EchoService";

  private final String path = LocalSockets.ofServer(UUID.randomUUID().toString());
  private EventLoops loops;
  private RpcServer server;
  private RpcClient client;

  @BeforeEach
  void onEpoll() {
    open(RpcIo.best());
  }

  private void open(RpcIo io) {
    loops = EventLoops.open("local-sockets", 2, io);
    server =
        RpcServer.builder("Test")
            .eventLoops(loops)
            .service(
                RpcService.builder(SERVICE)
                    .method(
                        "Echo",
                        Access.CLIENT,
                        CallCost.SHORT,
                        NegotiatePB.parser(),
                        LocalSocketsTest::echo)
                    .method(
                        "Who",
                        Access.CLIENT,
                        CallCost.SHORT,
                        NegotiatePB.parser(),
                        LocalSocketsTest::who)
                    .build())
            .start();
    client = new RpcClient(RpcClientOptions.defaults().withUser("tester"), loops);
  }

  private static void echo(NegotiatePB request, RpcCall call) {
    ByteString sidecar = call.sidecars().get(0);
    ByteBuf copy =
        PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(sidecar.asReadOnlyByteBuffer());
    call.respond(request, List.of(copy));
  }

  private static void who(NegotiatePB request, RpcCall call) {
    call.respond(
        NegotiatePB.newBuilder()
            .setToken(ByteString.copyFromUtf8(call.caller().describe()))
            .setStep(NegotiatePB.NegotiateStep.NEGOTIATE)
            .build());
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    loops.close();
  }

  private RpcResponse<NegotiatePB> call(
      SocketAddress address, String method, List<ByteBuf> sidecars) throws Exception {
    return client
        .call(
            address,
            SERVICE,
            method,
            NegotiatePB.newBuilder().setStep(NegotiatePB.NegotiateStep.NEGOTIATE).build(),
            NegotiatePB.parser(),
            RpcCallOptions.timeoutMillis(30_000),
            sidecars)
        .get(60, TimeUnit.SECONDS);
  }

  private void assertEchoes(SocketAddress address) throws Exception {
    for (int size : new int[] {0, 1, 100_000, 5 << 20}) {
      byte[] bytes = new byte[size];
      for (int i = 0; i < size; i++) {
        bytes[i] = (byte) (i * 31 + i / 251);
      }
      try (var response = call(address, "Echo", List.of(Unpooled.wrappedBuffer(bytes)))) {
        assertThat(response.sidecars().get(0)).isEqualTo(Unpooled.wrappedBuffer(bytes));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsOfAllSizesSucceedOverEveryKindOfIo(RpcIo io) throws Exception {
    assumeTrue(io.isAvailable(), io + " is not available here");
    close();
    open(io);
    assertEchoes(server.boundAddresses().get(0));
    if (server.offersLocalSocket()) {
      server.bindLocal(path);
      server.start();
      assertEchoes(LocalSockets.address(path));
    } else {
      assertThat(io).isEqualTo(RpcIo.NIO);
    }
  }

  @Test
  void theServerKnowsThePeerProcess() throws Exception {
    assumeTrue(server.offersLocalSocket());
    server.bindLocal(path);
    server.start();
    try (var response = call(LocalSockets.address(path), "Who", List.of())) {
      assertThat(response.message().getToken().toStringUtf8())
          .startsWith("tester at process " + ProcessHandle.current().pid() + " (uid ")
          .endsWith(") on this host");
      assertThat(server.connections().get(30, TimeUnit.SECONDS))
          .singleElement()
          .satisfies(view -> assertThat(view.caller().process()).isPresent());
    }
    try (var response = call(server.boundAddresses().get(0), "Who", List.of())) {
      assertThat(response.message().getToken().toStringUtf8()).startsWith("tester at 127.0.0.1:");
    }
  }

  @Test
  void aSocketWithoutAListenerIsReported() {
    assumeTrue(server.offersLocalSocket());
    assertThatThrownBy(() -> call(LocalSockets.address(path), "Who", List.of()))
        .cause()
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("(server " + path + ")")
        .extracting(e -> ((KuduException) e).code())
        .isEqualTo(StatusCode.NETWORK_ERROR);
  }

  @Test
  void aSocketBelongsToOneServerUntilItCloses() {
    assumeTrue(server.offersLocalSocket());
    server.bindLocal(path);
    try (RpcServer second = RpcServer.builder("Second").eventLoops(loops).start()) {
      assertThatThrownBy(() -> second.bindLocal(path))
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("Cannot listen on " + path);
      server.close();
      second.bindLocal(path);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"@kudu-0123", "/run/kudu/socket", "@a"})
  void pathsAndNamesAreValid(String text) {
    assertThat(LocalSockets.isValid(text)).isTrue();
    assertThat(LocalSockets.text(LocalSockets.address(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "@", "/", "relative/path", "@a\u0000b", "@line\nfeed"})
  void invalidSocketNamesAreRejected(String text) {
    assertThat(LocalSockets.isValid(text)).isFalse();
    assertThatThrownBy(() -> LocalSockets.address(text))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("must be an absolute path or @ and a name");
  }

  @Test
  void aPathTooLongForTheKernelIsRejected() {
    assertThat(LocalSockets.isValid("/" + "p".repeat(106))).isTrue();
    assertThat(LocalSockets.isValid("/" + "p".repeat(107))).isFalse();
    assertThat(LocalSockets.isValid("/" + "é".repeat(54))).isFalse();
  }

  /** Also a call that meets connections that have just failed: it was not sent either. */
  @Test
  void everyCallToAMissingSocketFailsToConnect() {
    assumeTrue(server.offersLocalSocket());
    for (int round = 0; round < 2_000; round++) {
      SocketAddress missing = LocalSockets.address(path + "-" + round);
      for (int calls = 0; calls < 5; calls++) {
        CompletableFuture<RpcResponse<NegotiatePB>> call =
            client.call(
                missing,
                SERVICE,
                "Echo",
                NegotiatePB.newBuilder().setStep(NegotiatePB.NegotiateStep.NEGOTIATE).build(),
                NegotiatePB.parser(),
                RpcCallOptions.timeoutMillis(30_000));
        assertThat(call)
            .failsWithin(60, TimeUnit.SECONDS)
            .withThrowableThat()
            .havingCause()
            .isInstanceOf(ConnectFailedException.class);
      }
    }
  }
}
