package dev.kudu4j.common.time;

import dev.kudu4j.common.status.KuduException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Returns hybrid timestamps that always increase, follow the physical clock, and are later than
 * every timestamp passed to {@link #update}. With a {@link ClockMemory} this also holds across
 * restarts, regardless of the physical clock.
 *
 * <p>Thread-safe; lock-free except for a write to the memory every {@value #STEP_MILLIS} ms.
 */
public final class HybridClock {
  /** The memory is updated in steps, so that not every timestamp needs a write. */
  private static final int STEP_MILLIS = 200;

  private static final long STEP = HybridTime.ofMicros(1000L * STEP_MILLIS);

  private final TimeSource source;
  private final long maxAheadMicros;
  private final ClockMemory memory;
  private final AtomicLong last;
  private volatile long ceiling; // the persisted ceiling; no timestamp is later

  /**
   * A clock without memory.
   *
   * @param maxAheadMicros maximum time by which a timestamp from another process may be ahead of
   *     the physical clock
   */
  public HybridClock(TimeSource source, long maxAheadMicros) {
    this(source, maxAheadMicros, ClockMemory.NONE);
  }

  /** A clock that starts after the ceiling of its memory. */
  public HybridClock(TimeSource source, long maxAheadMicros, ClockMemory memory) {
    this.source = source;
    this.maxAheadMicros = maxAheadMicros;
    this.memory = memory;
    this.ceiling = memory.ceiling();
    this.last = new AtomicLong(ceiling);
  }

  /**
   * The next timestamp, which is later than all timestamps returned, or passed to {@link #update},
   * before this call.
   */
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

  /**
   * Raises the persisted ceiling if necessary. When the method has returned, even a restarted clock
   * returns no timestamp up to this one.
   */
  private void remember(long timestamp) {
    if (timestamp > ceiling) {
      raiseCeiling(timestamp);
    }
  }

  private synchronized void raiseCeiling(long timestamp) {
    if (timestamp > ceiling) {
      memory.store(timestamp + STEP);
      ceiling = timestamp + STEP;
    }
  }

  /**
   * Advances the clock past a timestamp of another process.
   *
   * @throws KuduException INVALID_ARGUMENT if it is too far ahead of the physical clock
   */
  public void update(long timestamp) {
    if (!isTrusted(timestamp)) {
      throw KuduException.invalidArgument(
          "Tried to update clock beyond the max. error: timestamp %d is more than %d ms ahead of"
              + " this server's clock",
          timestamp, maxAheadMicros / 1000);
    }
    resumeAfter(timestamp);
  }

  /**
   * Advances the clock past a timestamp from this server's own log, even if it is far ahead of the
   * physical clock.
   */
  public void resumeAfter(long timestamp) {
    last.accumulateAndGet(timestamp, Math::max);
    // Persist the timestamp even if a later one was returned: the thread that returned the later
    // one may not have persisted it yet.
    remember(timestamp);
  }

  /** Whether {@link #update} would accept the timestamp. */
  public boolean isTrusted(long timestamp) {
    return timestamp >= 0 && HybridTime.micros(timestamp) <= source.nowMicros() + maxAheadMicros;
  }

  /** Whether the timestamp is before the earliest possible current time (commit wait). */
  public boolean isSurelyPast(long timestamp) {
    return source.nowMicros() - source.maxErrorMicros() > HybridTime.micros(timestamp);
  }

  public TimeSource source() {
    return source;
  }
}
