package dev.kudu4j.server.raft.log;

import dev.kudu4j.server.metrics.model.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.impl.RatisMetricRegistryImpl;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.server.metrics.RaftLogMetricsBase;
import org.apache.ratis.server.metrics.SegmentedRaftLogMetrics;
import org.apache.ratis.thirdparty.com.codahale.metrics.Snapshot;
import org.apache.ratis.thirdparty.com.codahale.metrics.Timer;

/** Latency of appends to one replica's log, as measured by Ratis. */
public final class AppendLatency {
  private AppendLatency() {}

  /** Latency of appends, in microseconds; empty if Ratis measures none. */
  public static Distribution appending(RaftGroupMemberId member) {
    return timer(member, SegmentedRaftLogMetrics.RAFT_LOG_APPEND_ENTRY_LATENCY)
        .map(AppendLatency::distribution)
        .orElse(Distribution.EMPTY);
  }

  private static Optional<Timer> timer(RaftGroupMemberId member, String name) {
    MetricRegistryInfo log =
        new MetricRegistryInfo(
            member.toString(),
            "ratis",
            RaftLogMetricsBase.RATIS_LOG_WORKER_METRICS,
            RaftLogMetricsBase.RATIS_LOG_WORKER_METRICS_DESC);
    Optional<RatisMetricRegistry> registry = MetricRegistries.global().get(log);
    return registry
        .filter(RatisMetricRegistryImpl.class::isInstance)
        .map(known -> ((RatisMetricRegistryImpl) known).get(name))
        .filter(Timer.class::isInstance)
        .map(Timer.class::cast);
  }

  /** Converts a timer. The sum is computed from the mean, because the timer keeps no sum. */
  private static Distribution distribution(Timer timer) {
    Snapshot values = timer.getSnapshot();
    List<Long> percentiles = new ArrayList<>();
    for (double percent : Distribution.PERCENTILES) {
      percentiles.add(micros(values.getValue(percent / 100)));
    }
    double mean = values.getMean() / 1e3;
    return new Distribution(
        timer.getCount(),
        Math.round(mean * timer.getCount()),
        micros((double) values.getMin()),
        mean,
        micros((double) values.getMax()),
        percentiles,
        List.of());
  }

  private static long micros(double nanos) {
    return TimeUnit.NANOSECONDS.toMicros((long) nanos);
  }
}
