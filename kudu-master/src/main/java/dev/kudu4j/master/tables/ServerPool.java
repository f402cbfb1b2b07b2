package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.reconcile.ServerView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The servers that may get replicas: live ones that are neither in maintenance nor decommissioned.
 */
public record ServerPool(Catalog catalog, ServerRegistry servers) {
  /**
   * Servers for all replicas of a new tablet: those with a recent heartbeat if there are at least
   * {@code replicas} of them, else all live ones.
   */
  public List<RegisteredServer> forTablet(int replicas) {
    return servers.forPlacement(replicas, this::takesReplicas);
  }

  /** Servers for one more replica of a tablet: only those with a recent heartbeat. */
  public List<RegisteredServer> forReplica() {
    return servers.forPlacement(0, this::takesReplicas);
  }

  /** Whether the server is neither in maintenance nor decommissioned. */
  boolean isWanted(RegisteredServer server) {
    return takesReplicas(server);
  }

  private boolean takesReplicas(RegisteredServer server) {
    return catalog.takesReplicas(server.uuid());
  }

  /** The servers with these uuids, without those that have not registered. */
  List<RegisteredServer> registered(Collection<String> uuids) {
    List<RegisteredServer> known = new ArrayList<>(uuids.size());
    for (String uuid : uuids) {
      RegisteredServer server = servers.get(uuid);
      if (server != null) {
        known.add(server);
      }
    }
    return known;
  }

  /** The servers at this moment, as the reconciler sees them. */
  ServerView view() {
    return new ServerView(uuids(servers.live()), uuids(forReplica()), catalog.serverStates());
  }

  private static Set<String> uuids(List<RegisteredServer> servers) {
    return servers.stream().map(RegisteredServer::uuid).collect(Collectors.toSet());
  }

  /** The number of locations with live servers. */
  int locations() {
    return (int) servers.live().stream().map(RegisteredServer::location).distinct().count();
  }
}
