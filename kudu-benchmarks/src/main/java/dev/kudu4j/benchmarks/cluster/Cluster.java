package dev.kudu4j.benchmarks.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One master and one tablet server of a distribution, up and known to each other. */
public final class Cluster implements AutoCloseable {
  private static final long IDLE_WINDOW_MILLIS = 500;
  private static final long IDLE_TICKS_PER_WINDOW = 5;
  private static final long IDLE_TIMEOUT_MILLIS = 120_000;

  private final Distribution distribution;
  private final StatusClient rpc;
  private final ServerProcess master;
  private final ServerProcess tabletServer;
  private final long masterStartNanos;
  private final long tabletServerStartNanos;

  private Cluster(
      Distribution distribution,
      StatusClient rpc,
      ServerProcess master,
      long masterStartNanos,
      ServerProcess tabletServer,
      long tabletServerStartNanos) {
    this.distribution = distribution;
    this.rpc = rpc;
    this.master = master;
    this.masterStartNanos = masterStartNanos;
    this.tabletServer = tabletServer;
    this.tabletServerStartNanos = tabletServerStartNanos;
  }

  /**
   * Starts the master, then the tablet server, each alone on the machine.
   *
   * @param flags for both daemons
   * @param rpc borrowed until the cluster is closed
   */
  public static Cluster start(
      Distribution distribution, Path directory, List<String> flags, StatusClient rpc) {
    ServerProcess master = null;
    ServerProcess tabletServer = null;
    try {
      master =
          ServerProcess.launch(distribution, Daemon.MASTER, directory.resolve("master"), flags);
      long masterStartNanos = master.awaitAnswer(rpc);
      List<String> tabletServerFlags = new ArrayList<>(flags);
      tabletServerFlags.add("--tserver_master_addrs=" + hostAndPort(master));
      tabletServer =
          ServerProcess.launch(
              distribution, Daemon.TABLET_SERVER, directory.resolve("tserver"), tabletServerFlags);
      long tabletServerStartNanos = tabletServer.awaitAnswer(rpc);
      return new Cluster(
          distribution, rpc, master, masterStartNanos, tabletServer, tabletServerStartNanos);
    } catch (RuntimeException | Error e) {
      if (tabletServer != null) {
        tabletServer.close();
      }
      if (master != null) {
        master.close();
      }
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

  /** From the start of the process to its first answer. */
  public long tabletServerStartNanos() {
    return tabletServerStartNanos;
  }

  /** Processor time of both servers so far, in nanoseconds; it moves in steps of 10 ms. */
  public long cpuNanos() {
    return (master.cpuTicks() + tabletServer.cpuTicks())
        * (1_000_000_000L / ProcStat.TICKS_PER_SECOND);
  }

  /** Returns when the tablet server's rows are on disk. */
  public void flush() {
    distribution.flush(tabletServer, rpc);
  }

  /** Returns when the servers have stopped working for themselves: flushing, compacting. */
  public void awaitIdle() {
    Poll.until(
        "servers use less than a tenth of a processor while nothing is asked of them",
        IDLE_TIMEOUT_MILLIS,
        0,
        this::isIdle);
  }

  private boolean isIdle() {
    long before = master.cpuTicks() + tabletServer.cpuTicks();
    Poll.pause(IDLE_WINDOW_MILLIS);
    return master.cpuTicks() + tabletServer.cpuTicks() - before < IDLE_TICKS_PER_WINDOW;
  }

  @Override
  public void close() {
    try (master) {
      tabletServer.close();
    }
  }
}
