package dev.kudu4j.common.rpc;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * The origin of a call.
 *
 * @param user name that negotiation established
 * @param address the other end of the connection
 * @param roles what the user may be, decided once for each connection
 */
public record Caller(String user, InetSocketAddress address, Set<Role> roles) {
  public Caller {
    roles = Set.copyOf(roles);
  }

  /** For log lines: {@code alice at 10.0.0.7:40288}. */
  public String describe() {
    return user + " at " + address.getHostString() + ":" + address.getPort();
  }
}
