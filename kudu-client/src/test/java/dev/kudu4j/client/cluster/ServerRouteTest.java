package dev.kudu4j.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.rpc.LocalSockets;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ServerRouteTest {
  private final HostPort tcp = new HostPort("127.0.0.1", 7050);
  private final SocketAddress socket = LocalSockets.address("@kudu-0123");
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // nanoTime may overflow
  private final ServerRoute route = new ServerRoute(tcp, now::get);

  @Test
  void aServerIsCalledOverTcpUntilItsSocketIsKnown() {
    assertThat(route.next()).isEqualTo(tcp.address());
    route.connectionFailed(tcp.address());
    route.preferLocal(socket);
    assertThat(route.next()).isEqualTo(socket);
  }

  @Test
  void afterAFailureOfTheSocketCallsUseTcpForAWhile() {
    route.preferLocal(socket);
    route.connectionFailed(socket);
    assertThat(route.next()).isEqualTo(tcp.address());
    now.addAndGet(ServerRoute.RETRY_NANOS - 1);
    assertThat(route.next()).isEqualTo(tcp.address());
    now.addAndGet(1);
    assertThat(route.next()).isEqualTo(socket);
  }

  @Test
  void aFailureOfTcpDoesNotConcernTheSocket() {
    route.preferLocal(socket);
    route.connectionFailed(tcp.address());
    assertThat(route.next()).isEqualTo(socket);
  }

  @Test
  void aServerThatNoLongerAnnouncesItsSocketIsCalledOverTcp() {
    route.preferLocal(socket);
    route.preferLocal(null);
    assertThat(route.next()).isEqualTo(tcp.address());
  }
}
