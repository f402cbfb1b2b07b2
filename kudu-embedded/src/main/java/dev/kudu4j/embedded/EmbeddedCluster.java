package dev.kudu4j.embedded;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.Master;
import dev.kudu4j.master.MasterOptions;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.memory.MemoryBudget;
import dev.kudu4j.server.process.JvmShare;
import dev.kudu4j.server.process.RecentLog;
import dev.kudu4j.server.process.ServerProcess;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tserver.TabletServer;
import dev.kudu4j.tserver.TabletServerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole cluster in this JVM: masters and tablet servers, on loopback ports.
 *
 * <pre>{@code
 * try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(3).start()) {
 *   KuduClient client = cluster.client();
 *   ...
 * }
 * }</pre>
 *
 * <p>The servers are the same as the daemons, so clients of any process can connect to them. The
 * servers share the JVM's event loops and heap; one JVM may run several clusters. No JVM flags are
 * needed. Closing the cluster stops all servers and deletes temporary data.
 *
 * <p>Thread-safe.
 */
public final class EmbeddedCluster implements AutoCloseable {
  /** The host on which the servers listen. */
  public static final String HOST = "127.0.0.1";

  /** Memory of each master, which needs it mainly for the catalog. */
  public static final long MASTER_MEMORY_BYTES = 128L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCluster.class);

  /** The logger of gRPC. Its INFO messages would go to standard error, so its level is raised. */
  private static final java.util.logging.Logger GRPC =
      java.util.logging.Logger.getLogger("org.apache.ratis.thirdparty.io.grpc");

  /** File in the cluster's directory with the secret that its servers share. */
  private static final String SECRET_FILE = "cluster-secret";

  private static final long START_TIMEOUT_MILLIS = 60_000;

  private final Path directory;
  private final boolean temporary;
  private final EventLoops loops;
  private final List<ServerSlot> masters = new ArrayList<>();
  private final List<ServerSlot> tabletServers = new ArrayList<>();
  private KuduClient client;
  private boolean closed;

  private EmbeddedCluster(ClusterSettings settings) {
    if (GRPC.getLevel() == null) {
      GRPC.setLevel(java.util.logging.Level.WARNING);
    }
    this.temporary = settings.directory().isEmpty();
    this.directory = settings.directory().orElseGet(EmbeddedCluster::temporaryDirectory);
    makeSecret(directory);
    this.loops = EventLoops.open("kudu-embedded", EventLoops.defaultThreads());
    for (int i = 0; i < settings.masters(); i++) {
      masters.add(masterSlot(settings, i));
    }
  }

  private ServerSlot masterSlot(ClusterSettings settings, int index) {
    boolean alone = settings.masters() == 1;
    ServerSlot slot =
        new ServerSlot(
            alone ? "master" : "master " + index,
            MasterOptions.all(),
            EmbeddedCluster::startMaster,
            share(MASTER_MEMORY_BYTES, settings),
            directory.resolve(index == 0 ? "master" : "master-" + index),
            settings.ports().masterRpc(index),
            () -> masterFlags(settings, index));
    if (!alone) {
      slot.choosePort();
    }
    return slot;
  }

  private static ServerSlot.Started startMaster(Flags flags, JvmShare share) {
    Master master = Master.start(flags, share);
    return new ServerSlot.Started(
        master.process(), master.opened(), master.leadership()::isLeading);
  }

  private static ServerSlot.Started startTabletServer(Flags flags, JvmShare share) {
    TabletServer server = TabletServer.start(flags, share);
    return new ServerSlot.Started(server.process(), server.opened(), () -> false);
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("kudu-embedded-");
    } catch (IOException e) {
      throw KuduException.ioError(e, "Cannot make a temporary directory: %s", e);
    }
  }

  private JvmShare share(long memoryBytes, ClusterSettings settings) {
    return new JvmShare(MemoryBudget.heapFor(memoryBytes), Optional.of(loops), settings.log());
  }

  private List<String> masterFlags(ClusterSettings settings, int index) {
    List<String> flags = new ArrayList<>();
    if (masters.size() > 1) {
      flags.add("--master_addresses=" + masterAddresses());
    }
    flags.add("--default_num_replicas=" + settings.replicationFactor());
    flags.add("--memory_limit_hard_bytes=" + MASTER_MEMORY_BYTES);
    addWebFlags(flags, settings.webPages(), settings.ports().masterWeb(index));
    addSecret(flags);
    flags.addAll(settings.flags());
    flags.addAll(settings.masterFlags());
    return flags;
  }

  private List<String> tabletServerFlags(ClusterSettings settings, int index) {
    List<String> flags = new ArrayList<>();
    flags.add("--tserver_master_addrs=" + masterAddresses());
    flags.add("--memory_limit_hard_bytes=" + settings.memoryBytes());
    addWebFlags(flags, settings.webPages(), settings.ports().tabletServerWeb(index));
    addSecret(flags);
    flags.addAll(settings.flags());
    flags.addAll(settings.tabletServerFlags());
    return flags;
  }

  /**
   * Adds a secret, so other processes on this machine cannot pretend to be servers of the cluster.
   */
  private void addSecret(List<String> flags) {
    flags.add("--cluster_secret_file=" + directory.resolve(SECRET_FILE));
  }

  private static void makeSecret(Path directory) {
    Path file = directory.resolve(SECRET_FILE);
    try {
      Files.createDirectories(directory);
      if (!Files.exists(file)) {
        ClusterSecret.random().write(file);
      }
    } catch (IOException e) {
      throw KuduException.ioError(e, "Cannot write the cluster's secret %s: %s", file, e);
    }
  }

  private static void addWebFlags(List<String> flags, boolean webPages, int port) {
    flags.add("--webserver_enabled=" + webPages);
    flags.add("--webserver_interface=" + HOST);
    flags.add("--webserver_port=" + port);
  }

  /** Creates a builder; by default the cluster is temporary and has one tablet server. */
  public static Builder builder() {
    return new Builder();
  }

  private void start(ClusterSettings settings) {
    masters.forEach(ServerSlot::start);
    for (int i = 0; i < settings.tabletServers(); i++) {
      int index = i;
      ServerSlot slot =
          new ServerSlot(
              "tablet server " + index,
              TabletServerOptions.all(),
              EmbeddedCluster::startTabletServer,
              share(settings.memoryBytes(), settings),
              directory.resolve("tserver-" + index),
              settings.ports().tabletServerRpc(index),
              () -> tabletServerFlags(settings, index));
      tabletServers.add(slot);
      slot.start();
    }
    slots().forEach(slot -> slot.awaitOpen(START_TIMEOUT_MILLIS));
    try (LiveServers live = new LiveServers(loops, resolvedMasters())) {
      live.await(settings.tabletServers(), START_TIMEOUT_MILLIS);
    }
  }

  private Stream<ServerSlot> slots() {
    return Stream.concat(masters.stream(), tabletServers.stream());
  }

  private List<InetSocketAddress> resolvedMasters() {
    return masters.stream().map(slot -> slot.address().resolve()).toList();
  }

  /** The masters' addresses, separated by commas, for clients. */
  public String masterAddresses() {
    return masters.stream().map(slot -> slot.address().toString()).collect(Collectors.joining(","));
  }

  public int masterCount() {
    return masters.size();
  }

  /**
   * The address of a master, even while it is stopped.
   *
   * @param index from 0
   */
  public synchronized HostPort masterAddress(int index) {
    return master(index).address();
  }

  /** The uuid of a master; it never changes. */
  public synchronized String masterUuid(int index) {
    return master(index).uuid();
  }

  public synchronized boolean isMasterRunning(int index) {
    return master(index).isRunning();
  }

  /** The leading master; empty if there is none. */
  public synchronized OptionalInt leadingMaster() {
    return IntStream.range(0, masters.size()).filter(i -> masters.get(i).isLeading()).findFirst();
  }

  /** Stops a master; its files stay. Does nothing if it is stopped. */
  public synchronized void stopMaster(int index) {
    checkOpen();
    master(index).stop();
  }

  /**
   * Starts a stopped master with its files and its port, and waits until its catalog is open. A
   * leader is elected soon after, if a majority of the masters is running. Does nothing if the
   * master is running.
   */
  public synchronized void startMaster(int index) {
    checkOpen();
    master(index).start();
    master(index).awaitOpen(START_TIMEOUT_MILLIS);
  }

  private ServerSlot master(int index) {
    if (index < 0 || index >= masters.size()) {
      throw KuduException.invalidArgument(
          "There is no master %d; the cluster has %d masters, counted from 0",
          index, masters.size());
    }
    return masters.get(index);
  }

  /** The only client that this object creates. It is closed with the cluster. */
  public synchronized KuduClient client() {
    checkOpen();
    if (client == null) {
      client = new KuduClient.KuduClientBuilder(masterAddresses()).build();
    }
    return client;
  }

  /** The directory of the servers' files. */
  public Path directory() {
    return directory;
  }

  public synchronized int tabletServerCount() {
    return tabletServers.size();
  }

  /**
   * The address of a tablet server, even while it is stopped.
   *
   * @param index from 0
   */
  public synchronized HostPort tabletServerAddress(int index) {
    return slot(index).address();
  }

  /** The uuid of a tablet server; it never changes. */
  public synchronized String tabletServerUuid(int index) {
    return slot(index).uuid();
  }

  public synchronized boolean isTabletServerRunning(int index) {
    return slot(index).isRunning();
  }

  /** Stops a tablet server; its files stay. Does nothing if it is stopped. */
  public synchronized void stopTabletServer(int index) {
    checkOpen();
    slot(index).stop();
  }

  /**
   * Starts a stopped tablet server with its files and its port, and waits until its tablets are
   * open. Does nothing if it is running.
   */
  public synchronized void startTabletServer(int index) {
    checkOpen();
    slot(index).start();
    slot(index).awaitOpen(START_TIMEOUT_MILLIS);
  }

  /** The web addresses of the running servers, masters first; empty without web pages. */
  public synchronized List<HostPort> webAddresses() {
    return slots()
        .filter(ServerSlot::isRunning)
        .flatMap(slot -> slot.process().identity().httpAddresses().get().stream())
        .toList();
  }

  /** The running master, for tests. */
  synchronized ServerProcess masterProcess(int index) {
    return master(index).process();
  }

  /** The running tablet server, for tests. */
  synchronized ServerProcess tabletServerProcess(int index) {
    return slot(index).process();
  }

  private ServerSlot slot(int index) {
    if (index < 0 || index >= tabletServers.size()) {
      throw KuduException.invalidArgument(
          "There is no tablet server %d; the cluster has %d tablet servers, counted from 0",
          index, tabletServers.size());
    }
    return tabletServers.get(index);
  }

  private void checkOpen() {
    if (closed) {
      throw new KuduException(StatusCode.ILLEGAL_STATE, "The cluster is closed");
    }
  }

  /** Stops everything in bounded time. A second close does nothing. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    closeClient();
    closeTogether(tabletServers);
    closeTogether(masters);
    loops.close();
    if (temporary) {
      deleteDirectory();
    }
  }

  private void closeClient() {
    if (client != null) {
      try {
        client.close();
      } catch (Exception e) {
        LOG.warn("Closing the client failed", e);
      }
    }
  }

  /** Closes in parallel: closing one after another would cause needless leader elections. */
  private static void closeTogether(List<ServerSlot> slots) {
    List<Thread> closers = new ArrayList<>();
    for (ServerSlot slot : slots) {
      Thread closer = new Thread(slot::close, "close " + slot.name());
      closer.start();
      closers.add(closer);
    }
    boolean interrupted = false;
    for (Thread closer : closers) {
      while (closer.isAlive()) {
        try {
          closer.join();
        } catch (InterruptedException e) {
          interrupted = true; // servers close in bounded time; a partial close would leak resources
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void deleteDirectory() {
    try {
      new LocalFileStore().deleteTree(directory);
    } catch (IOException e) {
      LOG.warn("Cannot delete the temporary directory {}: {}", directory, e.toString());
    }
  }

  /** Configures a cluster. */
  public static final class Builder {
    /** Default memory of each tablet server. */
    public static final long DEFAULT_MEMORY_BYTES = 256L << 20;

    private int masters = 1;
    private int tabletServers = 1;
    private int replicationFactor;
    private Path directory;
    private ClusterPorts ports = ClusterPorts.FREE;
    private long memoryBytes = DEFAULT_MEMORY_BYTES;
    private boolean webPages;
    private RecentLog log = RecentLog.NONE;
    private final List<String> flags = new ArrayList<>();
    private final List<String> masterFlags = new ArrayList<>();
    private final List<String> tabletServerFlags = new ArrayList<>();

    private Builder() {}

    /** Number of masters: one, three or five; the default is one. */
    public Builder masters(int count) {
      this.masters = count;
      return this;
    }

    public Builder tabletServers(int count) {
      this.tabletServers = count;
      return this;
    }

    /**
     * Number of replicas of new tables that do not specify it. The default is three, or one if the
     * cluster has fewer than three servers.
     */
    public Builder replicationFactor(int replicas) {
      this.replicationFactor = replicas;
      return this;
    }

    /**
     * Directory of the servers' files; files of an earlier cluster are opened again. The default is
     * a temporary directory, which is deleted when the cluster is closed.
     */
    public Builder directory(Path path) {
      this.directory = path.toAbsolutePath();
      return this;
    }

    /** The ports to listen on. By default the cluster selects free ports. */
    public Builder ports(ClusterPorts chosen) {
      this.ports = chosen;
      return this;
    }

    /** Memory limit of each tablet server: its part of the heap and its off-heap memory. */
    public Builder memoryPerServerBytes(long bytes) {
      this.memoryBytes = bytes;
      return this;
    }

    /** Whether the servers serve health, metrics and pages over HTTP; the default is false. */
    public Builder webPages(boolean wanted) {
      this.webPages = wanted;
      return this;
    }

    /** The log lines of this program that the web pages show; none by default. */
    public Builder recentLog(RecentLog recent) {
      this.log = recent;
      return this;
    }

    /**
     * Adds a flag of all servers, as on their command lines: {@code
     * --raft_heartbeat_interval_ms=100}.
     */
    public Builder flag(String flag) {
      flags.add(flag);
      return this;
    }

    /** Adds a flag of the masters. */
    public Builder masterFlag(String flag) {
      masterFlags.add(flag);
      return this;
    }

    /** Adds a flag of the tablet servers. */
    public Builder tabletServerFlag(String flag) {
      tabletServerFlags.add(flag);
      return this;
    }

    private ClusterSettings settings() {
      return new ClusterSettings(
          masters,
          tabletServers,
          replicationFactor == 0
              ? ClusterSettings.usualReplicationFactor(tabletServers)
              : replicationFactor,
          Optional.ofNullable(directory),
          ports,
          memoryBytes,
          webPages,
          log,
          flags,
          masterFlags,
          tabletServerFlags);
    }

    /**
     * Starts the cluster; when this returns, tables can be created.
     *
     * @throws KuduException if the cluster cannot start; the message is for the user, and all
     *     resources are released
     */
    public EmbeddedCluster start() {
      ClusterSettings settings = settings();
      EmbeddedCluster cluster = new EmbeddedCluster(settings);
      try {
        cluster.start(settings);
        return cluster;
      } catch (RuntimeException e) {
        cluster.close();
        throw e;
      }
    }
  }
}
