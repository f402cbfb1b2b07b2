package dev.kudu4j.benchmarks.mixed;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * So many turns a second at most, evenly. Who falls behind does not make up for it: a server that
 * is slow for a second is not asked for twice as much in the next. One thread.
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
