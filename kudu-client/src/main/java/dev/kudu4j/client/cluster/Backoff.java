package dev.kudu4j.client.cluster;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next try: doubling from a few milliseconds up to a cap, between half
 * and all of it by chance, so that clients that failed together do not come back together.
 */
enum Backoff {
  /** Something moves: the new leader is a few hundred milliseconds away. */
  SEARCHING(4, 250),
  /** A server is loaded: coming back soon makes it worse. */
  BUSY(8, 1_000);

  private final long firstMillis;
  private final long capMillis;

  Backoff(long firstMillis, long capMillis) {
    this.firstMillis = firstMillis;
    this.capMillis = capMillis;
  }

  /**
   * @param waits how often it was waited before
   */
  long millis(int waits) {
    long most = Math.min(capMillis, firstMillis << Math.min(waits, 20));
    return most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
  }
}
