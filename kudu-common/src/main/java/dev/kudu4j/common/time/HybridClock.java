package dev.kudu4j.common.time;

import dev.kudu4j.common.status.KuduException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out hybrid timestamps that only rise, follow the physical clock, and are later than every
 * timestamp that was folded in by {@link #update}.
 *
 * <p>Thread-safe, lock-free.
 */
public final class HybridClock {
  private final TimeSource source;
  private final long maxAheadMicros;
  private final AtomicLong last = new AtomicLong();

  /**
   * @param maxAheadMicros how far ahead of the physical clock a timestamp from outside may be
   */
  public HybridClock(TimeSource source, long maxAheadMicros) {
    this.source = source;
    this.maxAheadMicros = maxAheadMicros;
  }

  /** The next timestamp: later than any handed out or folded in before. */
  public long now() {
    return reserve(1);
  }

  /** Reserves {@code count} consecutive timestamps and returns the first. */
  public long reserve(int count) {
    long physical = HybridTime.ofMicros(source.nowMicros());
    while (true) {
      long previous = last.get();
      long first = Math.max(physical, previous + 1);
      if (last.compareAndSet(previous, first + count - 1)) {
        return first;
      }
    }
  }

  /**
   * Folds in a timestamp seen elsewhere.
   *
   * @throws KuduException INVALID_ARGUMENT when it is too far ahead of the physical clock
   */
  public void update(long timestamp) {
    if (!isTrusted(timestamp)) {
      throw KuduException.invalidArgument(
          "Tried to update clock beyond the max. error: timestamp %d is more than %d ms ahead of this server's clock",
          timestamp, maxAheadMicros / 1000);
    }
    last.accumulateAndGet(timestamp, Math::max);
  }

  /**
   * Makes all further timestamps later than one of this server's own past, found in its log: it is
   * folded in however far ahead it is.
   */
  public void resumeAfter(long timestamp) {
    last.accumulateAndGet(timestamp, Math::max);
  }

  /** Whether {@link #update} would accept the timestamp. */
  public boolean isTrusted(long timestamp) {
    return timestamp >= 0 && HybridTime.micros(timestamp) <= source.nowMicros() + maxAheadMicros;
  }

  /** Whether the clock's earliest possible now has passed the timestamp (commit-wait). */
  public boolean isSurelyPast(long timestamp) {
    return source.nowMicros() - source.maxErrorMicros() > HybridTime.micros(timestamp);
  }

  public TimeSource source() {
    return source;
  }
}
