package dev.kudu4j.benchmarks.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls another process. */
public final class Poll {
  private Poll() {}

  /**
   * Waits until the condition holds. After the timeout, throws an exception with the description.
   */
  public static void until(
      String description, long timeoutMillis, long intervalMillis, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Not true within " + timeoutMillis + " ms: " + description);
      }
      pause(intervalMillis);
    }
  }

  static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    if (Thread.interrupted()) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted");
    }
  }
}
