package dev.kudu4j.benchmarks.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One master and some tablet servers of a distribution. */
public final class Cluster implements AutoCloseable {
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
    this.tabletServers = List.copyOf(tabletServers);
    this.tabletServerStartNanos = tabletServerStartNanos;
  }

  /**
   * Starts the master, then the tablet servers, each alone on the machine.
   *
   * @param flags for all daemons
   * @param rpc borrowed until the cluster is closed
   */
  public static Cluster start(
      Distribution distribution,
      Path directory,
      int tabletServerCount,
      List<String> flags,
      StatusClient rpc) {
    List<ServerProcess> started = new ArrayList<>();
    try {
      ServerProcess master =
          ServerProcess.launch(distribution, Daemon.MASTER, directory.resolve("master"), flags);
      started.add(master);
      long masterStartNanos = master.awaitAnswer(rpc);
      List<String> tabletServerFlags = new ArrayList<>(flags);
      tabletServerFlags.add("--tserver_master_addrs=" + hostAndPort(master));
      long firstStartNanos = 0;
      for (int i = 0; i < tabletServerCount; i++) {
        Path home = directory.resolve("tserver" + i);
        ServerProcess server =
            ServerProcess.launch(distribution, Daemon.TABLET_SERVER, home, tabletServerFlags);
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

  /** What a client is given. */
  public String masterAddress() {
    return hostAndPort(master);
  }

  /** From the start of the process to its first answer. */
  public long masterStartNanos() {
    return masterStartNanos;
  }

  /** Of the first one: from the start of the process to its first answer. */
  public long tabletServerStartNanos() {
    return tabletServerStartNanos;
  }

  /** Processor time of all servers so far, in nanoseconds; it moves in steps of 10 ms. */
  public long cpuNanos() {
    return cpuTicks() * (1_000_000_000L / ProcStat.TICKS_PER_SECOND);
  }

  private long cpuTicks() {
    return master.cpuTicks() + tabletServers.stream().mapToLong(ServerProcess::cpuTicks).sum();
  }

  public List<ServerProcess> tabletServers() {
    return tabletServers;
  }

  /** What a server of ours counts, now. */
  public ServerCounts counts(ServerProcess server) {
    return ServerCounts.read(rpc.webAddress(server.address()));
  }

  /** Returns when the tablet servers' rows are on disk. */
  public void flush() {
    tabletServers.forEach(server -> distribution.flush(server, rpc));
  }

  /** Returns when the servers have stopped working for themselves: flushing, compacting. */
  public void awaitIdle() {
    Poll.until(
        "servers use less than a twentieth of a processor each while nothing is asked of them",
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
