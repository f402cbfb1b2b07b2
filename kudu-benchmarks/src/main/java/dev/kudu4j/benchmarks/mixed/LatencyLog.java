package dev.kudu4j.benchmarks.mixed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;

/** Collects the durations of one kind of call until they are taken. Thread-safe. */
final class LatencyLog {
  @GuardedBy("this")
  private long[] nanos = new long[1024];

  @GuardedBy("this")
  private int count;

  synchronized void add(long durationNanos) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, count * 2);
    }
    nanos[count++] = durationNanos;
  }

  /** Returns and removes all durations, in the order in which the calls ended. */
  synchronized long[] take() {
    long[] taken = Arrays.copyOf(nanos, count);
    count = 0;
    return taken;
  }
}
