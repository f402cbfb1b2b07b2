package dev.kudu4j.server.rpc;

import dev.kudu4j.server.flags.HostPort;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Where other servers serve RPC. What a server says of itself counts most; then what somebody else
 * knows, such as a master; then what was written down when the group was made. Thread-safe.
 */
public final class PeerAddresses {
  private final Map<String, HostPort> told = new ConcurrentHashMap<>();
  private final Map<String, HostPort> recorded = new ConcurrentHashMap<>();
  private final Set<String> members = ConcurrentHashMap.newKeySet();
  private final Function<String, Optional<HostPort>> others;

  /**
   * @param others what is known from elsewhere, by server; must not block
   */
  public PeerAddresses(Function<String, Optional<HostPort>> others) {
    this.others = others;
  }

  /**
   * Somebody says that it is the server, and where. Only servers that this one has to do with are
   * remembered; so whoever makes up names fills no memory.
   */
  public void told(String serverUuid, HostPort address) {
    if (members.contains(serverUuid) || others.apply(serverUuid).isPresent()) {
      told.put(serverUuid, address);
    }
  }

  /** Written down with a group; an address that cannot be one counts as not known. */
  public void recorded(String serverUuid, String address) {
    members.add(serverUuid);
    if (address != null && !address.isEmpty() && !recorded.containsKey(serverUuid)) {
      HostPort.recorded(address).ifPresent(known -> recorded.put(serverUuid, known));
    }
  }

  /** The server does not answer there: it may be elsewhere by now. */
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
