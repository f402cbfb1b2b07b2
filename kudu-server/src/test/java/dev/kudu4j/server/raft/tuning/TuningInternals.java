package dev.kudu4j.server.raft.tuning;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.ratis.server.raftlog.RaftLog;

/** Replaced Ratis internals, for the tests of other packages. */
public final class TuningInternals {
  private TuningInternals() {}

  /** The class that stores the last vote of a group. */
  public static Class<?> voteFile() {
    return VoteFile.class;
  }

  /**
   * See {@link DeferredLogSync}: whether the syncs of a log can be deferred in this version of
   * Ratis.
   */
  public static boolean canPutOffSyncs(RaftLog log) {
    return DeferredLogSync.install(log, new ScheduledThreadPoolExecutor(1));
  }

  /** See {@link LogChecksum}: whether the open file of a log has it. */
  public static boolean hasProcessorsChecksum(RaftLog log) throws ReflectiveOperationException {
    Object stream = RatisField.get(RatisField.get(log, "fileLogWorker"), "out");
    return RatisField.get(stream, "checksum") instanceof LogChecksum;
  }
}
