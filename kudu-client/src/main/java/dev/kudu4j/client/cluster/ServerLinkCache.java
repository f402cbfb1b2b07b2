package dev.kudu4j.client.cluster;

import dev.kudu4j.common.rpc.LocalSockets;
import dev.kudu4j.common.rpc.RpcClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** All servers that this client has called. Thread-safe. */
final class ServerLinkCache {
  static final String MASTER_SERVICE = "kudu.master.MasterService";
  static final String TABLET_SERVICE = "kudu.tserver.TabletServerService";

  private final Supplier<RpcClient> rpc;
  private final ConnectionOptions options;
  private final Locality locality;
  private final Map<HostPort, ServerLink> masters = new ConcurrentHashMap<>();
  private final Map<HostPort, ServerLink> tabletServers = new ConcurrentHashMap<>();

  ServerLinkCache(Supplier<RpcClient> rpc, ConnectionOptions options, Locality locality) {
    this.rpc = rpc;
    this.options = options;
    this.locality = locality;
  }

  ServerLink master(HostPort address) {
    ServerLink known = masters.get(address);
    return known != null ? known : masters.computeIfAbsent(address, a -> link(a, MASTER_SERVICE));
  }

  ServerLink tabletServer(RemoteReplica replica) {
    HostPort address = replica.hostPort();
    ServerLink known = tabletServers.get(address);
    ServerLink link =
        known != null
            ? known
            : tabletServers.computeIfAbsent(address, a -> link(a, TABLET_SERVICE));
    String socket = replica.localSocket();
    if (options.localSockets() && !socket.equals(link.announcedSocket())) {
      announce(link, socket);
    }
    return link;
  }

  /** The name contains the server's uuid: a new one may mean another server at the same port. */
  private void announce(ServerLink link, String socket) {
    link.announced(socket);
    if (LocalSockets.isValid(socket)) {
      locality.ifLocal(link.hostPort().host(), () -> link.preferLocal(socket));
    }
  }

  private ServerLink link(HostPort address, String service) {
    return new ServerLink(address, service, rpc, options);
  }

  void tick() {
    long now = System.nanoTime();
    masters.values().forEach(link -> link.tick(now));
    tabletServers.values().forEach(link -> link.tick(now));
  }
}
