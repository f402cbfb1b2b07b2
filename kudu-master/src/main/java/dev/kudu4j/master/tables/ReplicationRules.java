package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.failure.MasterException;
import java.util.function.IntSupplier;

/**
 * The limits of the numbers of replicas.
 *
 * @param byDefault the replication factor of a table that is created without one; may change at any
 *     time
 * @param atLeast lowest replication factor
 * @param atMost highest replication factor
 * @param maxNewReplicasPerServer how many replicas a new table may have for each live server, on
 *     average; 0 for no limit
 * @param maxReplicasPerServer how many replicas all tables together may have for each live server,
 *     on average; 0 for no limit
 */
public record ReplicationRules(
    IntSupplier byDefault,
    int atLeast,
    int atMost,
    int maxNewReplicasPerServer,
    int maxReplicasPerServer) {
  /**
   * How many tablets one request may add or drop, in addition to the configured limits. It is more
   * than any sensible request needs, and so few that a table's record stays well below the size
   * limit of a log entry.
   */
  static final int MAX_TABLETS_AT_ONCE = 10_000;

  /**
   * @param change the kind of request, for the message: create or alter
   * @throws MasterException with the code of the rule that is broken
   */
  void check(String change, int replicas, int liveServers) {
    if (replicas < atLeast) {
      throw refusal(
          MasterErrorPB.Code.ILLEGAL_REPLICATION_FACTOR,
          "illegal replication factor %d: minimum allowed replication factor is %d (controlled by"
              + " --min_num_replicas)",
          replicas,
          atLeast);
    }
    if (replicas > atMost) {
      throw refusal(
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

  private static MasterException refusal(
      MasterErrorPB.Code code, String format, int replicas, int other) {
    return new MasterException(
        code, StatusCode.INVALID_ARGUMENT, String.format(format, replicas, other));
  }

  /** The most tablets that a new table may have. */
  int maxTablets(int replicas, int liveServers) {
    return maxNewReplicasPerServer <= 0
        ? MAX_TABLETS_AT_ONCE
        : (int) Math.min(MAX_TABLETS_AT_ONCE, Math.max(1, maxNewReplicas(liveServers) / replicas));
  }

  private long maxNewReplicas(int liveServers) {
    return (long) maxNewReplicasPerServer * liveServers;
  }

  /** The error for a new table with too many tablets. */
  KuduException tooManyTablets(int replicas, int liveServers) {
    long max =
        maxNewReplicasPerServer <= 0
            ? (long) MAX_TABLETS_AT_ONCE * replicas
            : Math.min((long) MAX_TABLETS_AT_ONCE * replicas, maxNewReplicas(liveServers));
    return MasterException.of(
        MasterErrorPB.Code.TOO_MANY_TABLETS,
        StatusCode.INVALID_ARGUMENT,
        "the requested number of tablet replicas is over the maximum permitted at creation time"
            + " (%d), additional tablets may be added by adding range partitions to the table"
            + " post-creation",
        max);
  }

  /**
   * Checks that {@code added} more replicas do not exceed the limit for all tables.
   *
   * @param existing number of replicas of all tables
   * @throws MasterException TOO_MANY_TABLETS
   */
  void checkTotal(long existing, long added, int liveServers) {
    long max = (long) maxReplicasPerServer * Math.max(1, liveServers);
    if (added > 0 && maxReplicasPerServer > 0 && existing + added > max) {
      throw MasterException.of(
          MasterErrorPB.Code.TOO_MANY_TABLETS,
          StatusCode.INVALID_ARGUMENT,
          "%d more tablet replicas would make %d in all, over the maximum of %d for each of %d live"
              + " tablet servers (controlled by --max_replicas_per_ts)",
          added,
          existing + added,
          maxReplicasPerServer,
          liveServers);
    }
  }
}
