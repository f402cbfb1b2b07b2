package dev.kudu4j.server.rpc;

import dev.kudu4j.server.flags.HostPort;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The RPC addresses of other servers: the address that the server itself reports; otherwise the
 * address that another source knows, such as a master; otherwise the address in a group's
 * configuration. Thread-safe.
 */
public final class PeerAddresses {
  private final Map<String, HostPort> reported = new ConcurrentHashMap<>();
  private final Map<String, HostPort> fromConfiguration = new ConcurrentHashMap<>();
  private final Set<String> members = ConcurrentHashMap.newKeySet();
  private final Function<String, Optional<HostPort>> others;

  /**
   * @param others returns the address that another source knows for a server; must not block
   */
  public PeerAddresses(Function<String, Optional<HostPort>> others) {
    this.others = others;
  }

  /**
   * Records the address that a server reports for itself. Reports of servers that neither share a
   * group with this server nor are known to the other source are ignored, so made-up names take no
   * memory.
   */
  public void reported(String serverUuid, HostPort address) {
    if (members.contains(serverUuid) || others.apply(serverUuid).isPresent()) {
      reported.put(serverUuid, address);
    }
  }

  /**
   * Adds the address that a group records for one of its members, unless an address is already
   * recorded for that server. An invalid address counts as unknown.
   */
  public void addFromConfiguration(String serverUuid, @Nullable String address) {
    members.add(serverUuid);
    if (address != null && !address.isEmpty() && !fromConfiguration.containsKey(serverUuid)) {
      HostPort.recorded(address).ifPresent(known -> fromConfiguration.put(serverUuid, known));
    }
  }

  /**
   * Discards a reported address at which the server does not answer, because the server may have
   * moved.
   */
  public void failed(String serverUuid, HostPort address) {
    reported.remove(serverUuid, address);
  }

  public Optional<HostPort> find(String serverUuid) {
    HostPort known = reported.get(serverUuid);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<HostPort> fromOtherSource = others.apply(serverUuid);
    return fromOtherSource.isPresent()
        ? fromOtherSource
        : Optional.ofNullable(fromConfiguration.get(serverUuid));
  }
}
