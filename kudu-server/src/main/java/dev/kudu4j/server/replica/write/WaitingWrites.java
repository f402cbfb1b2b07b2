package dev.kudu4j.server.replica.write;

import java.util.Map;

/**
 * The writes of a tablet that wait for transactions.
 *
 * @param forKeys by transaction: the number of writes that wait until it has ended, because it
 *     holds the key of one of their rows
 * @param forTimestamp the number of writes that wait because the commit timestamp of a prepared
 *     transaction has passed
 */
public record WaitingWrites(Map<Long, Integer> forKeys, int forTimestamp) {
  /** The number of all these writes. */
  public int count() {
    return forTimestamp + forKeys.values().stream().mapToInt(Integer::intValue).sum();
  }
}
