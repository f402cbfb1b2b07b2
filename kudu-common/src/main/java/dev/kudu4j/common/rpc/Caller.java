package dev.kudu4j.common.rpc;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * The origin of a call.
 *
 * @param user the user name from negotiation
 * @param address the remote address of the connection
 * @param roles the roles of the user, determined once per connection
 */
public record Caller(String user, InetSocketAddress address, Set<Role> roles) {
  public Caller {
    roles = Set.copyOf(roles);
  }

  /** The caller as log lines show it: {@code alice at 10.0.0.7:40288}. */
  public String describe() {
    return user + " at " + address.getHostString() + ":" + address.getPort();
  }
}
