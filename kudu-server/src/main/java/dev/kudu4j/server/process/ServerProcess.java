package dev.kudu4j.server.process;

import static dev.kudu4j.server.flags.ServerOptions.CLOCK_OFFSET;
import static dev.kudu4j.server.flags.ServerOptions.LOW_DISK_PERCENT;
import static dev.kudu4j.server.flags.ServerOptions.RPC_LOCAL_SOCKET;

import dev.kudu4j.common.rpc.LocalSockets;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.FlagsPage;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.fs.DiskWatch;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.memory.MemTrackersPage;
import dev.kudu4j.server.memory.PageCachePage;
import dev.kudu4j.server.memory.ServerMemory;
import dev.kudu4j.server.metrics.ProcessMeasures;
import dev.kudu4j.server.metrics.RpcMeters;
import dev.kudu4j.server.metrics.ServerMetrics;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.peer.PeerExchange;
import dev.kudu4j.server.peer.PeerService;
import dev.kudu4j.server.peer.PeerTabletCopyRequests;
import dev.kudu4j.server.raft.FreePort;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.members.MembershipMonitor;
import dev.kudu4j.server.rpc.ConsensusService;
import dev.kudu4j.server.rpc.GenericService;
import dev.kudu4j.server.rpc.PeerAddresses;
import dev.kudu4j.server.rpc.RpcPage;
import dev.kudu4j.server.rpc.ServerIdentity;
import dev.kudu4j.server.rpc.TabletCopyTarget;
import dev.kudu4j.server.security.ServerSecurity;
import dev.kudu4j.server.web.Site;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.WebServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The base of a daemon: its files, clock, memory, RPC port, Raft port and pages.
 *
 * <pre>
 *   open:   files -&gt; clock, memory -&gt; RPC port bound ... Raft starts in the background
 *   start:  services registered -&gt; RPC accepts clients  ... pages start in the background
 *   close:  RPC -&gt; Raft, all groups at the same time -&gt; resources -&gt; pages -&gt; memory -&gt; files
 * </pre>
 *
 * <p>The server answers clients before Raft and the web UI have started; calls that need a replica
 * wait for {@link #replicas}. The daemon registers resources to close with {@link #onClose}; they
 * are closed in reverse order.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

  private final Flags flags;
  private final JvmShare share;
  private final ServerConfiguration configuration;
  private final ServerFiles files;
  private final HybridClock clock;
  private final ServerMemory memory;
  private final RpcMeters rpcMeters = new RpcMeters();
  private final RpcServer rpc;
  private final ServerIdentity identity;
  private final ProcessLines lines;
  private final long startNanos = System.nanoTime();
  private final ExecutorService executor;
  private final CompletableFuture<ReplicaEnvironment> replicas;
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();
  private final ServerPages pages = new ServerPages();
  private final Health health = new Health();
  private final Startup startup = new Startup(System::nanoTime);
  private final LatencyHistogram applying = new LatencyHistogram();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private volatile @Nullable WebServer web;
  private volatile @Nullable ServerMetrics metrics;
  private CompletableFuture<Void> webStarted = CompletableFuture.completedFuture(null);
  private boolean closing;

  private ServerProcess(Flags flags, JvmShare share, ServerConfiguration configuration) {
    this.flags = flags;
    this.share = share;
    this.configuration = configuration;
    InetSocketAddress bind = configuration.bind().get(0).resolve();
    SecureRandom random = new SecureRandom();
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      this.files = startup.make("Open the files", () -> openFiles(bind.getAddress(), random));
      opened.push(files);
      this.clock =
          new HybridClock(
              TimeSource.system(configuration.systemClockErrorMicros())
                  .movedBy(() -> flags.get(CLOCK_OFFSET)),
              configuration.maxClockErrorMicros(),
              files.clock());
      this.memory = new ServerMemory(configuration.memory(), share.isWhole());
      opened.push(memory);
      this.rpc = startup.make("Bind the RPC port", this::bindRpc);
      opened.push(rpc);
      this.executor = newExecutor(configuration.daemon());
      List<HostPort> advertised = advertised();
      int raftPort = files.instance().raftPort();
      this.identity =
          new ServerIdentity(
              files.instance().uuid(),
              clock.source().nowMicros(),
              advertised,
              this::httpAddresses,
              new HostPort(advertised.get(0).host(), raftPort),
              ServerVersion.current());
      this.lines = new ProcessLines(configuration.daemon(), identity.uuid());
      lines.opened(flags, configuration);
      this.replicas = startRaft(new InetSocketAddress(bind.getAddress(), raftPort));
      health.waitFor("Raft to start", replicas);
      startup.watch("Start Raft", replicas);
    } catch (RuntimeException e) {
      opened.forEach(ServerProcess::closeQuietly);
      throw e;
    }
  }

  /**
   * Opens files and ports.
   *
   * @throws KuduException with a message for the user
   */
  public static ServerProcess open(Flags flags) {
    return open(flags, JvmShare.whole());
  }

  /**
   * Opens files and ports of one of several servers in this JVM.
   *
   * @throws KuduException with a message for the user
   */
  public static ServerProcess open(Flags flags, JvmShare share) {
    return new ServerProcess(flags, share, ServerConfiguration.of(flags, share));
  }

  private ServerFiles openFiles(InetAddress address, SecureRandom random) {
    ServerFiles.check(configuration.walDirectory(), configuration.dataDirectories());
    configuration.umask().protect(configuration.directories());
    return ServerFiles.open(
        configuration.daemon(),
        configuration.walDirectory(),
        configuration.dataDirectories(),
        random,
        () -> freePort(address, random));
  }

  private static int freePort(InetAddress address, SecureRandom random) {
    try {
      return FreePort.find(address, random);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RpcServer bindRpc() {
    RpcServer.Builder builder =
        RpcServer.builder(configuration.daemon())
            .bindAddresses(configuration.bind().stream().map(HostPort::resolve).toList())
            .options(configuration.rpc())
            .security(configuration.security())
            .metrics(rpcMeters)
            .inboundMemory(memory.inbound());
    share.loops().ifPresent(builder::eventLoops);
    return builder.bind();
  }

  /**
   * Also accepts RPCs on the Unix-domain socket of this server, unless the flags or the operating
   * system forbid it. Call it before {@link #start}.
   *
   * @return the address to announce to clients; empty if the server does not listen on it
   */
  public Optional<String> listenOnLocalSocket() {
    String path = LocalSockets.ofServer(identity.uuid());
    if (!flags.get(RPC_LOCAL_SOCKET) || !rpc.offersLocalSocket()) {
      return Optional.empty();
    }
    try {
      rpc.bindLocal(path);
      return Optional.of(path);
    } catch (KuduException e) {
      LOG.warn("Clients on this host must use TCP: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Creates the executor that submits batched writes and completes waiting reads. It has few
   * threads. Its queue has no limit, because the amount of admitted work is bounded.
   */
  private static ExecutorService newExecutor(String name) {
    AtomicInteger number = new AtomicInteger();
    int threads = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-replica-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private List<HostPort> advertised() {
    List<InetSocketAddress> bound = rpc.boundAddresses();
    List<HostPort> all = new ArrayList<>();
    for (HostPort address : configuration.advertised()) {
      int port = address.port() == 0 ? bound.get(0).getPort() : address.port();
      all.add(new HostPort(address.host(), port));
    }
    if (all.isEmpty()) {
      for (int i = 0; i < bound.size(); i++) {
        all.add(reachable(bound.get(i), configuration.bind().get(i).host()));
      }
    }
    return List.copyOf(all);
  }

  private static HostPort reachable(InetSocketAddress bound, String hostAsGiven) {
    if (!bound.getAddress().isAnyLocalAddress()) {
      return new HostPort(hostAsGiven, bound.getPort());
    }
    try {
      return new HostPort(InetAddress.getLocalHost().getHostName(), bound.getPort());
    } catch (UnknownHostException e) {
      return new HostPort("127.0.0.1", bound.getPort());
    }
  }

  private List<HostPort> httpAddresses() {
    WebServer running = web;
    if (running == null) {
      return List.of();
    }
    String host = configuration.webInterface();
    boolean all = host.isEmpty() || host.equals("0.0.0.0");
    return List.of(
        new HostPort(all ? identity.rpcAddresses().get(0).host() : host, running.port()));
  }

  private CompletableFuture<ReplicaEnvironment> startRaft(InetSocketAddress bind) {
    return supplyInBackground(
        "raft-start",
        () -> {
          RaftHost raft =
              RaftHost.start(
                  configuration.raft(),
                  identity.uuid(),
                  files.raftDirectory(),
                  bind,
                  identity.raft().host(),
                  configuration.security().secret());
          return new ReplicaEnvironment(
              raft,
              clock,
              memory.writes(),
              executor,
              System::nanoTime,
              configuration.replica(),
              applying,
              memory.applying());
        });
  }

  private interface Task<T> {
    @Nullable T run() throws Exception;
  }

  private static <T> CompletableFuture<T> supplyInBackground(String name, Task<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(task.run());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  public Flags flags() {
    return flags;
  }

  /** This server's share of the JVM. */
  public JvmShare share() {
    return share;
  }

  /** The registered RPC services. */
  public List<RpcService> services() {
    return rpc.services();
  }

  /** The options of the server's calls to other servers of its cluster. */
  public RpcClientOptions peerCalls() {
    return RpcClientOptions.defaults().withSecret(configuration.security().secret());
  }

  /** A client for the server's own calls to other servers of its cluster. */
  public RpcClient newPeerClient() {
    return share.newClient(peerCalls());
  }

  public ServerConfiguration configuration() {
    return configuration;
  }

  public ServerIdentity identity() {
    return identity;
  }

  public ServerFiles files() {
    return files;
  }

  public HybridClock clock() {
    return clock;
  }

  public ServerMemory memory() {
    return memory;
  }

  /**
   * The environment that replicas share. Completes when Raft has started; fails if Raft's port
   * cannot be opened.
   */
  public CompletableFuture<ReplicaEnvironment> replicas() {
    return replicas;
  }

  /** The executor that submits batched writes and completes waiting reads. Tasks must be short. */
  public ExecutorService executor() {
    return executor;
  }

  /**
   * The health of the server. Parts that start in the background are added before {@link #start}.
   */
  public Health health() {
    return health;
  }

  /** The steps of the start. The daemon adds its steps before {@link #start}. */
  public Startup startup() {
    return startup;
  }

  /** The pages and metrics of this server. The daemon adds its own before {@link #start}. */
  public ServerPages pages() {
    return pages;
  }

  /**
   * Registers a resource to close with the process. Resources are closed in reverse order, after
   * the server has stopped serving calls and Raft has been closed.
   */
  public synchronized void onClose(AutoCloseable closer) {
    closers.push(closer);
  }

  /** The metrics; null until the web UI has started. */
  public @Nullable ServerMetrics metrics() {
    return metrics;
  }

  /** Completes when the web UI is served or if it is disabled; fails if it cannot be served. */
  public CompletableFuture<Void> webStarted() {
    return webStarted;
  }

  /**
   * Starts to serve clients.
   *
   * @param directory the directory of the daemon's replicas
   * @param services the services of the daemon, besides those that every daemon has
   */
  public void start(ReplicaDirectory directory, List<RpcService> services) {
    start(directory, TabletCopyTarget.NONE, services);
  }

  /**
   * Starts to serve clients.
   *
   * @param directory the directory of the daemon's replicas
   * @param copies copies replicas from other servers to this server
   * @param services the services of the daemon, besides those that every daemon has
   */
  public void start(
      ReplicaDirectory directory, TabletCopyTarget copies, List<RpcService> services) {
    startup.run("Serve RPC", () -> startRpc(directory, copies, services));
    ServerSecurity.warnIfExposed(configuration.bind(), configuration.security());
    if (configuration.webEnabled()) {
      webStarted =
          supplyInBackground(
              "web-start",
              () -> {
                startWeb(directory);
                return null;
              });
      startup.watch("Serve the web pages", webStarted);
      webStarted.whenComplete(
          (done, thrown) -> {
            if (thrown != null) {
              lines.webFailed(thrown);
            } else {
              lines.servesWeb(httpAddresses());
            }
          });
    }
    onClose(DiskWatch.start(configuration.directories(), () -> flags.get(LOW_DISK_PERCENT)));
    lines.serves(identity, System.nanoTime() - startNanos);
  }

  private void startRpc(
      ReplicaDirectory directory, TabletCopyTarget copies, List<RpcService> services) {
    rpc.register(new GenericService(identity, flags, clock, memory).service());
    PeerAddresses addresses = new PeerAddresses(directory::rpcAddress);
    rpc.register(
        new ConsensusService(
                identity, directory, addresses, copies, configuration.raft().evictFirst())
            .service());
    rpc.register(new PeerService(identity.uuid(), directory, addresses, clock).service());
    startExchange(directory, addresses);
    services.forEach(rpc::register);
    rpc.start();
  }

  private void startExchange(ReplicaDirectory directory, PeerAddresses addresses) {
    PeerExchange exchange = new PeerExchange(identity, directory, addresses, clock, peerCalls());
    onClose(exchange);
    PeerTabletCopyRequests invitations =
        new PeerTabletCopyRequests(identity, addresses, peerCalls());
    onClose(invitations);
    MembershipMonitor keeper =
        new MembershipMonitor(
            () -> directory.all().stream().map(TabletReplica::membership).toList(),
            directory::isQuiescing,
            configuration.raft(),
            invitations,
            System::nanoTime);
    onClose(keeper);
    replicas.thenAccept(
        environment -> {
          environment.raft().introducedBy(uuid -> directory.rpcAddress(uuid).map(HostPort::host));
          environment.requests().setSender(exchange::wanted);
          exchange.start();
          keeper.start();
        });
  }

  private void startWeb(ReplicaDirectory directory) {
    ServerMetrics started = new ServerMetrics(rpcMeters, memory, directory, this::entities);
    pages.publish(started);
    metrics = started;
    WebServer running =
        WebServer.start(
            site(),
            configuration.webInterface(),
            configuration.webPort(),
            configuration.webLimits(),
            allPages(started));
    synchronized (this) {
      web = running;
      if (!closing) {
        return;
      }
    }
    running.close();
    started.close();
  }

  private Stream<MetricEntity> entities() {
    ProcessMeasures measures =
        new ProcessMeasures(identity.startedMicros(), clock, files, memory, applying);
    MetricEntity server =
        new MetricEntity(
            Metric.Entity.SERVER,
            isMaster() ? "kudu.master" : "kudu.tabletserver",
            Map.of("hostname", identity.rpcAddresses().get(0).host(), "uuid", identity.uuid()),
            readings -> {
              measures.measure(readings);
              rpcMeters.measure(readings);
              startup.measure(readings);
              pages.measure(readings);
            });
    return Stream.concat(Stream.of(server), pages.entities());
  }

  private boolean isMaster() {
    return configuration.daemon().equals("kudu-master");
  }

  private Site site() {
    return new Site(
        isMaster() ? "Master" : "Tablet server",
        identity.rpcAddresses().get(0).toString(),
        "Kudu4j " + identity.version() + " · " + identity.uuid(),
        pages::elsewhere);
  }

  private List<WebPage> allPages(ServerMetrics started) {
    List<WebPage> all = new ArrayList<>();
    all.add(OverviewPage.of(this));
    all.addAll(pages.pages());
    all.add(MemTrackersPage.of(memory));
    all.add(PageCachePage.of(memory.pages()));
    all.add(RpcPage.of(rpcMeters, rpc::connections));
    all.add(StacksPage.page());
    all.add(StartupPage.of(startup));
    all.add(LogsPage.of(share.log(), !share.isWhole()));
    all.add(SecurityPage.of(flags, configuration));
    all.add(FlagsPage.of(flags));
    all.add(WebPage.json("/metrics", "Metrics", started::json));
    all.add(WebPage.plain("/metrics_prometheus", "", query -> started.scrape()));
    all.add(WebPage.plain("/healthz", "", query -> health.report()));
    return all;
  }

  /** Waits until the process has been closed. */
  public void awaitClosed() {
    closed.join();
  }

  /** Closes everything in bounded time. A second call waits until the first has ended. */
  @Override
  public void close() {
    @Nullable List<AutoCloseable> all;
    synchronized (this) {
      if (closing) {
        all = null;
      } else {
        closing = true;
        health.stop();
        all = new ArrayList<>(closers);
      }
    }
    if (all == null) {
      closed.join();
      return;
    }
    lines.stopping();
    long closeNanos = System.nanoTime();
    closeQuietly(rpc);
    closeRaft();
    all.forEach(ServerProcess::closeQuietly);
    executor.shutdown();
    closeQuietly(web);
    closeQuietly(metrics);
    closeQuietly(memory);
    closeQuietly(files);
    lines.stopped(System.nanoTime() - closeNanos);
    closed.complete(null);
  }

  private void closeRaft() {
    try {
      replicas.get(10, TimeUnit.SECONDS).raft().close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.debug("Raft had not started", e);
    }
  }

  private static void closeQuietly(@Nullable AutoCloseable closeable) {
    if (closeable == null) {
      return;
    }
    try {
      closeable.close();
    } catch (Exception e) {
      LOG.warn("Closing {} failed", closeable.getClass().getSimpleName(), e);
    }
  }
}
