package dev.kudu4j.benchmarks.mixed;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits a rate, evenly. Time that was lost is not made up: after a slow second, the rate in the
 * next one is not doubled. For one thread.
 */
final class Pace {
  private final long stepNanos;
  private long nextNanos = System.nanoTime();

  Pace(double perSecond) {
    this.stepNanos = (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
  }

  void awaitTurn() {
    long now = System.nanoTime();
    if (nextNanos - now > 0) {
      LockSupport.parkNanos(nextNanos - now);
    }
    nextNanos = Math.max(nextNanos, now) + stepNanos;
  }
}
