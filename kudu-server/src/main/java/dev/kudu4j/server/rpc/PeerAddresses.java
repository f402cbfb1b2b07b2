package dev.kudu4j.server.rpc;

import dev.kudu4j.server.flags.HostPort;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The RPC addresses of other servers: as reported by the server itself; otherwise as known by
 * another source, such as a master; otherwise as recorded when the group was created. Thread-safe.
 */
public final class PeerAddresses {
  private final Map<String, HostPort> told = new ConcurrentHashMap<>();
  private final Map<String, HostPort> recorded = new ConcurrentHashMap<>();
  private final Set<String> members = ConcurrentHashMap.newKeySet();
  private final Function<String, Optional<HostPort>> others;

  /**
   * @param others returns the address that another source knows; must not block
   */
  public PeerAddresses(Function<String, Optional<HostPort>> others) {
    this.others = others;
  }

  /**
   * Records the address that a server reports for itself. Only servers that share a group with this
   * one are recorded, so made-up names take no memory.
   */
  public void told(String serverUuid, HostPort address) {
    if (members.contains(serverUuid) || others.apply(serverUuid).isPresent()) {
      told.put(serverUuid, address);
    }
  }

  /** Adds the address recorded with a group; an invalid address counts as unknown. */
  public void recorded(String serverUuid, String address) {
    members.add(serverUuid);
    if (address != null && !address.isEmpty() && !recorded.containsKey(serverUuid)) {
      HostPort.recorded(address).ifPresent(known -> recorded.put(serverUuid, known));
    }
  }

  /** Discards an address at which the server does not answer; it may have moved. */
  public void failed(String serverUuid, HostPort address) {
    told.remove(serverUuid, address);
  }

  public Optional<HostPort> find(String serverUuid) {
    HostPort known = told.get(serverUuid);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<HostPort> elsewhere = others.apply(serverUuid);
    return elsewhere.isPresent() ? elsewhere : Optional.ofNullable(recorded.get(serverUuid));
  }
}
