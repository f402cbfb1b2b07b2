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
    return known != null
        ? known
        : tabletServers.computeIfAbsent(address, a -> tabletServerLink(a, replica.localSocket()));
  }

  private ServerLink tabletServerLink(HostPort address, String localSocket) {
    ServerLink link = link(address, TABLET_SERVICE);
    if (options.localSockets() && LocalSockets.isValid(localSocket)) {
      locality.ifLocal(address.host(), () -> link.preferLocal(LocalSockets.address(localSocket)));
    }
    return link;
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
