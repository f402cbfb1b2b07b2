package dev.kudu4j.common.rpc;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes calls. Keeps one connection per server. The first call to a server opens the connection;
 * the first call after the connection was closed opens a new one. The client does not retry calls:
 * callers decide how to handle failures.
 *
 * <p>Futures complete on an event loop: use the {@code Async} methods if the continuation may
 * block. Cancelling a future abandons the call; the server is not notified.
 *
 * <p>Failures: {@link RpcException} if the server rejected the call; {@link KuduException} with
 * NETWORK_ERROR for a lost connection (the server may have executed the call), TIMED_OUT if the
 * call's timeout expired, ABORTED after {@link #close}.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
public final class RpcClient implements AutoCloseable {
  private static final int MAX_CONNECTIONS_TRIED = 3;

  private final RpcClientOptions options;
  private final EventLoops loops;
  private final boolean ownLoops;
  private final RpcTraffic traffic;
  private final Bootstrap tcp;
  private final Bootstrap local;
  private final Map<SocketAddress, ClientConnection> connections = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** A client with its own event loops. */
  public RpcClient(RpcClientOptions options) {
    this(
        options, EventLoops.open("rpc-client", EventLoops.defaultThreads()), true, RpcTraffic.NONE);
  }

  /** A client on borrowed event loops, which the caller closes after the client. */
  public RpcClient(RpcClientOptions options, EventLoops shared) {
    this(options, shared, RpcTraffic.NONE);
  }

  /**
   * Like {@link #RpcClient(RpcClientOptions, EventLoops)}.
   *
   * @param traffic counts the traffic of the connections
   */
  public RpcClient(RpcClientOptions options, EventLoops shared, RpcTraffic traffic) {
    this(options, shared, false, traffic);
  }

  private RpcClient(
      RpcClientOptions options, EventLoops loops, boolean ownLoops, RpcTraffic traffic) {
    this.options = options;
    this.loops = loops;
    this.ownLoops = ownLoops;
    this.traffic = traffic;
    this.tcp = loops.clientBootstrap();
    this.local = loops.localClientBootstrap();
  }

  /**
   * Makes a call.
   *
   * @param address the server: host and port, or an address of {@link LocalSockets}
   */
  public <R extends Message> CompletableFuture<RpcResponse<R>> call(
      SocketAddress address,
      String service,
      String method,
      Message request,
      Parser<R> parser,
      RpcCallOptions callOptions) {
    return call(address, service, method, request, parser, callOptions, List.of());
  }

  /**
   * Makes a call with sidecars. Takes the sidecars: they are released after they are sent or
   * discarded.
   */
  public <R extends Message> CompletableFuture<RpcResponse<R>> call(
      SocketAddress address,
      String service,
      String method,
      Message request,
      Parser<R> parser,
      RpcCallOptions callOptions,
      List<ByteBuf> sidecars) {
    PendingCall<R> call =
        new PendingCall<>(service, method, request, parser, callOptions, sidecars);
    scheduleTimeout(address, call);
    dispatch(address, call);
    return call.future();
  }

  private void scheduleTimeout(SocketAddress address, PendingCall<?> call) {
    if (!call.hasTimeout() || closed.get()) {
      return;
    }
    try {
      var timeout =
          loops
              .group()
              .next()
              .schedule(() -> timeOut(address, call), call.nanosLeft(), TimeUnit.NANOSECONDS);
      call.future().whenComplete((response, failure) -> timeout.cancel(false));
    } catch (RejectedExecutionException e) {
      call.fail(clientClosed());
    }
  }

  private static void timeOut(SocketAddress address, PendingCall<?> call) {
    call.fail(
        KuduException.timedOut(
            "%s got no response from %s within its timeout",
            call.describe(), LocalSockets.text(address)));
  }

  private void dispatch(SocketAddress address, PendingCall<?> call) {
    if (closed.get()) {
      call.fail(clientClosed());
    } else if (call.countConnection() > MAX_CONNECTIONS_TRIED) {
      KuduException end = call.lastConnectionEnd();
      assert end != null : "only a closed connection returns a call";
      call.fail(noConnectionStayedOpen(address, end));
    } else {
      ClientConnection connection = connectionTo(address);
      connection.call(call, again -> dispatch(address, again));
      if (closed.get()) {
        connection.close(clientClosed()); // opened concurrently with close()
      }
    }
  }

  /** No connection accepted the call, so it was not sent. */
  private static KuduException noConnectionStayedOpen(SocketAddress address, KuduException end) {
    String message =
        "Connections to "
            + LocalSockets.text(address)
            + " are closed as soon as they are opened: "
            + end.getMessage();
    return end instanceof ConnectFailedException
        ? new ConnectFailedException(message, end)
        : new KuduException(StatusCode.NETWORK_ERROR, message, end);
  }

  private ClientConnection connectionTo(SocketAddress address) {
    ClientConnection connection = connections.get(address);
    return connection != null ? connection : connections.computeIfAbsent(address, this::open);
  }

  private ClientConnection open(SocketAddress address) {
    ClientConnection connection =
        new ClientConnection(
            address,
            options,
            loops.group().next(),
            traffic,
            gone -> connections.remove(address, gone));
    connection.open(LocalSockets.isLocal(address) ? local : tcp);
    return connection;
  }

  private static KuduException clientClosed() {
    return new KuduException(StatusCode.ABORTED, "The RPC client is closed");
  }

  /** Fails the calls in flight and closes all connections. A second close does nothing. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      List.copyOf(connections.values()).forEach(c -> c.close(clientClosed()));
      if (ownLoops) {
        loops.close();
      }
    }
  }
}
