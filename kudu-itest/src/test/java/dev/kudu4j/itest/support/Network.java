package dev.kudu4j.itest.support;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network of its own for some servers: each has a network namespace with an address, all are
 * joined by a bridge, and this JVM has the bridge's address. Links can be cut in one direction.
 *
 * <pre>
 *   namespace 1      namespace 2      namespace n
 *   198.18.x.11      198.18.x.12      198.18.x.(10+n)
 *        |                |                |
 *   =====+================+================+=====  bridge, 198.18.x.1: host 0, this JVM
 * </pre>
 *
 * <p>A cut link swallows packets, as a broken switch does: nobody is told, open connections stay
 * open, and what was sent comes late when the link is whole again. It is made by telling the sender
 * a hardware address that nobody has; that takes nothing but {@code ip}, no firewall.
 *
 * <p>It takes the right to make namespaces: root, or a user within {@code unshare --user
 * --map-root-user --net --mount}.
 */
public final class Network implements AutoCloseable {
  /** This JVM. */
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

  /** Why there can be no network of this kind here, in words for a log; empty when there can. */
  public static Optional<String> trouble() {
    try (Network trial = new Network(1)) {
      trial.build();
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * @param hostCount besides this JVM, numbered from 1
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

  /** Where a server lives that is to be this host. */
  public Site site(int host) {
    return new Site(address(host), List.of("ip", "netns", "exec", space(host)));
  }

  /** From now on what {@code from} sends to {@code to} does not arrive; the other way it does. */
  public void cut(int from, int to) {
    if (cuts.merge(new Link(from, to), 1, Integer::sum) == 1) {
      neighbour(from, "replace " + address(to) + " lladdr " + NOBODY + " nud permanent");
    }
  }

  /** What {@code from} sends to {@code to} arrives again, when every cut is healed. */
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
      // The hook runs already.
    }
  }
}
