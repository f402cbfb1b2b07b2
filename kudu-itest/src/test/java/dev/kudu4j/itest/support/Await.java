package dev.kudu4j.itest.support;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition of another process, which can only be asked again and again. */
public final class Await {
  /** Asked again and again; what it throws ends the waiting. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  private Await() {}

  /**
   * Returns as soon as the condition holds; fails with the description when it does not within the
   * time.
   */
  public static void until(String description, long timeoutMillis, Condition condition) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (!holds(description, condition)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("Not within " + timeoutMillis + " ms: " + description);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private static boolean holds(String description, Condition condition) {
    try {
      return condition.holds();
    } catch (Exception e) {
      throw new AssertionError("While waiting for: " + description, e);
    }
  }
}
