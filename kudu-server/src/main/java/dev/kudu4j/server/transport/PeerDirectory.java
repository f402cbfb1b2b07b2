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
 * On which hosts other servers are: as the configurations of the groups of this process name them,
 * and as somebody else, such as a master, knows them. A server that is in neither is a stranger.
 *
 * <p>A server that has left all groups stays known until the process ends: it may ask whether it is
 * still a member. Thread-safe.
 */
public final class PeerDirectory {
  private final Map<String, Set<String>> hosts = new ConcurrentHashMap<>();
  private volatile Function<String, Optional<String>> others = uuid -> Optional.empty();

  /**
   * Sets another source to ask.
   *
   * @param source the host of a server; must not block
   */
  public void consult(Function<String, Optional<String>> source) {
    others = source;
  }

  /**
   * A configuration says that the server is there.
   *
   * @return whether it was not known before
   */
  boolean add(String uuid, String host) {
    return hosts.computeIfAbsent(uuid, key -> ConcurrentHashMap.newKeySet()).add(host);
  }

  /** Where the server is or was; empty for a stranger. */
  Set<String> find(String uuid) {
    Set<String> found = new HashSet<>(hosts.getOrDefault(uuid, Set.of()));
    others.apply(uuid).ifPresent(found::add);
    return found;
  }

  /** Whether all of these can be compared with an address without asking a name server. */
  static boolean areLiteral(Set<String> hosts) {
    return hosts.stream()
        .allMatch(host -> NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host));
  }

  /** Whether one of the hosts has the address. May block, unless all are literal addresses. */
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
   * Whether it is an address of this machine. A server that is here connects from another of them
   * than it is known by, if that is the way of the system: for 127.0.1.1 Linux takes 127.0.0.1.
   */
  private static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }
}
