package dev.kudu4j.server.metrics.model;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Histogram of durations since the server started, with two significant digits; durations above one
 * minute count as one minute. Adding a value takes a few atomic increments and no lock. The
 * histogram needs 1 KB for durations below a millisecond and up to 20 KB for durations of a minute.
 * Thread-safe.
 */
public final class LatencyHistogram {
  /** Longer durations are recorded as this value. */
  public static final long MAX_MICROS = 60_000_000;

  /** Number of significant digits. */
  public static final int DIGITS = 2;

  private static final long[] BOUNDS_MICROS = {
    100,
    250,
    500,
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000
  };

  private final ConcurrentHistogram histogram = new ConcurrentHistogram(DIGITS);
  private final LongAdder sumMicros = new LongAdder();

  /**
   * Adds a duration. The histogram is created with the first duration, because many tablets never
   * have one.
   */
  public static void addTo(AtomicReference<@Nullable LatencyHistogram> histogram, long nanos) {
    LatencyHistogram known = histogram.get();
    if (known == null) {
      LatencyHistogram fresh = new LatencyHistogram();
      LatencyHistogram earlier = histogram.compareAndExchange(null, fresh);
      known = earlier == null ? fresh : earlier;
    }
    known.addNanos(nanos);
  }

  /**
   * Snapshot of a histogram that {@link #addTo} fills; an empty distribution if there is no
   * duration yet.
   */
  public static Distribution snapshot(
      AtomicReference<@Nullable LatencyHistogram> histogram, TimeUnit unit) {
    LatencyHistogram made = histogram.get();
    return made == null ? Distribution.EMPTY : made.snapshot(unit);
  }

  /** Adds a duration, rounded down to microseconds. */
  public void addNanos(long nanos) {
    long micros = Math.max(0, nanos / 1_000);
    histogram.recordValue(Math.min(micros, MAX_MICROS));
    sumMicros.add(micros);
  }

  /** Snapshot of all durations so far, in microseconds. */
  public Distribution snapshot() {
    return snapshot(TimeUnit.MICROSECONDS);
  }

  /** Snapshot of all durations so far, in a unit of at least one microsecond. */
  public Distribution snapshot(TimeUnit unit) {
    long micros = unit.toMicros(1);
    Histogram copy = histogram.copy();
    long count = copy.getTotalCount();
    long sum = sumMicros.sum();
    List<Long> percentiles = new ArrayList<>();
    for (double percent : Distribution.PERCENTILES) {
      percentiles.add(copy.getValueAtPercentile(percent) / micros);
    }
    List<Distribution.Bucket> buckets = new ArrayList<>();
    for (long bound : BOUNDS_MICROS) {
      if (bound % micros == 0) {
        buckets.add(new Distribution.Bucket(bound / micros, copy.getCountBetweenValues(0, bound)));
      }
    }
    return new Distribution(
        count,
        sum / micros,
        count == 0 ? 0 : copy.getMinValue() / micros,
        count == 0 ? 0 : (double) sum / count / micros,
        copy.getMaxValue() / micros,
        percentiles,
        buckets);
  }
}
