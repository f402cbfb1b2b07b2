package dev.kudu4j.tserver.copy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When bytes may be sent so that in all no more than so many a second are. Who asks gets the next
 * free place and waits for it elsewhere. Thread-safe.
 *
 * <pre>
 *   ----now-------|  taken by those who asked before  |  mine  |----- time
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
   * @param bytesPerSecond the limit now; 0 for none
   */
  TransferThrottle(LongSupplier bytesPerSecond, LongSupplier nanoTime) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoTime = nanoTime;
    this.freeFromNanos = nanoTime.getAsLong();
  }

  /** Takes the next place for so many bytes; how long to wait for it, in nanoseconds. */
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
