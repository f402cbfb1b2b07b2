package dev.kudu4j.common.time;

import dev.kudu4j.common.status.KuduException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out hybrid timestamps that only rise, follow the physical clock, and are later than every
 * timestamp that was folded in by {@link #update}. With a {@link ClockMemory} this holds over
 * restarts too, whatever the physical clock does meanwhile.
 *
 * <p>Thread-safe; lock-free but for a moment every {@value #STEP_MILLIS} ms that goes to the
 * memory.
 */
public final class HybridClock {
  /** The memory is told in steps, or every timestamp would cost a write. */
  private static final int STEP_MILLIS = 200;

  private static final long STEP = HybridTime.ofMicros(1000L * STEP_MILLIS);

  private final TimeSource source;
  private final long maxAheadMicros;
  private final ClockMemory memory;
  private final AtomicLong last;
  private volatile long ceiling; // what the memory has; no timestamp is later

  /**
   * A clock without memory.
   *
   * @param maxAheadMicros how far ahead of the physical clock a timestamp from outside may be
   */
  public HybridClock(TimeSource source, long maxAheadMicros) {
    this(source, maxAheadMicros, ClockMemory.NONE);
  }

  /** As above; begins behind what the memory has. */
  public HybridClock(TimeSource source, long maxAheadMicros, ClockMemory memory) {
    this.source = source;
    this.maxAheadMicros = maxAheadMicros;
    this.memory = memory;
    this.ceiling = memory.ceiling();
    this.last = new AtomicLong(ceiling);
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
      long end = first + count - 1;
      if (last.compareAndSet(previous, end)) {
        remember(end);
        return first;
      }
    }
  }

  /** Returns when no restart forgets the timestamp. */
  private void remember(long timestamp) {
    if (timestamp > ceiling) {
      raiseCeiling(timestamp);
    }
  }

  private synchronized void raiseCeiling(long timestamp) {
    if (timestamp > ceiling) {
      memory.keep(timestamp + STEP);
      ceiling = timestamp + STEP;
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
    resumeAfter(timestamp);
  }

  /**
   * Makes all further timestamps later than one of this server's own past, found in its log: it is
   * folded in however far ahead it is.
   */
  public void resumeAfter(long timestamp) {
    last.accumulateAndGet(timestamp, Math::max);
    remember(timestamp); // though it is not the latest: whoever handed that out may be on the way
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
