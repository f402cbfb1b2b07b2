package dev.kudu4j.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One master and some tablet servers of a distribution, as processes on this machine. */
public final class Cluster implements TargetCluster {
  private static final int ANY_PORT = 0;
  private static final String REQUEST_THREADS = "kudu-tserver-";
  private static final String RUNNING = "/metrics?metrics=tablets_num_running";
  private static final long IDLE_WINDOW_MILLIS = 500;
  private static final long IDLE_TICKS_PER_WINDOW = 5;
  private static final long IDLE_TIMEOUT_MILLIS = 120_000;

  private final Distribution distribution;
  private final StatusClient rpc;
  private final ServerProcess master;
  private final List<ServerProcess> tabletServers;
  private final long masterStartNanos;
  private final long tabletServerStartNanos;

  private Cluster(
      Distribution distribution,
      StatusClient rpc,
      ServerProcess master,
      long masterStartNanos,
      List<ServerProcess> tabletServers,
      long tabletServerStartNanos) {
    this.distribution = distribution;
    this.rpc = rpc;
    this.master = master;
    this.masterStartNanos = masterStartNanos;
    this.tabletServers = new ArrayList<>(tabletServers);
    this.tabletServerStartNanos = tabletServerStartNanos;
  }

  /**
   * Starts the master, then the tablet servers, one at a time.
   *
   * @param flags flags for all daemons
   * @param rpc borrowed until the cluster is closed
   */
  public static Cluster start(
      Distribution distribution,
      Path directory,
      int tabletServerCount,
      List<String> flags,
      StatusClient rpc) {
    return start(distribution, directory, ANY_PORT, tabletServerCount, flags, rpc);
  }

  /**
   * Starts a cluster whose master has the given port.
   *
   * @param masterPort 0 for any free port
   */
  static Cluster start(
      Distribution distribution,
      Path directory,
      int masterPort,
      int tabletServerCount,
      List<String> flags,
      StatusClient rpc) {
    List<ServerProcess> started = new ArrayList<>();
    try {
      ServerProcess master =
          ServerProcess.launch(
              distribution, Daemon.MASTER, directory.resolve("master"), masterPort, flags);
      started.add(master);
      long masterStartNanos = master.awaitAnswer(rpc);
      List<String> tabletServerFlags = new ArrayList<>(flags);
      tabletServerFlags.add("--tserver_master_addrs=" + hostAndPort(master));
      long firstStartNanos = 0;
      for (int i = 0; i < tabletServerCount; i++) {
        Path home = directory.resolve("tserver" + i);
        ServerProcess server =
            ServerProcess.launch(
                distribution, Daemon.TABLET_SERVER, home, ANY_PORT, tabletServerFlags);
        started.add(server);
        long startNanos = server.awaitAnswer(rpc);
        firstStartNanos = i == 0 ? startNanos : firstStartNanos;
      }
      List<ServerProcess> tabletServers = started.subList(1, started.size());
      return new Cluster(
          distribution, rpc, master, masterStartNanos, tabletServers, firstStartNanos);
    } catch (RuntimeException | Error e) {
      started.forEach(ServerProcess::close);
      throw e;
    }
  }

  private static String hostAndPort(ServerProcess server) {
    return server.address().getAddress().getHostAddress() + ":" + server.address().getPort();
  }

  @Override
  public String masterAddresses() {
    return hostAndPort(master);
  }

  /** Time from the start of the master's process to its first answer. */
  public long masterStartNanos() {
    return masterStartNanos;
  }

  /** Time from the start of the first tablet server's process to its first answer. */
  public long tabletServerStartNanos() {
    return tabletServerStartNanos;
  }

  /** CPU time of all servers so far, with a resolution of 10 ms. */
  @Override
  public double cpuNanos() {
    return cpuTicks() * (1e9 / ProcStat.TICKS_PER_SECOND);
  }

  /** Of Kudu4j's servers; unknown for others. */
  @Override
  public ThreadTimes requestThreads() {
    return ThreadTimes.of(
        tabletServers.stream().flatMap(ServerProcess::pids).toList(), REQUEST_THREADS);
  }

  private long cpuTicks() {
    return master.cpuTicks() + tabletServers.stream().mapToLong(ServerProcess::cpuTicks).sum();
  }

  public List<ServerProcess> tabletServers() {
    return List.copyOf(tabletServers);
  }

  /** Kills a tablet server with SIGKILL and starts it again with the same data and address. */
  public ServerProcess killAndRestart(int index) {
    ServerProcess restarted = tabletServers.get(index).killAndRestart();
    tabletServers.set(index, restarted);
    return restarted;
  }

  /** Number of replicas that run on a tablet server; 0 while it does not answer. */
  public long runningTablets(ServerProcess tabletServer) {
    if (!rpc.hasWebPages(tabletServer.address())) {
      return 0;
    }
    for (JsonNode entity : WebPage.json(rpc.webAddress(tabletServer.address()), RUNNING)) {
      for (JsonNode metric : entity.path("metrics")) {
        return metric.path("value").asLong();
      }
    }
    return 0;
  }

  /** The current counters of one of our servers. */
  public ServerCounts counts(ServerProcess server) {
    return ServerCounts.read(rpc.webAddress(server.address()));
  }

  @Override
  public void flush() {
    tabletServers.forEach(server -> distribution.flush(server, rpc));
  }

  @Override
  public double dataBytes() {
    return tabletServers.stream().mapToLong(server -> distribution.dataBytes(server, rpc)).sum();
  }

  @Override
  public double fileBytes() {
    return tabletServers.stream().mapToLong(ServerProcess::fileBytes).sum();
  }

  @Override
  public void awaitIdle() {
    Poll.until(
        "each server uses less than a twentieth of a processor while no client calls it",
        IDLE_TIMEOUT_MILLIS,
        0,
        this::isIdle);
  }

  private boolean isIdle() {
    long before = cpuTicks();
    Poll.pause(IDLE_WINDOW_MILLIS);
    return cpuTicks() - before < IDLE_TICKS_PER_WINDOW * (1 + tabletServers.size()) / 2;
  }

  @Override
  public void close() {
    try (master) {
      tabletServers.forEach(ServerProcess::close);
    }
  }
}
