package dev.kudu4j.master.group;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.Patience;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.rpc.ServerIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MasterPeersTest {
  private static final String SELF = "00000000000000000000000000000001";
  private static final String LATE = "00000000000000000000000000000002";

  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());
  private final BlockingQueue<Runnable> later = new LinkedBlockingQueue<>();
  private RpcServer started;

  @AfterEach
  void close() {
    if (started != null) {
      started.close();
    }
    client.close();
  }

  private static HostPort freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new HostPort("127.0.0.1", socket.getLocalPort());
    }
  }

  private void start(String uuid, HostPort address) {
    ServerIdentity identity =
        new ServerIdentity(uuid, 1, List.of(address), List::of, new HostPort("127.0.0.1", 1), "1");
    MasterPeerService service =
        new MasterPeerService(identity, Set::of, List::of, request -> null, id -> {});
    started =
        RpcServer.builder("Master")
            .service(service.service())
            .bindAddress(new InetSocketAddress(address.host(), address.port()))
            .start();
  }

  private void nextRound() throws InterruptedException {
    awaitRound().run();
  }

  /** The next round, which is not run yet; the one before has ended. */
  private Runnable awaitRound() throws InterruptedException {
    Runnable next = later.poll(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("the next round").isNotNull();
    return next;
  }

  @Test
  void masterThatStartsLateIsFound() throws Exception {
    HostPort own = freeAddress();
    HostPort address = freeAddress();
    MasterPeers peers = new MasterPeers(List.of(own, address), SELF, client);
    assertThat(peers.discoverPeers(1_000).get(Patience.SECONDS, TimeUnit.SECONDS)).isEmpty();
    peers.findAll((millis, action) -> later.add(action));
    nextRound();
    assertThat(peers.find(LATE)).isEmpty();
    start(LATE, address);
    await()
        .untilAsserted(
            () -> {
              nextRound();
              assertThat(peers.find(LATE)).contains(address);
            });
  }

  @Test
  void discoveryStopsWhenAllMastersHaveResponded() throws Exception {
    HostPort address = freeAddress();
    start(LATE, address);
    MasterPeers peers = new MasterPeers(List.of(address, address), SELF, client);
    peers.findAll((millis, action) -> later.add(action));
    nextRound(); // asks
    Runnable next = awaitRound();
    while (peers.find(LATE).isEmpty()) { // on a slow machine the response may come too late
      next.run();
      next = awaitRound();
    }
    assertThat(peers.find(LATE)).contains(address);
    next.run(); // nothing is left to ask
    assertThat(later).isEmpty();
  }
}
