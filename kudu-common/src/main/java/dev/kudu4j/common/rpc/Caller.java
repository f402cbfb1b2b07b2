package dev.kudu4j.common.rpc;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;

/**
 * The origin of a call.
 *
 * @param user the user name from negotiation
 * @param address the remote address of the connection; the loopback address with port 0 for a
 *     connection over a Unix-domain socket
 * @param process the process at the other end of a Unix-domain socket; empty for TCP
 * @param roles the roles of the user, determined once per connection
 */
public record Caller(
    String user, InetSocketAddress address, Optional<LocalProcess> process, Set<Role> roles) {
  /** A process on this host, as the kernel reports it when the process connects. */
  public record LocalProcess(int pid, int uid) {
    String describe() {
      return "process " + pid + " (uid " + uid + ") on this host";
    }
  }

  public Caller {
    roles = Set.copyOf(roles);
  }

  /** A caller over TCP. */
  public Caller(String user, InetSocketAddress address, Set<Role> roles) {
    this(user, address, Optional.empty(), roles);
  }

  /** The caller as log lines show it: {@code alice at 10.0.0.7:40288}. */
  public String describe() {
    return user + " at " + origin();
  }

  /**
   * Where the caller is: {@code 10.0.0.7:40288}, or {@code process 4711 (uid 1000) on this host}.
   */
  public String origin() {
    return process.map(LocalProcess::describe).orElseGet(() -> host() + ":" + address.getPort());
  }

  private String host() {
    return address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress();
  }
}
