package dev.kudu4j.client.cluster;

import java.net.InetSocketAddress;

/**
 * One replica of a tablet, as the master reported it or a tablet server corrected it.
 *
 * @param location location of the server, like {@code /rack1}; empty if it has none
 * @param label dimension label of the tablet's placement; empty if it has none
 */
public record RemoteReplica(
    String serverId,
    String host,
    int port,
    InetSocketAddress address,
    String location,
    String label,
    Role role) {
  public enum Role {
    LEADER,
    FOLLOWER,
    /** Does not vote. */
    LEARNER
  }

  public static RemoteReplica of(
      String serverId, String host, int port, String location, String label, Role role) {
    return new RemoteReplica(
        serverId, host, port, new HostPort(host, port).address(), location, label, role);
  }

  RemoteReplica withRole(Role other) {
    return other == role
        ? this
        : new RemoteReplica(serverId, host, port, address, location, label, other);
  }

  HostPort hostPort() {
    return new HostPort(host, port);
  }

  @Override
  public String toString() {
    return serverId + " (" + hostPort() + ")";
  }
}
