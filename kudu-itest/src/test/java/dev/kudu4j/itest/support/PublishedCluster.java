package dev.kudu4j.itest.support;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One master and one tablet server of Apache Kudu, from the published binaries. They flush one
 * second after a write, without a request.
 */
public final class PublishedCluster implements Cluster {
  private final PublishedTool tool = PublishedTool.find();
  private final Daemon master;
  private final Daemon tabletServer;

  /**
   * @param extraFlags of both servers
   */
  public PublishedCluster(Path directory, String... extraFlags) {
    this.master = daemon("master", directory.resolve("m"), List.of(extraFlags));
    List<String> flags = new ArrayList<>(List.of(extraFlags));
    flags.add("--tserver_master_addrs=" + master.address());
    flags.add("--flush_threshold_secs=1");
    flags.add("--maintenance_manager_polling_interval_ms=50");
    flags.add("--heartbeat_interval_ms=200");
    this.tabletServer = daemon("tserver", directory.resolve("t"), flags);
  }

  private Daemon daemon(String kind, Path home, List<String> extra) {
    int port = Ports.free();
    List<String> arguments = new ArrayList<>(List.of(kind, "run"));
    arguments.add("--fs_wal_dir=" + home.resolve("wal"));
    arguments.add("--fs_data_dirs=" + home.resolve("data"));
    arguments.add("--log_dir=" + home);
    arguments.add("--logtostderr");
    arguments.add("--rpc_bind_addresses=127.0.0.1:" + port);
    arguments.add("--webserver_interface=127.0.0.1");
    arguments.add("--webserver_port=0");
    arguments.add("--unlock_unsafe_flags");
    arguments.add("--unlock_experimental_flags");
    arguments.add("--time_source=system_unsync");
    arguments.add("--default_num_replicas=1");
    arguments.add("--memory_limit_hard_bytes=" + (1L << 30));
    arguments.addAll(extra);
    return new Daemon(
        "published-" + kind, "127.0.0.1", port, home, tool.command(arguments), tool.environment());
  }

  /** Starts both and waits until the master knows the tablet server; stops both if that fails. */
  public PublishedCluster start() {
    try {
      launchAll();
      return this;
    } catch (RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  private void launchAll() {
    master.launch();
    tabletServer.launch();
    master.awaitPort();
    tabletServer.awaitPort();
    awaitTabletServers();
  }

  @Override
  public void awaitTabletServers() {
    await("the published tablet server is registered")
        .atMost(Duration.ofMinutes(2))
        .until(() -> AdminCalls.answersLiveTabletServers(master, 1));
  }

  @Override
  public Daemon master() {
    return master;
  }

  @Override
  public Daemon tabletServer() {
    return tabletServer;
  }

  @Override
  public String masters() {
    return master.address();
  }

  @Override
  public int tabletServerCount() {
    return 1;
  }

  @Override
  public int replicaCount() {
    return 1;
  }

  @Override
  public boolean isPublished() {
    return true;
  }

  @Override
  public void flush() {
    // These servers flush on their own; no result may depend on the time of a flush.
  }

  @Override
  public void close() {
    tabletServer.close();
    master.close();
  }
}
