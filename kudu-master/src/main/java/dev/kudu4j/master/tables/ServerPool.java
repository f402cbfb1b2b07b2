package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.heartbeat.TabletServer;
import dev.kudu4j.master.heartbeat.TabletServers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The servers that may get replicas: live ones that no operator is about to take away. */
public record ServerPool(Catalog catalog, TabletServers servers) {
  /** Servers for all replicas of a new tablet: fresh ones, if they are enough. */
  public List<TabletServer> forTablet(int replicas) {
    return servers.forPlacement(replicas, this::takesReplicas);
  }

  /** Servers for one more replica of a tablet. None is chosen that is not heard of just now. */
  public List<TabletServer> forReplica() {
    return servers.forPlacement(0, this::takesReplicas);
  }

  /** Whether no operator has said that the server may fail or is to go. */
  boolean isWanted(TabletServer server) {
    return takesReplicas(server);
  }

  private boolean takesReplicas(TabletServer server) {
    return catalog.takesReplicas(server.uuid());
  }

  /** Those servers that are registered. */
  List<TabletServer> known(Collection<String> uuids) {
    List<TabletServer> known = new ArrayList<>(uuids.size());
    for (String uuid : uuids) {
      TabletServer server = servers.get(uuid);
      if (server != null) {
        known.add(server);
      }
    }
    return known;
  }

  /** In how many locations there are servers. */
  int locations() {
    return (int) servers.live().stream().map(TabletServer::location).distinct().count();
  }
}
