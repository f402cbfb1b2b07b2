package dev.kudu4j.client.cluster;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The delay before the next attempt. It doubles from a few milliseconds up to a cap, and is random
 * between half and all of the current value, so that clients that failed together do not retry
 * together.
 */
enum Backoff {
  /** The leader is changing: a new one is expected within a few hundred milliseconds. */
  SEARCHING(4, 250),
  /** A server is overloaded: an early retry makes it worse. */
  BUSY(8, 1_000);

  private final long firstMillis;
  private final long capMillis;

  Backoff(long firstMillis, long capMillis) {
    this.firstMillis = firstMillis;
    this.capMillis = capMillis;
  }

  /**
   * @param waits number of earlier delays
   */
  long millis(int waits) {
    long max = Math.min(capMillis, firstMillis << Math.min(waits, 20));
    return max / 2 + ThreadLocalRandom.current().nextLong(max / 2 + 1);
  }
}
