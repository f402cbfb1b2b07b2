package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.failure.MasterException;

/**
 * How many replicas a tablet may have.
 *
 * @param byDefault for a table that does not say
 * @param atLeast lowest number
 * @param atMost highest number
 * @param maxNewReplicasPerServer how many replicas a new replicated table may bring each live
 *     server
 */
public record ReplicationRules(
    int byDefault, int atLeast, int atMost, int maxNewReplicasPerServer) {
  /**
   * How many tablets one request may add or drop, whatever the options say: so many that nobody
   * means more, and so few that a table's record stays well below a log entry.
   */
  static final int MAX_TABLETS_AT_ONCE = 10_000;

  /**
   * @param change what is done to the table, for the message: create or alter
   * @throws MasterException with the code of the rule that is broken
   */
  void check(String change, int replicas, int liveServers) {
    if (replicas < atLeast) {
      throw refused(
          MasterErrorPB.Code.ILLEGAL_REPLICATION_FACTOR,
          "illegal replication factor %d: minimum allowed replication factor is %d (controlled by"
              + " --min_num_replicas)",
          replicas,
          atLeast);
    }
    if (replicas > atMost) {
      throw refused(
          MasterErrorPB.Code.REPLICATION_FACTOR_TOO_HIGH,
          "illegal replication factor %d: maximum allowed replication factor is %d (controlled by"
              + " --max_num_replicas)",
          replicas,
          atMost);
    }
    if (replicas % 2 == 0) {
      throw MasterException.of(
          MasterErrorPB.Code.EVEN_REPLICATION_FACTOR,
          StatusCode.INVALID_ARGUMENT,
          "illegal replication factor %d: replication factor must be odd",
          replicas);
    }
    if (replicas > liveServers) {
      throw MasterException.of(
          MasterErrorPB.Code.REPLICATION_FACTOR_TOO_HIGH,
          StatusCode.INVALID_ARGUMENT,
          "not enough live tablet servers to %s a table with the requested replication factor %d;"
              + " %d tablet servers are alive",
          change,
          replicas,
          liveServers);
    }
  }

  private static MasterException refused(
      MasterErrorPB.Code code, String format, int replicas, int other) {
    return new MasterException(
        code, StatusCode.INVALID_ARGUMENT, String.format(format, replicas, other));
  }

  /** How many tablets a new table may have. */
  int maxTablets(int replicas, int liveServers) {
    return replicas == 1 || maxNewReplicasPerServer <= 0
        ? MAX_TABLETS_AT_ONCE
        : Math.min(
            MAX_TABLETS_AT_ONCE, Math.max(1, maxNewReplicasPerServer * liveServers / replicas));
  }
}
