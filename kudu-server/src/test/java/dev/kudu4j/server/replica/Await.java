package dev.kudu4j.server.replica;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, for at most 30 s. */
final class Await {
  private Await() {}

  static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("The condition did not come true within 30 s");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
