package dev.kudu4j.benchmarks.mixed;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits the rate of calls of one thread, and spaces them evenly. After a slow call, the rate does
 * not exceed the limit to make up for the lost time.
 */
public final class Pace {
  private final long stepNanos;
  private long nextNanos = System.nanoTime();

  public Pace(double perSecond) {
    this.stepNanos = (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
  }

  /** Waits until the next call may start. */
  public void awaitTurn() {
    long now = System.nanoTime();
    if (nextNanos - now > 0) {
      LockSupport.parkNanos(nextNanos - now);
    }
    nextNanos = Math.max(nextNanos, now) + stepNanos;
  }
}
