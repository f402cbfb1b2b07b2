package dev.kudu4j.server.raft;

/**
 * Settings of Raft in one process, for all of its tablets.
 *
 * @param heartbeatMillis how often a leader sends to its followers, at least
 * @param missedHeartbeats how many heartbeats a follower misses, on average, before it calls an
 *     election
 * @param backOffMillis by how much the longest election timeout grows at most while elections fail
 * @param syncEachEntry whether an entry is on the disk, and not only in the page cache, before it
 *     is acknowledged
 * @param maxEntryBytes largest log entry; also about the size of each replica's write buffer
 * @param segmentBytes size at which a log file is closed; the open file is also held on the heap
 * @param segmentsKept log files that are kept at most for members that are behind
 * @param followerFailedMillis how long a follower may be silent before it counts as failed
 * @param evictFirst whether the leader evicts failed followers before there is a replacement
 * @param closeMillis how long closing may take
 * @param transport what carries the messages
 */
public record RaftOptions(
    int heartbeatMillis,
    double missedHeartbeats,
    int backOffMillis,
    boolean syncEachEntry,
    int maxEntryBytes,
    int segmentBytes,
    int segmentsKept,
    int followerFailedMillis,
    boolean evictFirst,
    int closeMillis,
    RaftTransportKind transport) {
  /**
   * Ratis checks a timeout when the previous timeout is over, so a dead leader is noticed half a
   * timeout late on average. Two thirds make up for that.
   */
  private static final double ELECTION_SHARE = 2.0 / 3;

  /** Around the mean. The moments at which members check differ by more than that anyway. */
  private static final double ELECTION_SPREAD = 0.2;

  private static final int WRITE_BUFFER_MARGIN_BYTES = 64 << 10;

  public static final RaftOptions DEFAULT =
      new RaftOptions(
          500,
          3.0,
          20_000,
          false,
          1 << 20,
          4 << 20,
          80,
          300_000,
          false,
          8_000,
          RaftTransportKind.KUDU);

  public RaftOptions {
    if (heartbeatMillis < 10 || missedHeartbeats < 2) {
      throw new IllegalArgumentException(
          "A heartbeat must take at least 10 ms and two must be missed: "
              + heartbeatMillis
              + " ms, "
              + missedHeartbeats);
    }
  }

  /** The same options, with other bounds for members that are silent or behind. */
  public RaftOptions withMembers(int failedMillis, boolean evict, int segments) {
    return new RaftOptions(
        heartbeatMillis,
        missedHeartbeats,
        backOffMillis,
        syncEachEntry,
        maxEntryBytes,
        segmentBytes,
        segments,
        failedMillis,
        evict,
        closeMillis,
        transport);
  }

  public RaftOptions withTransport(RaftTransportKind other) {
    return new RaftOptions(
        heartbeatMillis,
        missedHeartbeats,
        backOffMillis,
        syncEachEntry,
        maxEntryBytes,
        segmentBytes,
        segmentsKept,
        followerFailedMillis,
        evictFirst,
        closeMillis,
        other);
  }

  /** The buffer of a log must hold the largest entry with its head. */
  int writeBufferBytes() {
    return maxEntryBytes + WRITE_BUFFER_MARGIN_BYTES;
  }

  /** Ratis sends a heartbeat each half of it. */
  int shortestElectionMillis() {
    return (int) (missedHeartbeats * heartbeatMillis * ELECTION_SHARE * (1 - ELECTION_SPREAD));
  }

  int longestElectionMillis() {
    return (int) (missedHeartbeats * heartbeatMillis * ELECTION_SHARE * (1 + ELECTION_SPREAD));
  }
}
