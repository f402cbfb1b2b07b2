package dev.kudu4j.server.raft;

/**
 * Settings of Raft in one process, for all of its tablets.
 *
 * @param heartbeatMillis time in which a leader sends each follower at least one message
 * @param missedHeartbeats number of heartbeats that a follower misses, on average, before it starts
 *     an election
 * @param backOffMillis the most by which the longest election timeout grows while elections fail
 * @param syncEachEntry whether an entry must be on the disk, and not only in the page cache, before
 *     it is acknowledged
 * @param maxEntryBytes largest log entry; also about the size of each replica's write buffer
 * @param segmentBytes size at which a log file is closed; the open file is also held on the heap
 * @param segmentsKept maximum number of log files kept for members that lag
 * @param followerFailedMillis silence after which a follower counts as failed
 * @param evictFirst whether the leader evicts a failed follower before a replacement has joined
 * @param closeMillis longest time that closing may take
 * @param transport carries the messages between servers
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
   * Relative spread of election timeouts around their mean. All members measure from nearly the
   * same heartbeat, so only the spread keeps them from becoming candidates at the same time.
   */
  private static final double ELECTION_SPREAD = 1.0 / 3;

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
          "The heartbeat interval must be at least 10 ms, and the number of missed heartbeats at"
              + " least 2; got "
              + heartbeatMillis
              + " ms and "
              + missedHeartbeats);
    }
  }

  /** A copy of these options, with other limits for members that are silent or lag. */
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

  /** Size of a log's write buffer, which must hold the largest entry with its header. */
  int writeBufferBytes() {
    return maxEntryBytes + WRITE_BUFFER_MARGIN_BYTES;
  }

  /** Shortest election timeout. Ratis sends heartbeats at intervals of half this time. */
  int shortestElectionMillis() {
    return (int) (missedHeartbeats * heartbeatMillis * (1 - ELECTION_SPREAD));
  }

  int longestElectionMillis() {
    return (int) (missedHeartbeats * heartbeatMillis * (1 + ELECTION_SPREAD));
  }
}
