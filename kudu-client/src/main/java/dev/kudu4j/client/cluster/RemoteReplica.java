package dev.kudu4j.client.cluster;

import java.net.InetSocketAddress;

/** One replica of a tablet as the master told of it, or as a tablet server corrected it. */
public record RemoteReplica(
    String serverId, String host, int port, InetSocketAddress address, String location, Role role) {
  public enum Role {
    LEADER,
    FOLLOWER,
    /** Does not vote. */
    LEARNER
  }
}
