package dev.kudu4j.itest.support;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A separate network for some servers: each has a network namespace with an address, a bridge joins
 * them, and this JVM has the bridge's address. Links can be cut in one direction.
 *
 * <pre>
 *   namespace 1      namespace 2      namespace n
 *   198.18.x.11      198.18.x.12      198.18.x.(10+n)
 *        |                |                |
 *   =====+================+================+=====  bridge, 198.18.x.1: host 0, this JVM
 * </pre>
 *
 * <p>A cut link drops packets, like a broken switch: no endpoint gets an error, open connections
 * stay open, and packets are delivered late when the link is restored. The sender gets an unused
 * hardware address for the receiver; that needs only {@code ip}, no firewall.
 *
 * <p>Needs the right to create namespaces: root, or a user within {@code unshare --user
 * --map-root-user --net --mount}.
 */
public final class Network implements AutoCloseable {
  /** Host number of this JVM. */
  public static final int OUTSIDE = 0;

  private static final String NOBODY = "02:00:00:00:ff:ff";

  private final String name = "k4j" + ProcessHandle.current().pid() % 1_000_000;
  private final String subnet;
  private final int hostCount;
  private final Map<Link, Integer> cuts = new HashMap<>();
  private final List<String[]> undo = new ArrayList<>();
  private final Thread closeAtExit = new Thread(this::undoAll);

  private record Link(int from, int to) {}

  private Network(int hostCount) {
    this.hostCount = hostCount;
    this.subnet = "198.18." + ProcessHandle.current().pid() % 256 + ".";
  }

  /** The reason why this machine cannot have such a network, for the log; empty if it can. */
  public static Optional<String> trouble() {
    try (Network trial = new Network(1)) {
      trial.build();
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * @param hostCount number of hosts besides this JVM, numbered from 1
   */
  public static Network create(int hostCount) {
    Network network = new Network(hostCount);
    try {
      network.build();
      return network;
    } catch (AssertionError e) {
      network.close();
      throw e;
    }
  }

  private void build() {
    Runtime.getRuntime().addShutdownHook(closeAtExit);
    make("ip link add " + name + " type bridge", "ip link del " + name);
    run("ip addr add " + address(OUTSIDE) + "/24 dev " + name);
    run("ip link set " + name + " up");
    for (int host = 1; host <= hostCount; host++) {
      String space = space(host);
      String port = name + "-" + host;
      make("ip netns add " + space, "ip netns del " + space);
      make(
          "ip link add " + port + " type veth peer name eth0 netns " + space,
          "ip link del " + port);
      run("ip link set " + port + " master " + name);
      run("ip link set " + port + " up");
      run("ip -n " + space + " link set lo up");
      run("ip -n " + space + " addr add " + address(host) + "/24 dev eth0");
      run("ip -n " + space + " link set eth0 up");
    }
  }

  private void make(String command, String undone) {
    run(command);
    undo.add(0, undone.split(" "));
  }

  private static void run(String command) {
    Shell.run(command.split(" "));
  }

  private String space(int host) {
    return name + "-" + host;
  }

  private String address(int host) {
    return subnet + (host == OUTSIDE ? 1 : 10 + host);
  }

  /** The site of a server on this host. */
  public Site site(int host) {
    return new Site(address(host), List.of("ip", "netns", "exec", space(host)));
  }

  /** Drops packets from {@code from} to {@code to}; the other direction is not affected. */
  public void cut(int from, int to) {
    if (cuts.merge(new Link(from, to), 1, Integer::sum) == 1) {
      neighbour(from, "replace " + address(to) + " lladdr " + NOBODY + " nud permanent");
    }
  }

  /** Delivers packets from {@code from} to {@code to} again, when every cut has been joined. */
  public void join(int from, int to) {
    if (cuts.merge(new Link(from, to), -1, Integer::sum) == 0) {
      neighbour(from, "del " + address(to));
    }
  }

  private void neighbour(int host, String what) {
    String where = host == OUTSIDE ? "" : "-n " + space(host) + " ";
    String device = host == OUTSIDE ? name : "eth0";
    run("ip " + where + "neigh " + what + " dev " + device);
  }

  private synchronized void undoAll() {
    undo.forEach(Shell::complaint);
    undo.clear();
  }

  @Override
  public void close() {
    undoAll();
    try {
      Runtime.getRuntime().removeShutdownHook(closeAtExit);
    } catch (IllegalStateException shuttingDown) {
      // The JVM is already shutting down.
    }
  }
}
