package dev.kudu4j.itest.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One master and one tablet server of ours, each a process of its own, on free loopback ports. */
public final class LocalCluster implements AutoCloseable {
  private final Daemon master;
  private final Daemon tabletServer;

  public LocalCluster(Path directory, String... extraFlags) {
    int masterPort = freePort();
    int tabletServerPort = freePort();
    this.master =
        new Daemon(
            "master",
            masterPort,
            directory,
            flags(directory.resolve("m"), masterPort, null, extraFlags));
    this.tabletServer =
        new Daemon(
            "tserver",
            tabletServerPort,
            directory,
            flags(directory.resolve("t"), tabletServerPort, "127.0.0.1:" + masterPort, extraFlags));
  }

  private static List<String> flags(Path directory, int port, String masters, String... extra) {
    List<String> flags = new ArrayList<>();
    flags.add("--fs_wal_dir=" + directory);
    flags.add("--fs_data_dirs=" + directory);
    flags.add("--rpc_bind_addresses=127.0.0.1:" + port);
    flags.add("--webserver_interface=127.0.0.1");
    flags.add("--webserver_port=0");
    flags.add("--memory_limit_hard_bytes=" + (900L << 20));
    flags.add("--default_num_replicas=1");
    if (masters != null) {
      flags.add("--tserver_master_addrs=" + masters);
    }
    flags.addAll(List.of(extra));
    return flags;
  }

  /** Starts both and waits until the master knows the tablet server. */
  public LocalCluster start() {
    master.start();
    tabletServer.start();
    Await.until(
        "the tablet server is registered", 60_000, () -> AdminCalls.liveTabletServers(master) == 1);
    return this;
  }

  public Daemon master() {
    return master;
  }

  public Daemon tabletServer() {
    return tabletServer;
  }

  /** What a client is given. */
  public String masters() {
    return master.address();
  }

  /** {@code kill -9} of both, then a start of both. */
  public void killAndRestart() {
    tabletServer.kill();
    master.kill();
    start();
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    tabletServer.close();
    master.close();
  }
}
