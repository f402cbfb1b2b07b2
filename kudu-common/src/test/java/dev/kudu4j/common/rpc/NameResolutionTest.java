package dev.kudu4j.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolver;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NameResolutionTest {
  private static final int PORT = 7051;

  private final EventLoop loop = new DefaultEventLoop();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final NameResolution resolution = new NameResolution("test", this::lookUp);
  private final AddressResolver<InetSocketAddress> resolver = resolution.getResolver(loop);

  /** A name service that answers when the test says so, and knows one host. */
  private List<InetAddress> lookUp(String host) throws UnknownHostException {
    try {
      answer.await();
    } catch (InterruptedException e) {
      throw new UnknownHostException("interrupted");
    }
    if (!host.equals("known.example")) {
      throw new UnknownHostException(host);
    }
    return List.of(InetAddress.getByAddress(host, new byte[] {10, 1, 2, 3}));
  }

  @AfterEach
  void stop() {
    resolution.close();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private Future<InetSocketAddress> resolve(String host) {
    return resolver.resolve(InetSocketAddress.createUnresolved(host, PORT));
  }

  @Test
  void aSlowNameServiceDoesNotBlockTheEventLoop() throws Exception {
    Future<InetSocketAddress> address =
        loop.submit(() -> resolve("known.example")).get(10, TimeUnit.SECONDS);
    assertThat(loop.submit(() -> "still runs").get(10, TimeUnit.SECONDS)).isEqualTo("still runs");
    assertThat(address.isDone()).isFalse();
    answer.countDown();
    assertThat(address.get(10, TimeUnit.SECONDS).getAddress().getHostAddress())
        .isEqualTo("10.1.2.3");
    assertThat(address.getNow().getPort()).isEqualTo(PORT);
  }

  @Test
  void numericAddressesNeedNoLookup() throws Exception {
    assertThat(resolve("127.0.0.1").get(10, TimeUnit.SECONDS).isUnresolved()).isFalse();
    assertThat(resolve("::1").get(10, TimeUnit.SECONDS).isUnresolved()).isFalse();
  }

  @Test
  void anUnknownHostFails() throws Exception {
    answer.countDown();
    Future<InetSocketAddress> address = resolve("unknown.example");
    assertThat(address.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(address.cause()).isInstanceOf(UnknownHostException.class);
  }

  @Test
  void namesBeyondTheQueueFailImmediately() throws Exception {
    for (int i = 0; i < 1_100; i++) {
      resolve("known.example");
    }
    Future<InetSocketAddress> last = resolve("known.example");
    assertThat(last.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(last.cause()).hasMessageContaining("too many names");
  }
}
