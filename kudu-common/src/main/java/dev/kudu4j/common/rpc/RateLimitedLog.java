package dev.kudu4j.common.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Rate-limits warnings that can be frequent: a burst of lines, then one line per interval, which
 * contains the number of lines that were suppressed before it.
 *
 * <p>Thread-safe.
 */
public final class RateLimitedLog {
  private static final int BURST = 20;
  private static final long SECONDS_PER_LINE = 10;

  private final Logger log;
  private final int burst;
  private final long nanosPerLine;
  private final LongSupplier nanoTime;
  private final AtomicLong suppressed = new AtomicLong();

  @GuardedBy("this")
  private int allowed;

  /** Time up to which elapsed intervals are counted in {@link #allowed}. */
  @GuardedBy("this")
  private long countedNanos;

  /**
   * Creates a log for lines that any client can cause, such as lines about malformed requests. It
   * logs 20 lines immediately, then one line every 10 seconds.
   */
  public RateLimitedLog(Logger log) {
    this(log, System::nanoTime);
  }

  RateLimitedLog(Logger log, LongSupplier nanoTime) {
    this(log, BURST, SECONDS_PER_LINE, nanoTime);
  }

  private RateLimitedLog(Logger log, int burst, long secondsPerLine, LongSupplier nanoTime) {
    this.log = log;
    this.burst = burst;
    this.nanosPerLine = TimeUnit.SECONDS.toNanos(secondsPerLine);
    this.nanoTime = nanoTime;
    this.allowed = burst;
    this.countedNanos = nanoTime.getAsLong();
  }

  /** Logs at most one line per second. */
  public static RateLimitedLog oncePerSecond(Logger log, LongSupplier nanoTime) {
    return new RateLimitedLog(log, 1, 1, nanoTime);
  }

  /** Like {@link #oncePerSecond(Logger, LongSupplier)}, with the JVM's clock. */
  public static RateLimitedLog oncePerSecond(Logger log) {
    return oncePerSecond(log, System::nanoTime);
  }

  public void warn(String format, @Nullable Object... arguments) {
    if (!admit()) {
      suppressed.incrementAndGet();
      return;
    }
    long count = suppressed.getAndSet(0);
    if (count == 0) {
      log.warn(format, arguments);
    } else {
      log.warn(format + " ({} similar lines were suppressed)", with(count, arguments));
    }
  }

  /** Inserts the count after the arguments of the format; an exception at the end stays last. */
  private static @Nullable Object[] with(long count, @Nullable Object[] arguments) {
    @Nullable Object[] more = Arrays.copyOf(arguments, arguments.length + 1);
    int at = arguments.length;
    if (at > 0 && more[at - 1] instanceof Throwable) {
      more[at] = more[at - 1];
      at--;
    }
    more[at] = count;
    return more;
  }

  private synchronized boolean admit() {
    long now = nanoTime.getAsLong();
    long earned = (now - countedNanos) / nanosPerLine;
    if (earned > 0) {
      allowed = (int) Math.min(burst, allowed + earned);
      countedNanos += earned * nanosPerLine;
    }
    if (allowed == 0) {
      return false;
    }
    allowed--;
    return true;
  }
}
