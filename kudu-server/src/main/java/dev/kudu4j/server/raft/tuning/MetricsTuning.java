package dev.kudu4j.server.raft.tuning;

import dev.kudu4j.server.raft.log.AppendLatency;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.metrics.impl.MetricRegistryFactoryImpl;
import org.apache.ratis.metrics.impl.RatisMetricRegistryImpl;
import org.apache.ratis.server.metrics.SegmentedRaftLogMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disables the Ratis metrics that are not used.
 *
 * <p>Each group has dozens of timers, each with a sorted sample of a thousand values, and each of
 * its metrics becomes a JMX bean. With writes to many tablets, the samples took a tenth of the CPU.
 * The latency of appends ({@link AppendLatency}) is kept, as are counters and gauges, whose cost is
 * negligible.
 */
final class MetricsTuning {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsTuning.class);

  private static final AtomicBoolean INSTALLED = new AtomicBoolean();
  private static final Timekeeper.Context NO_TIME = () -> 0;
  private static final Timekeeper NO_TIMER = () -> NO_TIME;

  private MetricsTuning() {}

  /** Disables the metrics of all groups of the process that are opened from now on. */
  static void install() {
    if (!INSTALLED.compareAndSet(false, true)) {
      return;
    }
    MetricRegistries registries = MetricRegistries.global();
    registries.addReporterRegistration(opened -> {}, closed -> {}); // prevents JMX reporting
    try {
      RatisField.of(registries, "factory").set(new Factory());
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("Raft groups maintain metrics that are not used: Ratis has changed", e);
    }
  }

  private static final class Factory extends MetricRegistryFactoryImpl {
    @Override
    public RatisMetricRegistryImpl create(MetricRegistryInfo info) {
      return new Registry(info);
    }
  }

  private static final class Registry extends RatisMetricRegistryImpl {
    Registry(MetricRegistryInfo info) {
      super(info);
    }

    @Override
    public Timekeeper timer(String name) {
      return name.equals(SegmentedRaftLogMetrics.RAFT_LOG_APPEND_ENTRY_LATENCY)
          ? super.timer(name)
          : NO_TIMER;
    }
  }
}
