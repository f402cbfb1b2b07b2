package dev.kudu4j.common.rpc;

import dev.kudu4j.common.rpc.frame.FrameDecoder;
import dev.kudu4j.common.rpc.frame.InboundAccount;
import dev.kudu4j.common.rpc.frame.InboundMemory;
import dev.kudu4j.common.rpc.negotiation.Negotiated;
import dev.kudu4j.common.rpc.negotiation.PreambleReader;
import dev.kudu4j.common.rpc.negotiation.ServerNegotiation;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An RPC server on one or more addresses.
 *
 * <p>Life cycle: {@link Builder#bind} binds the ports, which determines {@link #boundAddresses};
 * {@link #register} adds services; {@link #start} accepts clients. Clients that connect before
 * {@link #start} wait in the backlog. {@link #close} stops everything within bounded time.
 *
 * <p>Malformed input from a client at most closes the client's own connection.
 */
public final class RpcServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RpcServer.class);
  private static final long DEFAULT_PATIENCE_MILLIS = 5_000;
  private static final long MIN_MAX_REQUEST_BYTES = 8 << 20;

  private final String name;
  private final RpcServerOptions options;
  private final RpcMetrics metrics;
  private final RpcSecurity security;
  private final InboundMemory memory;
  private final EventLoops loops;
  private final boolean ownLoops;
  private final Map<String, ServiceCalls> services = new ConcurrentHashMap<>();
  private final ChannelGroup connections =
      new DefaultChannelGroup("rpc connections", GlobalEventExecutor.INSTANCE, true);
  private final List<Channel> listeners = new ArrayList<>();
  private final AtomicReference<@Nullable Channel> localListener = new AtomicReference<>();
  private final RateLimitedLog clientWarnings = new RateLimitedLog(log);
  private final RateLimitedLog slowCalls = RateLimitedLog.oncePerSecond(log);
  private final ConnectionTable table;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RpcServer(Builder builder) {
    this.name = builder.name;
    this.options = builder.options;
    this.metrics = builder.metrics;
    this.security = builder.security;
    this.memory = builder.memory == null ? defaultMemory() : builder.memory;
    this.table = new ConnectionTable(options.connections(), System::nanoTime, this::onEviction);
    this.ownLoops = builder.loops == null;
    this.loops =
        builder.loops != null
            ? builder.loops
            : EventLoops.open(name + "-rpc", options.loopThreads(), options.io());
  }

  /**
   * Maximum size of a request frame: the capacity of the memory for requests, or 8 MiB if that is
   * more; never above {@code maxFrameBytes}.
   */
  private int longestRequest() {
    return (int)
        Math.min(options.maxFrameBytes(), Math.max(MIN_MAX_REQUEST_BYTES, memory.capacityBytes()));
  }

  private static InboundMemory defaultMemory() {
    return new InboundMemory(Runtime.getRuntime().maxMemory() / 6, DEFAULT_PATIENCE_MILLIS);
  }

  /**
   * Creates a builder.
   *
   * @param name the server's name in messages to clients, such as {@code Master}
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /**
   * The addresses on which the server listens, in the order of the bind addresses, with the actual
   * ports.
   */
  public List<InetSocketAddress> boundAddresses() {
    return listeners.stream().map(l -> (InetSocketAddress) l.localAddress()).toList();
  }

  /** Whether {@link #bindLocal} is possible with the server's event loops. */
  public boolean offersLocalSocket() {
    return loops.offersLocalSockets();
  }

  /**
   * Also listens on a Unix-domain socket, for clients on this host. For servers whose socket has a
   * name that is known only after the ports are bound; call it at most once.
   *
   * @param path as {@link LocalSockets} describes it
   * @throws KuduException NETWORK_ERROR if the socket cannot be bound, INVALID_ARGUMENT if the path
   *     is not valid
   */
  public void bindLocal(String path) {
    localListener.set(
        bind(withConnections(loops.localServerBootstrap()), LocalSockets.address(path)));
  }

  /**
   * Adds a service. Calls to an unknown service fail without retry, so add all services before
   * {@link #start}.
   */
  public void register(RpcService service) {
    ServiceCalls calls = new ServiceCalls(name, service, options, metrics);
    if (services.putIfAbsent(service.name(), calls) != null) {
      throw new IllegalArgumentException("Service " + service.name() + " is registered twice");
    }
    if (closed.get()) {
      calls.shutdown();
    }
  }

  /** All registered services, in no particular order. */
  public List<RpcService> services() {
    return services.values().stream().map(ServiceCalls::service).toList();
  }

  /** Accepts clients. */
  public void start() {
    allListeners().forEach(listener -> listener.config().setAutoRead(true));
  }

  private Stream<Channel> allListeners() {
    return Stream.concat(listeners.stream(), Stream.ofNullable(localListener.get()));
  }

  private void bind(List<InetSocketAddress> addresses) {
    ServerBootstrap bootstrap = withConnections(loops.serverBootstrap());
    for (InetSocketAddress address : addresses) {
      listeners.add(bind(bootstrap, address));
    }
  }

  private Channel bind(ServerBootstrap bootstrap, SocketAddress address) {
    var bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new KuduException(
          StatusCode.NETWORK_ERROR,
          "Cannot listen on " + LocalSockets.text(address) + ": " + bound.cause().getMessage(),
          bound.cause());
    }
    bound.channel().pipeline().addLast(new AcceptFailures()); // behind Netty's acceptor
    return bound.channel();
  }

  private ServerBootstrap withConnections(ServerBootstrap bootstrap) {
    return bootstrap
        .option(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
        .childHandler(new ConnectionInitializer());
  }

  private WriteBufferWaterMark waterMark() {
    int high = options.outboundHighWaterBytes();
    return new WriteBufferWaterMark(high / 4, high);
  }

  /**
   * Handles failures of the Netty acceptor, which pauses for a second after a failure. The usual
   * cause is that no file descriptor is left.
   */
  @ChannelHandler.Sharable
  private final class AcceptFailures extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      clientWarnings.warn("{}: cannot accept a connection: {}", name, cause.getMessage());
      table.closeLeastActive();
    }
  }

  /** Sets up each accepted connection: preamble, then negotiation, then calls. */
  private final class ConnectionInitializer extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      if (!table.admit(channel)) {
        channel.close();
        return;
      }
      channel.closeFuture().addListener(closing -> table.closed(channel));
      metrics.connectionOpened(LocalSockets.isLocal(channel));
      channel.closeFuture().addListener(closing -> metrics.connectionClosed());
      connections.add(channel);
      FrameDecoder decoder = ServerNegotiation.frameDecoder();
      channel
          .pipeline()
          .addLast(new PreambleReader())
          .addLast(decoder)
          .addLast(
              new ServerNegotiation(
                  options.negotiationTimeoutMillis(),
                  options.negotiationDelayMillis().getAsInt(),
                  security.negotiation(),
                  negotiated -> connectionFor(channel, decoder, negotiated),
                  RpcServer.this::logClosing));
    }

    private ServerConnection connectionFor(
        Channel channel, FrameDecoder decoder, Negotiated negotiated) {
      InboundAccount account = memory.open();
      decoder.maxFrameBytes(longestRequest());
      decoder.chargeTo(account);
      Caller caller =
          new Caller(
              negotiated.user(),
              LocalSockets.remoteAddress(channel),
              loops.processAtOtherEnd(channel),
              security.rolesOf(negotiated));
      ServerConnection connection = new ServerConnection(RpcServer.this, caller, account);
      table.negotiated(channel, connection);
      return connection;
    }
  }

  /**
   * Finds the method of a call and passes the call to the threads of its service, or rejects it.
   * Runs on the event loop; never blocks.
   */
  void dispatch(RpcCall call) {
    ServiceCalls calls = services.get(call.service());
    if (calls == null) {
      call.fail(noSuchService(call));
      return;
    }
    RpcMethod<?> method = calls.service().method(call.method());
    if (method == null) {
      call.fail(noSuchMethod(call));
      return;
    }
    if (!method.access().admits(call.caller())) {
      refuseUnauthorized(call);
      return;
    }
    List<Integer> unsupported =
        call.requiredFeatures().stream()
            .filter(feature -> !calls.service().offers(feature))
            .toList();
    if (unsupported.isEmpty()) {
      calls.admit(call, method);
    } else {
      call.fail(RpcException.unsupportedFeatures(unsupported));
    }
  }

  private void refuseUnauthorized(RpcCall call) {
    metrics.callUnauthorized(call.service(), call.method());
    clientWarnings.warn(
        "{}: unauthorized access attempt to method {}.{} by user {} at {}",
        name,
        call.service(),
        call.method(),
        call.caller().user(),
        call.caller().origin());
    call.fail(
        new RpcException(
            RpcErrorCode.ERROR_APPLICATION,
            StatusCode.NOT_AUTHORIZED,
            "unauthorized access to method: " + call.method()));
  }

  private RpcException noSuchService(RpcCall call) {
    return new RpcException(
        RpcErrorCode.ERROR_NO_SUCH_SERVICE,
        StatusCode.NOT_FOUND,
        "service " + call.service() + " not registered on " + name);
  }

  private static RpcException noSuchMethod(RpcCall call) {
    return new RpcException(
        RpcErrorCode.ERROR_NO_SUCH_METHOD,
        StatusCode.INVALID_ARGUMENT,
        String.format(
            "Call on service %s received at %s from %s with an invalid method name: %s",
            call.service(), call.connection().receivedAt(), call.caller().origin(), call.method()));
  }

  /** A snapshot of all connections whose negotiation is complete, with their calls. */
  public CompletableFuture<List<ConnectionView>> connections() {
    List<CompletableFuture<Optional<ConnectionView>>> views = new ArrayList<>();
    for (Channel channel : connections) {
      ServerConnection connection = channel.pipeline().get(ServerConnection.class);
      if (connection != null) {
        views.add(connection.view());
      }
    }
    return CompletableFuture.allOf(views.toArray(CompletableFuture[]::new))
        .thenApply(done -> views.stream().flatMap(view -> view.join().stream()).toList());
  }

  RpcServerOptions options() {
    return options;
  }

  /** Logs an answered call whose handler had started, if it was slow. */
  void answered(RpcCall call, long handlerNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(call.queuedNanos() + handlerNanos);
    if (millis > options.slowCallMillis().getAsInt()) {
      slowCalls.warn(
          "Slow call {}.{} of {}: {} ms, of which {} ms in the queue; request of {} bytes",
          call.service(),
          call.method(),
          call.caller().describe(),
          millis,
          TimeUnit.NANOSECONDS.toMillis(call.queuedNanos()),
          call.requestBytes());
    }
  }

  RpcMetrics metrics() {
    return metrics;
  }

  private void onEviction(String reason, int count) {
    metrics.connectionsEvicted(count);
    clientWarnings.warn("{}: {}; closing {} connection(s)", name, reason, count);
  }

  void logClosing(ChannelHandlerContext context, String reason) {
    clientWarnings.warn(
        "{}: closing the connection from {}: {}", name, originOf(context.channel()), reason);
  }

  void logInternal(ChannelHandlerContext context, Throwable cause) {
    clientWarnings.warn("{}: connection from {} failed", name, originOf(context.channel()), cause);
  }

  private String originOf(Channel channel) {
    return loops
        .processAtOtherEnd(channel)
        .map(Caller.LocalProcess::describe)
        .orElseGet(() -> String.valueOf(channel.remoteAddress()));
  }

  /**
   * Stops listening, closes all connections, which cancels their calls, and waits up to a limit for
   * running handlers. A second close does nothing.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.closeTimeoutMillis());
    allListeners().forEach(listener -> loops.await(listener.close(), millisUntil(deadline)));
    services.values().forEach(ServiceCalls::shutdown);
    loops.await(connections.close(), millisUntil(deadline));
    awaitHandlers(deadline);
    if (ownLoops) {
      loops.close();
    }
  }

  private void awaitHandlers(long deadline) {
    try {
      for (ServiceCalls calls : services.values()) {
        if (!calls.awaitHandlers(deadline - System.nanoTime())) {
          log.warn("{}: a handler of {} is still running", name, calls.service().name());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long millisUntil(long deadline) {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
  }

  /** Builds a server. */
  public static final class Builder {
    private final String name;
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final List<RpcService> services = new ArrayList<>();
    private RpcServerOptions options = RpcServerOptions.defaults();
    private RpcMetrics metrics = RpcMetrics.NONE;
    private RpcSecurity security = RpcSecurity.OPEN;
    private @Nullable InboundMemory memory;
    private @Nullable EventLoops loops;

    private Builder(String name) {
      this.name = Objects.requireNonNull(name);
    }

    /**
     * Adds an address to listen on; port 0 selects a free port. The default is a free port on
     * loopback.
     */
    public Builder bindAddress(InetSocketAddress address) {
      addresses.add(address);
      return this;
    }

    public Builder bindAddresses(List<InetSocketAddress> more) {
      addresses.addAll(more);
      return this;
    }

    /**
     * Borrows event loops, which the caller closes after the server. By default the server opens
     * its own.
     */
    public Builder eventLoops(EventLoops shared) {
      this.loops = shared;
      return this;
    }

    public Builder options(RpcServerOptions value) {
      this.options = value;
      return this;
    }

    public Builder metrics(RpcMetrics value) {
      this.metrics = value;
      return this;
    }

    /** Sets who may connect and call. By default every caller has all roles. */
    public Builder security(RpcSecurity value) {
      this.security = value;
      return this;
    }

    /**
     * Sets the memory for requests, from arrival to response; several ports may share it. The
     * default is one sixth of the heap.
     */
    public Builder inboundMemory(InboundMemory shared) {
      this.memory = shared;
      return this;
    }

    public Builder service(RpcService service) {
      services.add(service);
      return this;
    }

    /** Binds the ports without accepting clients. */
    public RpcServer bind() {
      RpcServer server = new RpcServer(this);
      try {
        services.forEach(server::register);
        server.bind(
            addresses.isEmpty()
                ? List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                : addresses);
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
      return server;
    }

    /** Binds the ports and accepts clients. */
    public RpcServer start() {
      RpcServer server = bind();
      server.start();
      return server;
    }
  }
}
