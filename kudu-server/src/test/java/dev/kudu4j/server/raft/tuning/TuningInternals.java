package dev.kudu4j.server.raft.tuning;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.ratis.server.raftlog.RaftLog;

/** What is changed inside Ratis, for the tests of other packages. */
public final class TuningInternals {
  private TuningInternals() {}

  /** The class that keeps the last vote of a group. */
  public static Class<?> voteFile() {
    return VoteFile.class;
  }

  /**
   * See {@link DeferredLogSync}: whether Ratis is still such that the syncs of a log can be put
   * off.
   */
  public static boolean canPutOffSyncs(RaftLog log) {
    return DeferredLogSync.calm(log, new ScheduledThreadPoolExecutor(1));
  }
}
