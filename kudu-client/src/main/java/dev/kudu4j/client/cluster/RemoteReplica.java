package dev.kudu4j.client.cluster;

import java.net.InetSocketAddress;

/**
 * One replica of a tablet, as the master reported it or a tablet server corrected it.
 *
 * @param localSocket the server's Unix-domain socket as {@link dev.kudu4j.common.rpc.LocalSockets}
 *     describes it; empty if it announced none
 * @param location location of the server, like {@code /rack1}; empty if it has none
 * @param label dimension label of the tablet's placement; empty if it has none
 */
public record RemoteReplica(
    String serverId,
    String host,
    int port,
    InetSocketAddress address,
    String localSocket,
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
      String serverId,
      String host,
      int port,
      String localSocket,
      String location,
      String label,
      Role role) {
    return new RemoteReplica(
        serverId,
        host,
        port,
        new HostPort(host, port).address(),
        localSocket,
        location,
        label,
        role);
  }

  RemoteReplica withRole(Role other) {
    return other == role
        ? this
        : new RemoteReplica(serverId, host, port, address, localSocket, location, label, other);
  }

  HostPort hostPort() {
    return new HostPort(host, port);
  }

  @Override
  public String toString() {
    return serverId + " (" + hostPort() + ")";
  }
}
