package dev.kudu4j.benchmarks.mixed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;

/** The durations of one kind of call since they were last taken. Thread-safe. */
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

  /** All durations since the last call, in the order of their ends. */
  synchronized long[] take() {
    long[] taken = Arrays.copyOf(nanos, count);
    count = 0;
    return taken;
  }
}
