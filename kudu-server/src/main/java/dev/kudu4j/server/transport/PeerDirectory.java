package dev.kudu4j.server.transport;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The hosts of other servers, from the configurations of this process' groups and from an
 * additional source, such as the master's registry. A server that neither source names is unknown.
 *
 * <p>A server that has left all groups stays known until the process ends, because it may still
 * connect to ask whether it is a member. Thread-safe.
 */
public final class PeerDirectory {
  private final Map<String, Set<String>> hosts = new ConcurrentHashMap<>();
  private volatile Function<String, Optional<String>> others = uuid -> Optional.empty();

  /**
   * Sets the additional source.
   *
   * @param source returns the host of a server; must not block
   */
  public void consult(Function<String, Optional<String>> source) {
    others = source;
  }

  /**
   * Records a host that a configuration names for the server.
   *
   * @return whether the host was not known before
   */
  boolean add(String uuid, String host) {
    return hosts.computeIfAbsent(uuid, key -> ConcurrentHashMap.newKeySet()).add(host);
  }

  /** Present and past hosts of the server; empty if it is unknown. */
  Set<String> find(String uuid) {
    Set<String> found = new HashSet<>(hosts.getOrDefault(uuid, Set.of()));
    others.apply(uuid).ifPresent(found::add);
    return found;
  }

  /** Whether all hosts are literal addresses, which need no name lookup. */
  static boolean areLiteral(Set<String> hosts) {
    return hosts.stream()
        .allMatch(host -> NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host));
  }

  /**
   * Whether one of the hosts has the address. May block, unless all hosts are literal addresses.
   */
  static boolean isOneOf(InetAddress address, Set<String> hosts) {
    for (String host : hosts) {
      try {
        for (InetAddress resolved : InetAddress.getAllByName(host)) {
          if (resolved.equals(address) || (isHere(resolved) && isHere(address))) {
            return true;
          }
        }
      } catch (UnknownHostException e) {
        // another host may match
      }
    }
    return false;
  }

  /**
   * Whether the address belongs to this machine. A server on this machine may connect from a local
   * address that differs from its known address: Linux uses 127.0.0.1 as the source of a connection
   * to 127.0.1.1.
   */
  private static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }
}
