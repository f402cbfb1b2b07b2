package dev.kudu4j.tserver.copy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the rate at which bytes are sent. A caller reserves the next free interval; {@link
 * #reserve} returns how long to wait, but does not wait itself. Thread-safe.
 *
 * <pre>
 *   ----now-------|  reserved by earlier callers      |  mine  |----- time
 *      \_______________ the wait ____________________/
 * </pre>
 */
final class TransferThrottle {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier bytesPerSecond;
  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private long freeFromNanos;

  /**
   * @param bytesPerSecond the current limit; 0 for none
   */
  TransferThrottle(LongSupplier bytesPerSecond, LongSupplier nanoTime) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoTime = nanoTime;
    this.freeFromNanos = nanoTime.getAsLong();
  }

  /** Reserves the next interval for the bytes; returns the nanoseconds until it begins. */
  synchronized long reserve(int bytes) {
    long limit = bytesPerSecond.getAsLong();
    long now = nanoTime.getAsLong();
    if (limit <= 0) {
      freeFromNanos = now;
      return 0;
    }
    long begin = Math.max(0, freeFromNanos - now);
    freeFromNanos = now + begin + (long) (bytes * NANOS_PER_SECOND / limit);
    return begin;
  }
}
