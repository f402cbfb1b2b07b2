package dev.kudu4j.server.raft;

/**
 * How the consensus of one process behaves; the same for all of its tablets.
 *
 * @param heartbeatMillis the unit of the next: how often a leader lets its followers hear from it,
 *     at least
 * @param missedHeartbeats how many heartbeats a follower may miss, on average, before it stands for
 *     election
 * @param backOffMillis how much the longest election time-out grows while elections fail, at most
 * @param syncEachEntry whether an entry is on the disk, and not only in the page cache, before it
 *     is acknowledged
 * @param maxEntryBytes largest log entry; also about the size of each replica's write buffer
 * @param segmentBytes size at which a log file is closed; the open one is held on the heap as well
 * @param segmentsKept log files that are kept for members that are behind, at most
 * @param followerFailedMillis how long a follower may be silent before it counts as failed
 * @param evictFirst whether the leader throws failed followers out by itself, before there is a
 *     replacement
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
   * Ratis looks whether a time-out has passed when the time-out before is over, so a dead leader is
   * missed half a time-out late, on average: two thirds make it as many heartbeats as are wanted.
   */
  private static final double ELECTION_SHARE = 2.0 / 3;

  /** Around the mean; the moments at which members look differ more than that by themselves. */
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

  /** The same, with other bounds for members that are silent or behind. */
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
