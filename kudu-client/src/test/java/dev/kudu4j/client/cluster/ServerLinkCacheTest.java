package dev.kudu4j.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kudu4j.common.proto.master.PingRequestPB;
import dev.kudu4j.common.proto.master.PingResponsePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.LocalSockets;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcIo;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcService;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls over a server's Unix-domain socket, which may be absent, stale or replaced. */
class ServerLinkCacheTest {
  private final String socket = LocalSockets.ofServer(UUID.randomUUID().toString());
  private final AtomicReference<String> caller = new AtomicReference<>();
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());
  private RpcServer server;

  @BeforeEach
  void start() {
    assumeTrue(RpcIo.best() != RpcIo.NIO, "Unix-domain sockets need epoll");
    server =
        RpcServer.builder("test")
            .service(
                RpcService.builder(ServerLinkCache.TABLET_SERVICE)
                    .method(
                        "Ping",
                        Access.CLIENT,
                        PingRequestPB.parser(),
                        (request, call) -> {
                          caller.set(call.caller().origin());
                          call.respond(PingResponsePB.getDefaultInstance());
                        })
                    .build())
            .bind();
    server.bindLocal(socket);
    server.start();
  }

  @AfterEach
  void stop() {
    client.close();
    if (server != null) {
      server.close();
    }
  }

  private ServerLinkCache links(boolean localSockets) {
    ConnectionOptions options = ConnectionOptions.of(List.of(new HostPort("127.0.0.1", 1)));
    return new ServerLinkCache(
        () -> client, options.withLocalSockets(localSockets), new Locality());
  }

  /** Pings the server that announces this socket; returns whether the call used a socket. */
  private boolean pingsOverASocket(ServerLinkCache links, String announced) {
    InetSocketAddress address = server.boundAddresses().get(0);
    RemoteReplica replica =
        new RemoteReplica(
            "server",
            "127.0.0.1",
            address.getPort(),
            address,
            announced,
            "",
            "",
            RemoteReplica.Role.LEADER);
    try (RpcResponse<PingResponsePB> response =
        links
            .tabletServer(replica)
            .call(
                "Ping",
                PingRequestPB.getDefaultInstance(),
                PingResponsePB.parser(),
                RpcCallOptions.timeoutMillis(30_000),
                true)
            .join()) {
      assertThat(response.message()).isNotNull();
    }
    return caller.get().startsWith("process ");
  }

  @Test
  void theAnnouncedSocketIsUsedUnlessTheOptionIsOff() {
    assertThat(pingsOverASocket(links(true), socket)).isTrue();
    assertThat(pingsOverASocket(links(true), "")).isFalse();
    assertThat(pingsOverASocket(links(true), "no path")).isFalse();
    assertThat(pingsOverASocket(links(false), socket)).isFalse();
  }

  @Test
  void aCallWithAMissingSocketSucceedsOverTcp() {
    ServerLinkCache links = links(true);
    String gone = LocalSockets.ofServer(UUID.randomUUID().toString());
    assertThat(pingsOverASocket(links, gone)).isFalse();
    assertThat(pingsOverASocket(links, gone)).isFalse();
  }

  @Test
  void theLatestAnnouncementIsUsed() {
    ServerLinkCache links = links(true);
    assertThat(pingsOverASocket(links, "")).isFalse();
    assertThat(pingsOverASocket(links, socket)).isTrue();
    assertThat(pingsOverASocket(links, "")).isFalse();
  }
}
