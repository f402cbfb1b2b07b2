package dev.kudu4j.client;

import java.util.concurrent.TimeUnit;

/**
 * When to ask a server again that has failed transiently, and when to give up. Each pause is as
 * long as the time since the first failure, from 200 ms to 5 s. Not thread-safe.
 */
final class TransientFailures {
  /** How long a request is repeated that a server cannot carry out. */
  static final long PATIENCE_SECONDS = 60;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private boolean failing;
  private long failingSinceNanos;
  private long nextNanos;

  /** Whether it is time to ask. */
  boolean isDue(long nowNanos) {
    return !failing || nowNanos - nextNanos >= 0;
  }

  /** Records a good response. */
  void answered() {
    failing = false;
  }

  /**
   * Records a failure.
   *
   * @return whether to ask again, when it is due
   */
  boolean failed(long nowNanos) {
    if (!failing) {
      failing = true;
      failingSinceNanos = nowNanos;
    }
    long failingNanos = nowNanos - failingSinceNanos;
    nextNanos = nowNanos + Math.min(LONGEST_NANOS, Math.max(SHORTEST_NANOS, failingNanos));
    return failingNanos < PATIENCE_NANOS;
  }
}
