package dev.kudu4j.itest.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;

/** How long calls took, and when they began: to be asked for a stretch of time. Thread-safe. */
public final class Latencies {
  @GuardedBy("this")
  private final List<Call> calls = new ArrayList<>();

  private record Call(long beginNanos, long nanos) {}

  /** Of a stretch of time; NaN when there was no call. */
  public record Quantiles(int count, double p50Millis, double p99Millis, double maxMillis) {
    @Override
    public String toString() {
      return String.format(
          "%d, p50 %.1f ms, p99 %.1f ms, longest %.1f ms", count, p50Millis, p99Millis, maxMillis);
    }
  }

  public synchronized void add(long beginNanos, long endNanos) {
    calls.add(new Call(beginNanos, endNanos - beginNanos));
  }

  /** Of the calls that began in the stretch. */
  public synchronized Quantiles between(long fromNanos, long toNanos) {
    long[] sorted =
        calls.stream()
            .filter(call -> call.beginNanos() >= fromNanos && call.beginNanos() < toNanos)
            .mapToLong(Call::nanos)
            .sorted()
            .toArray();
    return new Quantiles(
        sorted.length, millis(sorted, 0.5), millis(sorted, 0.99), millis(sorted, 1));
  }

  private static double millis(long[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))] / 1e6;
  }
}
