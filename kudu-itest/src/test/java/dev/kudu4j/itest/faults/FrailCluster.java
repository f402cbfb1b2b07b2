package dev.kudu4j.itest.faults;

import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Network;
import dev.kudu4j.itest.support.Site;
import dev.kudu4j.itest.support.SmallDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Servers that support every fault: if the machine permits it, each has its own network address and
 * a small disk. Otherwise the faults that need these are omitted, and the log reports it.
 */
final class FrailCluster implements AutoCloseable {
  private static final int REPLICAS = 3;

  private static final List<String> JVM_OF_MASTER =
      List.of(
          "-Xms32m",
          "-Xmx128m",
          "-XX:MaxDirectMemorySize=128m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1");

  private final Roster roster;
  private final List<FaultKind> kinds;
  private final List<SmallDisk> disks = new ArrayList<>(); // of tablet servers
  private final Network network; // null if there can be none
  private final LocalCluster cluster;

  FrailCluster(Path directory, Roster roster) {
    this.roster = roster;
    this.kinds = new ArrayList<>(List.of(FaultKind.values()));
    this.network = newNetwork();
    mountDisks(directory);
    this.cluster =
        new LocalCluster(
            directory,
            roster.masters(),
            roster.tabletServers(),
            name -> name.startsWith("master") ? JVM_OF_MASTER : LocalCluster.SMALL_JVM,
            this::site,
            "--time_source=system_unsync",
            "--unlock_unsafe_flags", // for clocks that jump
            "--flush_threshold_secs=5",
            "--txn_manager_enabled",
            "--txn_manager_status_table_num_replicas=" + REPLICAS,
            "--txn_keepalive_interval_ms=5000",
            "--txn_staleness_tracker_interval_ms=500",
            "--memory_limit_hard_bytes=" + (600L << 20));
  }

  private Network newNetwork() {
    String trouble = Network.trouble().orElse(null);
    if (trouble == null) {
      return Network.create(roster.count());
    }
    kinds.removeIf(FaultKind::isOfLinks);
    System.out.println("faults: NO LINK IS CUT: " + trouble);
    return null;
  }

  private void mountDisks(Path directory) {
    String trouble =
        roster.tabletServers() <= REPLICAS
            ? "replicas that a full disk has broken are made anew on another server, and there is"
                + " none"
            : SmallDisk.trouble().orElse(null);
    if (trouble != null) {
      kinds.remove(FaultKind.FILL_DISK);
      System.out.println("faults: NO DISK IS FILLED: " + trouble);
      return;
    }
    for (int i = 0; i < roster.tabletServers(); i++) {
      disks.add(SmallDisk.mount(directory.resolve("t" + i)));
    }
  }

  private Site site(String name) {
    if (network == null) {
      return Site.LOOPBACK;
    }
    return network.site(host(roster.numbered(name)));
  }

  /** The network's number of a server, or of the clients. */
  private static int host(int server) {
    return server == Roster.CLIENTS ? Network.OUTSIDE : 1 + server;
  }

  void start() {
    cluster.start();
  }

  /** The faults that are possible on this machine. */
  List<FaultKind> kinds() {
    return kinds;
  }

  String masters() {
    return cluster.masters();
  }

  List<Daemon> tabletServers() {
    return cluster.tabletServers();
  }

  Daemon daemon(int server) {
    return roster.isMaster(server)
        ? cluster.allMasters().get(server)
        : cluster.tabletServers().get(server - roster.masters());
  }

  SmallDisk disk(int server) {
    return disks.get(server - roster.masters());
  }

  /** All servers but one. */
  List<Integer> others(int server) {
    return roster.others(server);
  }

  void cut(int from, int to) {
    network.cut(host(from), host(to));
  }

  void join(int from, int to) {
    network.join(host(from), host(to));
  }

  @Override
  public void close() {
    try {
      cluster.close();
    } finally {
      disks.forEach(SmallDisk::close);
      if (network != null) {
        network.close();
      }
    }
  }
}
