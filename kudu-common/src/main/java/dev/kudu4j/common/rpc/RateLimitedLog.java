package dev.kudu4j.common.rpc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Warnings that strangers can cause: a few lines a second at most, then a count of what was left
 * out.
 */
public final class RateLimitedLog {
  private static final int LINES_A_SECOND = 5;

  private final Logger log;
  private final AtomicLong suppressed = new AtomicLong();
  private long windowStartNanos = System.nanoTime();
  private int linesInWindow;

  public RateLimitedLog(Logger log) {
    this.log = log;
  }

  public void warn(String format, @Nullable Object... arguments) {
    if (!admit()) {
      suppressed.incrementAndGet();
      return;
    }
    log.warn(format, arguments);
    long count = suppressed.getAndSet(0);
    if (count > 0) {
      log.warn("{} more such lines were left out", count);
    }
  }

  private synchronized boolean admit() {
    long now = System.nanoTime();
    if (now - windowStartNanos > TimeUnit.SECONDS.toNanos(1)) {
      windowStartNanos = now;
      linesInWindow = 0;
    }
    return linesInWindow++ < LINES_A_SECOND;
  }
}
