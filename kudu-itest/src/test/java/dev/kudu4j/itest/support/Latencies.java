package dev.kudu4j.itest.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;

/** Durations of calls by their start, for statistics over an interval. Thread-safe. */
public final class Latencies {
  @GuardedBy("this")
  private final List<Call> calls = new ArrayList<>();

  private record Call(long beginNanos, long nanos) {}

  /** Statistics of an interval; NaN if there was no call. */
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

  /** Statistics of the calls that began in the interval. */
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
