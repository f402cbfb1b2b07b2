package dev.kudu4j.master.heartbeat;

import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.server.logging.LogMarkers;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tablet servers that have registered with this master. Not stored: live servers register again
 * within a heartbeat or two.
 */
public final class ServerRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(ServerRegistry.class);

  /** A server without a heartbeat for this long, a few intervals, is probably down. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Map<String, RegisteredServer> servers = new ConcurrentHashMap<>();
  private final Locations locations;
  private final LongSupplier nanoClock;
  private final long unresponsiveNanos;

  /**
   * @param unresponsiveMillis a server that has been silent for longer does not count as live
   */
  public ServerRegistry(LongSupplier nanoClock, long unresponsiveMillis, Locations locations) {
    this.nanoClock = nanoClock;
    this.locations = locations;
    this.unresponsiveNanos = TimeUnit.MILLISECONDS.toNanos(unresponsiveMillis);
  }

  /** The server with that uuid, live or not; null if it has not registered. */
  public RegisteredServer get(String uuid) {
    return servers.get(uuid);
  }

  public Collection<RegisteredServer> all() {
    return Collections.unmodifiableCollection(servers.values());
  }

  /** The servers that count as live. */
  public List<RegisteredServer> live() {
    long now = nanoClock.getAsLong();
    List<RegisteredServer> live = new ArrayList<>();
    for (RegisteredServer server : servers.values()) {
      if (isLive(server, now)) {
        live.add(server);
      }
    }
    return live;
  }

  /**
   * The servers on which new replicas may be placed: those with a heartbeat in the last few seconds
   * if there are at least {@code replicaCount} of them, else all live ones. Servers whose location
   * is not known are left out.
   */
  public List<RegisteredServer> forPlacement(
      int replicaCount, Predicate<RegisteredServer> allowed) {
    List<RegisteredServer> live = live();
    live.removeIf(server -> !server.isLocated() || !allowed.test(server));
    List<RegisteredServer> fresh = live.stream().filter(this::isFresh).toList();
    return fresh.size() >= replicaCount ? fresh : live;
  }

  /** Logs the servers that were lost since the last call. */
  public void logLost() {
    long now = nanoClock.getAsLong();
    for (RegisteredServer server : servers.values()) {
      if (!isLive(server, now) && server.noteLost(true)) {
        LOG.warn(
            "Tablet server P {} at {} lost: no heartbeat for {} ms",
            server.uuid(),
            address(server),
            millisSinceHeartbeat(server));
      }
    }
  }

  private static String address(RegisteredServer server) {
    return server.rpcAddress().getHost() + ":" + server.rpcAddress().getPort();
  }

  /** Whether a server has sent a heartbeat in the last few seconds. */
  public boolean isFresh(RegisteredServer server) {
    return server.nanosSinceHeartbeat(nanoClock.getAsLong()) <= FRESH_NANOS;
  }

  public boolean isLive(String uuid) {
    RegisteredServer server = servers.get(uuid);
    return server != null && isLive(server, nanoClock.getAsLong());
  }

  private boolean isLive(RegisteredServer server, long nowNanos) {
    return server.nanosSinceHeartbeat(nowNanos) < unresponsiveNanos;
  }

  /** The problem with the tablet reports of a server; empty if there is none. */
  public String reportProblem(RegisteredServer server) {
    return server.reportProblem(nanoClock.getAsLong());
  }

  /**
   * Notes a heartbeat to this master as the leader, and whether its leader session has had a full
   * report from the server.
   */
  public void noteReported(RegisteredServer server, boolean reported) {
    server.noteReported(reported, nanoClock.getAsLong());
  }

  public long millisSinceHeartbeat(RegisteredServer server) {
    return TimeUnit.NANOSECONDS.toMillis(server.nanosSinceHeartbeat(nanoClock.getAsLong()));
  }

  /** Removes a server. It is added again when it registers again. */
  public boolean forget(String uuid) {
    return servers.remove(uuid) != null;
  }

  /**
   * Records a heartbeat of a tablet server.
   *
   * @param from the address that sent it
   * @return the sender; null when it has to register first
   * @throws KuduException INVALID_ARGUMENT for a registration without an address, ALREADY_PRESENT
   *     for a late heartbeat of an earlier run, NOT_AUTHORIZED for a heartbeat in the name of
   *     another server
   */
  public RegisteredServer heartbeatArrived(TSHeartbeatRequestPB heartbeat, InetAddress from) {
    String uuid = Ids.fromWire(heartbeat.getInstance().getPermanentUuid());
    RegisteredServer server = servers.get(uuid);
    if (server != null) {
      server.checkSender(heartbeat, from, isFresh(server));
    }
    if (heartbeat.hasRegistration()) {
      server = register(uuid, heartbeat, from);
    } else if (server == null || !server.isSameRun(heartbeat.getInstance())) {
      return null;
    }
    long silentMillis = millisSinceHeartbeat(server);
    server.heartbeatArrived(heartbeat, from, nanoClock.getAsLong());
    if (server.noteLost(false)) {
      LOG.info(
          LogMarkers.ON_DEMAND,
          "Tablet server P {} at {} is back after {} ms",
          uuid,
          address(server),
          silentMillis);
    }
    server.locate(locations, nanoClock.getAsLong());
    return server;
  }

  private RegisteredServer register(String uuid, TSHeartbeatRequestPB heartbeat, InetAddress from) {
    if (heartbeat.getRegistration().getRpcAddressesCount() == 0) {
      throw KuduException.invalidArgument(
          "Tablet server %s registers without an RPC address; set --rpc_advertised_addresses",
          uuid);
    }
    RegisteredServer server = servers.get(uuid);
    if (server == null) {
      RegisteredServer fresh = new RegisteredServer(uuid);
      fresh.register(heartbeat);
      fresh.heartbeatArrived(heartbeat, from, nanoClock.getAsLong());
      server = servers.putIfAbsent(uuid, fresh);
      if (server == null) {
        LOG.info(LogMarkers.ON_DEMAND, "Tablet server P {} at {} registered", uuid, address(fresh));
        return fresh;
      }
    }
    boolean newRun = !server.isSameRun(heartbeat.getInstance());
    server.register(heartbeat);
    if (newRun) {
      LOG.info(
          LogMarkers.ON_DEMAND,
          "Tablet server P {} at {} registered again after a restart",
          uuid,
          address(server));
    }
    return server;
  }
}
