package dev.kudu4j.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The ports of the servers of a cluster. The ports of the second server of a kind are {@link #STEP}
 * above those of the first, and so on. If a port is 0, the cluster selects a free port.
 */
public record ClusterPorts(int masterRpc, int masterWeb, int tabletServerRpc, int tabletServerWeb) {
  public static final int STEP = 100;

  /** The default ports of Apache Kudu. */
  public static final ClusterPorts STANDARD = new ClusterPorts(7051, 8051, 7050, 8050);

  /** Free ports, selected by the cluster. */
  public static final ClusterPorts FREE = new ClusterPorts(0, 0, 0, 0);

  /** A port and its purpose. */
  public record Use(int port, Purpose purpose, int serverIndex) {}

  /** The purpose of a port. */
  public enum Purpose {
    MASTER_RPC,
    MASTER_WEB,
    TABLET_SERVER_RPC,
    TABLET_SERVER_WEB
  }

  /** RPC port of a master; 0 if the cluster selects it. The first master has index 0. */
  public int masterRpc(int index) {
    return stepped(masterRpc, index);
  }

  /** Web port of a master; 0 if the cluster selects it. The first master has index 0. */
  public int masterWeb(int index) {
    return stepped(masterWeb, index);
  }

  /** RPC port of a tablet server; 0 if the cluster selects it. The first one has index 0. */
  public int tabletServerRpc(int index) {
    return stepped(tabletServerRpc, index);
  }

  /** Web port of a tablet server; 0 if the cluster selects it. The first one has index 0. */
  public int tabletServerWeb(int index) {
    return stepped(tabletServerWeb, index);
  }

  private static int stepped(int first, int index) {
    return first == 0 ? 0 : first + STEP * index;
  }

  /**
   * All fixed ports of a cluster with these numbers of servers. Free ports that the cluster selects
   * are omitted.
   */
  public List<Use> uses(int masters, int tabletServers) {
    List<Use> all = new ArrayList<>();
    for (int i = 0; i < masters; i++) {
      all.add(new Use(masterRpc(i), Purpose.MASTER_RPC, i));
      all.add(new Use(masterWeb(i), Purpose.MASTER_WEB, i));
    }
    for (int i = 0; i < tabletServers; i++) {
      all.add(new Use(tabletServerRpc(i), Purpose.TABLET_SERVER_RPC, i));
      all.add(new Use(tabletServerWeb(i), Purpose.TABLET_SERVER_WEB, i));
    }
    all.removeIf(use -> use.port == 0);
    return all;
  }

  /** A port that two servers of the cluster would share; empty if there is none. */
  public OptionalInt clash(int masters, int tabletServers) {
    List<Integer> ports = uses(masters, tabletServers).stream().map(Use::port).sorted().toList();
    for (int i = 1; i < ports.size(); i++) {
      if (ports.get(i).equals(ports.get(i - 1))) {
        return OptionalInt.of(ports.get(i));
      }
    }
    return OptionalInt.empty();
  }
}
