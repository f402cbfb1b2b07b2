package dev.kudu4j.client.cluster;

import java.util.concurrent.TimeUnit;

/** A moment of {@link System#nanoTime} after which nobody waits any more. */
public record Deadline(long nanoTime) {
  /** The moment {@code millis} from now; 0 means never, which is a century. */
  public static Deadline after(long millis) {
    long nanos =
        millis <= 0 ? TimeUnit.DAYS.toNanos(36_500) : TimeUnit.MILLISECONDS.toNanos(millis);
    return new Deadline(System.nanoTime() + nanos);
  }

  public long nanosLeft() {
    return nanoTime - System.nanoTime();
  }

  /**
   * Rounded up, so that a call with time left is never one without a time-out; 0 when it has
   * passed.
   */
  public long millisLeft() {
    return Math.max(0, (nanosLeft() + 999_999) / 1_000_000);
  }

  public boolean hasPassed() {
    return nanosLeft() <= 0;
  }
}
