package dev.kudu4j.server.raft;

import dev.kudu4j.server.raft.election.FirstElection;
import dev.kudu4j.server.transport.KuduRpcType;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Translates the process' options into Ratis settings. docs/design/replication.md explains the
 * unusual settings.
 */
final class RatisProperties {
  /**
   * Shortest election timeout after a start. {@link FirstElection} usually elects a leader earlier.
   */
  static final int FIRST_ELECTION_MILLIS = 400;

  /**
   * Longest time that a change of members waits for a new member that does not answer, in addition
   * to the longest election timeout. Ratis begins as if the member had last answered that timeout
   * ago.
   */
  private static final int NEWCOMER_SILENT_MILLIS = 4_000;

  private RatisProperties() {}

  static RaftProperties of(RaftOptions options, InetSocketAddress bind) {
    RaftProperties p = new RaftProperties();
    switch (options.transport()) {
      case GRPC -> RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
      case KUDU -> {
        p.set(RaftConfigKeys.Rpc.TYPE_KEY, KuduRpcType.class.getName());
        // The transport delivers the appends of a group in order, so Ratis need not chain them.
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(p, false);
      }
    }
    if (!bind.getAddress().isAnyLocalAddress()) {
      GrpcConfigKeys.Server.setHost(p, bind.getAddress().getHostAddress());
    }
    GrpcConfigKeys.Server.setPort(p, bind.getPort());
    GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(p, 2);
    GrpcConfigKeys.setMessageSizeMax(p, SizeInBytes.valueOf(4L * options.maxEntryBytes()));

    RaftServerConfigKeys.Rpc.setTimeoutMin(p, millis(options.shortestElectionMillis()));
    RaftServerConfigKeys.Rpc.setTimeoutMax(p, millis(options.longestElectionMillis()));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, millis(FIRST_ELECTION_MILLIS));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, millis(3 * FIRST_ELECTION_MILLIS));
    RaftServerConfigKeys.Rpc.setSlownessTimeout(p, millis(options.followerFailedMillis()));
    RaftServerConfigKeys.Rpc.setRequestTimeout(p, millis(3_000));
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(p, millis(3_000));
    RaftServerConfigKeys.setCloseThreshold(p, TimeDuration.valueOf(30, TimeUnit.MINUTES));
    RaftServerConfigKeys.setSleepDeviationThreshold(p, millis(2_000));
    RaftServerConfigKeys.setStagingTimeout(
        p, millis(options.longestElectionMillis() + NEWCOMER_SILENT_MILLIS));

    // Ratis also rejects a log entry that is larger than the appender's limit.
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, bytes(options.maxEntryBytes()));
    RaftServerConfigKeys.Log.setWriteBufferSize(p, bytes(options.writeBufferBytes()));
    RaftServerConfigKeys.Log.setPreallocatedSize(p, bytes(256 << 10));
    RaftServerConfigKeys.Log.setSegmentSizeMax(p, bytes(options.segmentBytes()));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, bytes(2L * options.segmentBytes()));
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(p, !options.syncEachEntry());
    RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, false);
    RaftServerConfigKeys.Log.setPurgeGap(p, 1);
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(p, false);
    p.set(RaftServerConfigKeys.Log.Appender.RETRY_POLICY_KEY, "20ms,10, 500ms,20, 1s,100000");

    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(p, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(p, false);
    RaftServerConfigKeys.RetryCache.setExpiryTime(p, millis(2_000));
    RaftServerConfigKeys.Write.setElementLimit(p, 1024);
    RaftServerConfigKeys.Write.setByteLimit(p, bytes(16 << 20));
    return p;
  }

  private static TimeDuration millis(int millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }

  private static SizeInBytes bytes(long bytes) {
    return SizeInBytes.valueOf(bytes);
  }
}
