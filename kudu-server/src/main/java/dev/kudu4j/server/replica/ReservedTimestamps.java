package dev.kudu4j.server.replica;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * The timestamps at which the prepared transactions of a tablet will commit. Until a transaction
 * has ended, its timestamp and all later ones belong to nobody else: a leader issues none of them,
 * and no snapshot above the timestamp can be read. Guarded by {@link SafeTime}.
 */
final class ReservedTimestamps {
  static final long NONE = Long.MAX_VALUE;

  /** Those of transactions whose PREPARE is applied, ascending. */
  private long[] prepared = {};

  /** Those of PREPAREs that this leader has logged and not applied. */
  private final TreeSet<Long> preparing = new TreeSet<>();

  /** Those in {@link #prepared} that an entry gives up which is logged and not applied. */
  private final TreeSet<Long> ending = new TreeSet<>();

  /** The lowest timestamp whose transaction has not ended, or {@link #NONE}. */
  long first() {
    long first = prepared.length == 0 ? NONE : prepared[0];
    return preparing.isEmpty() ? first : Math.min(first, preparing.first());
  }

  /** The lowest timestamp that a leader must not issue, or {@link #NONE}. */
  long limit() {
    return limitWithout(NONE);
  }

  /** The limit as it would be if {@code released} were not reserved. */
  long limitWithout(long released) {
    long limit = preparing.isEmpty() ? NONE : preparing.first();
    for (long timestamp : prepared) {
      if (timestamp != released && !ending.contains(timestamp)) {
        return Math.min(limit, timestamp);
      }
    }
    return limit;
  }

  /** Reserves a timestamp for a PREPARE that is about to be logged. False if it is reserved. */
  boolean prepare(long timestamp) {
    return Arrays.binarySearch(prepared, timestamp) < 0 && preparing.add(timestamp);
  }

  /**
   * Reserves a timestamp for a PREPARE that is about to be logged at the timestamp that its
   * transaction gives up. False unless that is the lowest one, or if the new one is reserved.
   */
  boolean move(long from, long to) {
    return from == limit() && !preparing.contains(from) && prepare(to) && ending.add(from);
  }

  /**
   * Called when the end of the transaction with the timestamp is about to be logged. False unless
   * it is the next one in order.
   */
  boolean end(long timestamp) {
    return timestamp == limit() && !preparing.contains(timestamp) && ending.add(timestamp);
  }

  /**
   * Called when a PREPARE, COMMIT or ABORT was applied.
   *
   * @param timestamp the commit timestamp in the entry
   * @param now the commit timestamps of all prepared transactions, ascending
   */
  void applied(long timestamp, long[] now) {
    prepared = now;
    preparing.remove(timestamp);
    ending.removeIf(ended -> Arrays.binarySearch(now, ended) < 0);
  }

  /** Called when this replica no longer leads: what it has logged may be applied later or never. */
  void follow() {
    preparing.clear();
    ending.clear();
  }
}
