package dev.kudu4j.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Which ports the servers of a cluster listen on. Those of the second server of a kind are {@link
 * #STEP} above those of the first, and so on. A port that is 0 is chosen by the cluster.
 */
public record ClusterPorts(int masterRpc, int masterWeb, int tabletServerRpc, int tabletServerWeb) {
  public static final int STEP = 100;

  /** Apache Kudu's. */
  public static final ClusterPorts STANDARD = new ClusterPorts(7051, 8051, 7050, 8050);

  /** Whatever is free. */
  public static final ClusterPorts FREE = new ClusterPorts(0, 0, 0, 0);

  /** A port, and what it is for. */
  public record Use(int port, Purpose purpose, int serverIndex) {}

  /** What a port is for. */
  public enum Purpose {
    MASTER_RPC,
    MASTER_WEB,
    TABLET_SERVER_RPC,
    TABLET_SERVER_WEB
  }

  /** Of the master {@code index}, from 0; 0 for a free one. */
  public int masterRpc(int index) {
    return stepped(masterRpc, index);
  }

  /** Of the master {@code index}, from 0; 0 for a free one. */
  public int masterWeb(int index) {
    return stepped(masterWeb, index);
  }

  /** Of the tablet server {@code index}, from 0; 0 for a free one. */
  public int tabletServerRpc(int index) {
    return stepped(tabletServerRpc, index);
  }

  /** Of the tablet server {@code index}, from 0; 0 for a free one. */
  public int tabletServerWeb(int index) {
    return stepped(tabletServerWeb, index);
  }

  private static int stepped(int first, int index) {
    return first == 0 ? 0 : first + STEP * index;
  }

  /** All ports of a cluster with so many servers; without those that are free to choose. */
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

  /** A port that two servers of the cluster would share. */
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
