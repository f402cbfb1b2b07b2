package dev.kudu4j.benchmarks.mixed;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits a rate to evenly spaced calls. Lost time is not made up for: after a slow second the rate
 * does not exceed the limit in the next one. For one thread.
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
