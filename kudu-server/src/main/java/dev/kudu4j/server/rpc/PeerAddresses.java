package dev.kudu4j.server.rpc;

import dev.kudu4j.server.flags.HostPort;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Where other servers serve RPC. What a server says of itself counts most; then what somebody else
 * knows, such as a master; then what was written down when the group was made. Thread-safe.
 */
public final class PeerAddresses {
  private final Map<String, HostPort> told = new ConcurrentHashMap<>();
  private final Map<String, HostPort> recorded = new ConcurrentHashMap<>();
  private final Function<String, Optional<HostPort>> others;

  /**
   * @param others what is known from elsewhere, by server; must not block
   */
  public PeerAddresses(Function<String, Optional<HostPort>> others) {
    this.others = others;
  }

  /** The server said so itself. */
  public void told(String serverUuid, HostPort address) {
    told.put(serverUuid, address);
  }

  /** Written down with a group. */
  public void recorded(String serverUuid, String address) {
    if (address != null && !address.isEmpty() && !recorded.containsKey(serverUuid)) {
      recorded.put(serverUuid, HostPort.parse(address, 0));
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
