package dev.kudu4j.client.cluster;

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
  private final Map<HostPort, ServerLink> masters = new ConcurrentHashMap<>();
  private final Map<HostPort, ServerLink> tabletServers = new ConcurrentHashMap<>();

  ServerLinkCache(Supplier<RpcClient> rpc, ConnectionOptions options) {
    this.rpc = rpc;
    this.options = options;
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
        : tabletServers.computeIfAbsent(address, a -> link(a, TABLET_SERVICE));
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
