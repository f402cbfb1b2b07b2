package dev.kudu4j.client.cluster;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The address under which a server is called: its Unix-domain socket if it listens on one on this
 * host, otherwise its TCP port.
 *
 * <p>A connection that fails says little about its cause: the server may be gone, or have been
 * restarted without the socket, or the socket may be in the namespace of another container. So
 * after a failure over the socket, calls use TCP for a while. Thread-safe.
 */
final class ServerRoute {
  static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final HostPort tcp;
  private final LongSupplier nanoTime;
  private volatile SocketAddress local; // null until the socket is known to be on this host
  private volatile long failedNanos;
  private volatile boolean failed;

  ServerRoute(HostPort tcp, LongSupplier nanoTime) {
    this.tcp = tcp;
    this.nanoTime = nanoTime;
  }

  /** Prefers the socket from now on; TCP if it is null. */
  void preferLocal(@Nullable SocketAddress socket) {
    local = socket;
  }

  /** The TCP port. */
  SocketAddress tcp() {
    return tcp.address();
  }

  /** The address for the next call. */
  SocketAddress next() {
    SocketAddress socket = local;
    return socket == null || inRetryDelay() ? tcp.address() : socket;
  }

  private boolean inRetryDelay() {
    return failed && nanoTime.getAsLong() - failedNanos < RETRY_NANOS;
  }

  /** Records that a call at this address failed without a response of the server's services. */
  void connectionFailed(SocketAddress used) {
    if (used.equals(local)) {
      failedNanos = nanoTime.getAsLong();
      failed = true;
    }
  }
}
