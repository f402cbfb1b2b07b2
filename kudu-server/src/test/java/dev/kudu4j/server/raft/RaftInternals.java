package dev.kudu4j.server.raft;

import java.io.IOException;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;

/** Internals of the Raft packages, for the tests of other packages. */
public final class RaftInternals {
  /** Shortest time-out of an election after a start. */
  public static final int FIRST_ELECTION_MILLIS = RatisProperties.FIRST_ELECTION_MILLIS;

  private RaftInternals() {}

  public static RaftServer.Division division(RaftHost host, String tabletId) throws IOException {
    return host.division(tabletId);
  }

  public static int longestElectionMillis(RaftOptions options) {
    return options.longestElectionMillis();
  }

  public static RaftPeer toPeer(RaftHost.Peer peer) {
    return RaftHost.toPeer(peer);
  }

  /** Deletes the log of a group with a separate retention that keeps nothing. */
  public static void release(
      String tabletId, RaftServer.Division division, long releasable, long checkpoint) {
    new LogRetention(tabletId, 80, System::nanoTime).release(division, releasable, checkpoint);
  }
}
