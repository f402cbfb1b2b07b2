package dev.kudu4j.spark;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.raft.FreePort;
import dev.kudu4j.tserver.TabletServer;
import dev.kudu4j.tserver.TabletServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An additional tablet server of a cluster, in a separate process that a test can kill. After a
 * restart it has the same files and port.
 */
public final class TabletServerProcess implements AutoCloseable {
  private static final int END_SECONDS = 30;

  private final List<String> command = new ArrayList<>();
  private final Path log;
  private final int port;
  private Process process;

  /**
   * Starts a server.
   *
   * @param name the name of its directory and of its output file, in the cluster's directory
   */
  public TabletServerProcess(EmbeddedCluster cluster, String name) {
    Path directory = cluster.directory().resolve(name);
    this.log = cluster.directory().resolve(name + ".log");
    this.port = freePort();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:MaxDirectMemorySize=384m"));
    command.addAll(List.of(System.getProperty("test.jit", "-XX:TieredStopAtLevel=1").split(" ")));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(TabletServerProcess.class.getName());
    command.add("--fs_wal_dir=" + directory);
    command.add("--rpc_bind_addresses=" + EmbeddedCluster.HOST + ":" + port);
    command.add("--tserver_master_addrs=" + cluster.masterAddresses());
    command.add("--cluster_secret_file=" + cluster.directory().resolve("cluster-secret"));
    command.add("--webserver_enabled=false");
    command.add("--memory_limit_hard_bytes=" + (512L << 20));
    start();
  }

  private static int freePort() {
    try {
      return FreePort.find(InetAddress.getByName(EmbeddedCluster.HOST), new SecureRandom());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Entry point of the child process, which exits when its parent exits. */
  public static void main(String[] flags) throws IOException {
    TabletServer.start(FlagParser.parse(TabletServerOptions.all(), List.of(flags)));
    while (System.in.read() >= 0) {
      // The parent writes nothing to the pipe; the read ends when the parent exits.
    }
    Runtime.getRuntime().halt(0);
  }

  public int port() {
    return port;
  }

  /** Starts the server, and does not wait for it. */
  public void start() {
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code kill -9}. */
  public void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("Process " + process.pid() + " did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
