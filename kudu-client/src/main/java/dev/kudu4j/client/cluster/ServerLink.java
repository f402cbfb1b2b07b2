package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.master.PingRequestPB;
import dev.kudu4j.common.proto.master.PingResponsePB;
import dev.kudu4j.common.rpc.ConnectFailedException;
import dev.kudu4j.common.rpc.LocalSockets;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server, and whether it is alive.
 *
 * <p>A paused process or a lost host closes no connection, so calls to it would take until their
 * deadline. A slow response, on the other hand, is no reason to ask another server. So calls have
 * no timeout shorter than the caller's. Instead, the client pings a server that has calls in flight
 * and is silent for a while. Any response, even a rejection, shows that the server is alive.
 *
 * <pre>
 *   call ...... quietMillis ...... ping ...... pingMillis ...... silent: watched calls fail
 *                                    \---- any answer: the server is slow, calls go on waiting
 * </pre>
 *
 * <p>A silent server is suspect until it shows a sign of life; {@link ReplicaChooser} avoids it
 * while the tablet has another replica. Thread-safe; {@link #tick} is called by one thread at a
 * time.
 */
final class ServerLink {
  private static final long PING_TIMEOUT_MILLIS = 30_000;

  private final HostPort hostPort;
  private final ServerRoute route;
  private final String service;
  private final Supplier<RpcClient> rpc;
  private final long quietNanos;
  private final long pingNanos;

  private final Set<Attempt> watched = ConcurrentHashMap.newKeySet();
  private final AtomicReference<CompletableFuture<?>> ping = new AtomicReference<>();
  private volatile long pingedNanos;
  private volatile long lastSignNanos = System.nanoTime();
  private volatile boolean suspect;
  private volatile String announcedSocket = "";

  /** One call that fails when the server becomes silent. */
  private static final class Attempt {
    private final CompletableFuture<?> future;
    private final long startNanos = System.nanoTime();

    Attempt(CompletableFuture<?> future) {
      this.future = future;
    }
  }

  ServerLink(
      HostPort hostPort, String service, Supplier<RpcClient> rpc, ConnectionOptions options) {
    this.hostPort = hostPort;
    this.route = new ServerRoute(hostPort, System::nanoTime);
    this.service = service;
    this.rpc = rpc;
    this.quietNanos = TimeUnit.MILLISECONDS.toNanos(options.quietMillis());
    this.pingNanos = TimeUnit.MILLISECONDS.toNanos(options.pingMillis());
  }

  HostPort hostPort() {
    return hostPort;
  }

  /** The Unix-domain socket that the server announced most recently; empty if none. */
  String announcedSocket() {
    return announcedSocket;
  }

  /** Records the server's socket. Calls use TCP until {@link #preferLocal}. */
  synchronized void announced(String socket) {
    announcedSocket = socket;
    route.preferLocal(null);
  }

  /** Calls the server over this socket, unless it has announced another one since. */
  synchronized void preferLocal(String socket) {
    if (announcedSocket.equals(socket)) {
      route.preferLocal(LocalSockets.address(socket));
    }
  }

  boolean isSuspect() {
    return suspect;
  }

  /** Like the other method, for the server's main service. */
  <R extends Message> CompletableFuture<RpcResponse<R>> call(
      String method,
      Message request,
      Parser<R> parser,
      RpcCallOptions options,
      boolean giveUpWhenSilent) {
    return call(service, method, request, parser, options, giveUpWhenSilent);
  }

  /**
   * Makes one call.
   *
   * @param giveUpWhenSilent whether the call fails when the server becomes silent; otherwise it
   *     fails at its timeout
   */
  <R extends Message> CompletableFuture<RpcResponse<R>> call(
      String ofService,
      String method,
      Message request,
      Parser<R> parser,
      RpcCallOptions options,
      boolean giveUpWhenSilent) {
    CompletableFuture<RpcResponse<R>> answer = new CompletableFuture<>();
    if (giveUpWhenSilent) {
      watch(answer);
    }
    attempt(
        route.next(),
        address -> rpc.get().call(address, ofService, method, request, parser, options),
        answer);
    return answer;
  }

  /** Makes the call, and makes it again over TCP if the server's socket cannot be reached. */
  private <R extends Message> void attempt(
      SocketAddress address,
      Function<SocketAddress, CompletableFuture<RpcResponse<R>>> call,
      CompletableFuture<RpcResponse<R>> answer) {
    CompletableFuture<RpcResponse<R>> future;
    try {
      future = call.apply(address);
    } catch (RuntimeException | Error e) {
      answer.completeExceptionally(e); // on the second attempt nobody would see it
      return;
    }
    future.whenComplete(
        (response, failure) -> {
          noteOutcome(address, failure);
          if (failure instanceof ConnectFailedException && !address.equals(route.tcp())) {
            attempt(route.tcp(), call, answer);
          } else {
            deliver(answer, response, failure);
          }
        });
    answer.whenComplete(
        (response, failure) -> {
          if (failure != null) {
            future.completeExceptionally(failure); // the caller gives up; otherwise no effect
          }
        });
  }

  /** Updates what is known of the server and the route, before the caller sees the outcome. */
  private void noteOutcome(SocketAddress address, @Nullable Throwable failure) {
    if (failure == null || failure instanceof RpcException) {
      signOfLife();
    }
    boolean answered =
        failure == null
            || (failure instanceof RpcException refusal && !refusal.errorCode().isFatal());
    if (!answered) {
      route.connectionFailed(address);
    }
  }

  private static <R extends Message> void deliver(
      CompletableFuture<RpcResponse<R>> answer,
      @Nullable RpcResponse<R> response,
      @Nullable Throwable failure) {
    if (response == null) {
      answer.completeExceptionally(failure);
    } else if (!answer.complete(response)) {
      response.close(); // the caller has given up
    }
  }

  private void watch(CompletableFuture<?> future) {
    Attempt attempt = new Attempt(future);
    watched.add(attempt);
    future.whenComplete((response, failure) -> watched.remove(attempt));
  }

  private void signOfLife() {
    lastSignNanos = System.nanoTime();
    suspect = false;
  }

  /** Checks the calls in flight; called several times per quiet period. */
  void tick(long now) {
    long oldest = now;
    for (Attempt attempt : watched) {
      oldest = Math.min(oldest, attempt.startNanos);
    }
    long quiet = now - Math.max(lastSignNanos, oldest);
    if (oldest == now || quiet < quietNanos) {
      return;
    }
    probe();
    if (ping.get() != null && now - pingedNanos >= pingNanos) {
      giveUp(now, quiet);
    }
  }

  private void giveUp(long now, long quiet) {
    suspect = true;
    for (Attempt attempt : watched) {
      if (now - attempt.startNanos >= quietNanos) {
        attempt.future.completeExceptionally(
            KuduException.of(
                StatusCode.NETWORK_ERROR,
                "No sign of life from %s for %d ms",
                hostPort,
                TimeUnit.NANOSECONDS.toMillis(quiet)));
      }
    }
  }

  /** Pings the server, unless a ping is in flight. */
  void probe() {
    CompletableFuture<RpcResponse<PingResponsePB>> mine = new CompletableFuture<>();
    if (!ping.compareAndSet(null, mine)) {
      return;
    }
    pingedNanos = System.nanoTime();
    call(
            "Ping",
            PingRequestPB.getDefaultInstance(),
            PingResponsePB.parser(),
            RpcCallOptions.timeoutMillis(PING_TIMEOUT_MILLIS),
            false)
        .whenComplete((response, failure) -> ping.set(null));
  }

  @Override
  public String toString() {
    return hostPort.toString();
  }
}
