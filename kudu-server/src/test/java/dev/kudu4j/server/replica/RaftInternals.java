package dev.kudu4j.server.replica;

import java.io.IOException;
import org.apache.ratis.server.RaftServer;

/** What is inside Raft, for the tests of other packages. */
public final class RaftInternals {
  private RaftInternals() {}

  public static RaftServer.Division division(RaftHost host, String tabletId) throws IOException {
    return host.division(tabletId);
  }

  /** Releases the log of a group with a retention of its own that keeps nothing. */
  public static void release(
      String tabletId, RaftServer.Division division, long releasable, long checkpoint) {
    new LogRelease(tabletId, 80, System::nanoTime).release(division, releasable, checkpoint);
  }
}
