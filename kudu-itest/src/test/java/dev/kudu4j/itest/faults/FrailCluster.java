package dev.kudu4j.itest.faults;

import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Network;
import dev.kudu4j.itest.support.Site;
import dev.kudu4j.itest.support.SmallDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Servers to which everything can happen: where the machine permits, each has a network address and
 * a small disk of its own. Where it does not, the faults that need them are left out, and it says
 * so.
 */
final class FrailCluster implements AutoCloseable {
  static final int MASTER = 0;
  static final int CLIENTS = -1;

  private static final int REPLICAS = 3;

  private static final List<String> JVM =
      List.of(
          "-Xms64m",
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=384m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1");

  private final int tabletServers;
  private final List<FaultKind> kinds;
  private final List<SmallDisk> disks = new ArrayList<>(); // by server; without the master's
  private final Network network; // null where there can be none
  private final LocalCluster cluster;

  FrailCluster(Path directory, int tabletServers) {
    this.tabletServers = tabletServers;
    this.kinds = new ArrayList<>(List.of(FaultKind.values()));
    this.network = newNetwork();
    mountDisks(directory);
    this.cluster =
        new LocalCluster(
            directory,
            1,
            tabletServers,
            JVM,
            this::site,
            "--time_source=system_unsync",
            "--flush_threshold_secs=5",
            "--memory_limit_hard_bytes=" + (600L << 20));
  }

  private Network newNetwork() {
    String trouble = Network.trouble().orElse(null);
    if (trouble == null) {
      return Network.create(1 + tabletServers);
    }
    kinds.removeIf(FaultKind::isOfLinks);
    System.out.println("faults: NO LINK IS CUT: " + trouble);
    return null;
  }

  private void mountDisks(Path directory) {
    String trouble =
        tabletServers <= REPLICAS
            ? "replicas that a full disk has broken are made anew on another server, and there is none"
            : SmallDisk.trouble().orElse(null);
    if (trouble != null) {
      kinds.remove(FaultKind.FILL_DISK);
      System.out.println("faults: NO DISK IS FILLED: " + trouble);
      return;
    }
    for (int i = 0; i < tabletServers; i++) {
      disks.add(SmallDisk.mount(directory.resolve("t" + i)));
    }
  }

  private Site site(String name) {
    if (network == null) {
      return Site.LOOPBACK;
    }
    return network.site(name.equals("master") ? host(MASTER) : host(1 + numberIn(name)));
  }

  private static int numberIn(String name) {
    return Integer.parseInt(name.substring(name.indexOf('-') + 1));
  }

  /** The network's number of a server, or of the clients. */
  private static int host(int server) {
    return server == CLIENTS ? Network.OUTSIDE : 1 + server;
  }

  void start() {
    cluster.start();
  }

  /** What can happen here. */
  List<FaultKind> kinds() {
    return kinds;
  }

  String masters() {
    return cluster.masters();
  }

  Daemon daemon(int server) {
    return server == MASTER ? cluster.master() : cluster.tabletServers().get(server - 1);
  }

  SmallDisk disk(int server) {
    return disks.get(server - 1);
  }

  /** All servers but one. */
  List<Integer> others(int server) {
    return IntStream.rangeClosed(0, tabletServers).filter(s -> s != server).boxed().toList();
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
