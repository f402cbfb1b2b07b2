package dev.kudu4j.common.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Rate-limits warnings that can be frequent, such as those that a hostile client can cause: a few
 * lines per second, then the number of suppressed lines.
 */
public final class RateLimitedLog {
  private static final int LINES_A_SECOND = 5;

  private final Logger log;
  private final int linesASecond;
  private final LongSupplier nanoTime;
  private final AtomicLong suppressed = new AtomicLong();

  @GuardedBy("this")
  private long windowStartNanos;

  @GuardedBy("this")
  private int linesInWindow;

  public RateLimitedLog(Logger log) {
    this(log, LINES_A_SECOND, System::nanoTime);
  }

  private RateLimitedLog(Logger log, int linesASecond, LongSupplier nanoTime) {
    this.log = log;
    this.linesASecond = linesASecond;
    this.nanoTime = nanoTime;
    this.windowStartNanos = nanoTime.getAsLong();
  }

  /** Logs at most one line per second, with the number of suppressed lines. */
  public static RateLimitedLog oncePerSecond(Logger log, LongSupplier nanoTime) {
    return new RateLimitedLog(log, 1, nanoTime);
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
    if (count > 0 && linesASecond == 1) {
      Object[] more = new Object[arguments.length + 1];
      System.arraycopy(arguments, 0, more, 0, arguments.length);
      more[arguments.length] = count;
      log.warn(format + " ({} similar lines were suppressed)", more);
      return;
    }
    log.warn(format, arguments);
    if (count > 0) {
      log.warn("{} similar lines were suppressed", count);
    }
  }

  private synchronized boolean admit() {
    long now = nanoTime.getAsLong();
    if (now - windowStartNanos >= TimeUnit.SECONDS.toNanos(1)) {
      windowStartNanos = now;
      linesInWindow = 0;
    }
    return linesInWindow++ < linesASecond;
  }
}
