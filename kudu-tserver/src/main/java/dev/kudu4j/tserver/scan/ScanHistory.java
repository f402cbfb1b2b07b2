package dev.kudu4j.tserver.scan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** The scans that ended most recently, and the durations of all ended scans. Thread-safe. */
public final class ScanHistory {
  private final Supplier<Integer> maxKept;
  private final LatencyHistogram durations = new LatencyHistogram();
  private final LongAdder expired = new LongAdder();

  @GuardedBy("this")
  private final Deque<ScanTrace> ended = new ArrayDeque<>();

  /**
   * @param maxKept the maximum number of scans to keep
   */
  public ScanHistory(Supplier<Integer> maxKept) {
    this.maxKept = maxKept;
  }

  /** Records the end of a scan. Only the first call for a scan has an effect. */
  void end(ScanTrace trace, ScanTrace.State how, long nowNanos) {
    if (!trace.end(how, nowNanos)) {
      return;
    }
    durations.addNanos(trace.nanos(nowNanos));
    if (how == ScanTrace.State.EXPIRED) {
      expired.increment();
    }
    remember(trace, maxKept.get());
  }

  private synchronized void remember(ScanTrace trace, int max) {
    ended.addFirst(trace);
    while (ended.size() > max) {
      ended.removeLast();
    }
  }

  /** The scans that are kept, newest first. */
  synchronized List<ScanTrace> ended() {
    return new ArrayList<>(ended);
  }

  long expired() {
    return expired.sum();
  }

  LatencyHistogram durations() {
    return durations;
  }
}
