package dev.kudu4j.benchmarks.freshness;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * How many rows were acknowledged at each moment of the run. A read that may be n seconds old must
 * see the rows that were acknowledged n seconds before it began. Thread-safe.
 */
final class Acknowledged {
  /** Rows by {@link System#nanoTime} since {@link #originNanos}. */
  private final ConcurrentSkipListMap<Long, Long> rows = new ConcurrentSkipListMap<>();

  private final long originNanos;
  private volatile long last;

  /**
   * @param rowsBefore rows that were there long before the first read
   */
  Acknowledged(long rowsBefore, long originNanos) {
    this.originNanos = originNanos;
    this.last = rowsBefore;
    rows.put(Long.MIN_VALUE, rowsBefore);
  }

  /** One thread adds rows. */
  void add(long count, long nanoTime) {
    long now = last + count;
    rows.put(nanoTime - originNanos, now);
    last = now;
  }

  /** The rows that are acknowledged now. */
  long rows() {
    return last;
  }

  /** The rows that had been acknowledged at a moment. */
  long rowsAt(long nanoTime) {
    Map.Entry<Long, Long> before = rows.floorEntry(nanoTime - originNanos);
    return before.getValue();
  }
}
