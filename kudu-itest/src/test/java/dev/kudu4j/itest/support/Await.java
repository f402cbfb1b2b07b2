package dev.kudu4j.itest.support;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition of another process, which can only be asked again and again. */
public final class Await {
  private Await() {}

  /**
   * Returns as soon as the condition holds; fails with the description when it does not within the
   * time.
   */
  public static void until(String description, long timeoutMillis, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("Not within " + timeoutMillis + " ms: " + description);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
