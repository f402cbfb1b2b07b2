package dev.kudu4j.client.cluster;

import java.util.concurrent.TimeUnit;

/** The time at which a request ends, on the scale of {@link System#nanoTime}. */
public record Deadline(long nanoTime) {
  /**
   * The deadline {@code millis} from now; 0 or less means no deadline, represented by a time in a
   * century.
   */
  public static Deadline after(long millis) {
    long nanos =
        millis <= 0 ? TimeUnit.DAYS.toNanos(36_500) : TimeUnit.MILLISECONDS.toNanos(millis);
    return new Deadline(System.nanoTime() + nanos);
  }

  public long nanosLeft() {
    return nanoTime - System.nanoTime();
  }

  /**
   * Milliseconds until the deadline, 0 if it has passed. Rounded up, because a timeout of 0 would
   * mean no timeout.
   */
  public long millisLeft() {
    return Math.max(0, (nanosLeft() + 999_999) / 1_000_000);
  }

  public boolean hasPassed() {
    return nanosLeft() <= 0;
  }
}
