package dev.kudu4j.benchmarks.cluster;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** A master process without tablet servers. */
public final class LoneMaster implements AutoCloseable {
  private final ServerProcess process;

  private LoneMaster(ServerProcess process) {
    this.process = process;
  }

  /** Starts the master and waits until it answers. */
  public static LoneMaster start(Distribution distribution, Path directory, String... flags) {
    ServerProcess process =
        ServerProcess.launch(
            distribution, Daemon.MASTER, directory.resolve("master"), 0, List.of(flags));
    try (StatusClient rpc = new StatusClient()) {
      process.awaitAnswer(rpc);
      return new LoneMaster(process);
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  public InetSocketAddress address() {
    return process.address();
  }

  /** The CPU time that the master has used, in user and system mode. */
  public double cpuNanos() {
    return process.cpuTicks() * (1e9 / ProcStat.TICKS_PER_SECOND);
  }

  @Override
  public void close() {
    process.close();
  }
}
