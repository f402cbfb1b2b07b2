package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Measures the maintenance of one tablet since the server started: durations by kind of op, and
 * numbers of running ops. Thread-safe.
 */
public final class MaintenanceTimes {
  private record Names(Metric duration, Metric running) {}

  /**
   * By kind, unless Apache Kudu has no metrics of it; {@link MaintenanceMeters} counts all kinds.
   */
  private static final Map<Kind, Names> NAMES =
      new EnumMap<>(
          Map.of(
              Kind.FLUSH,
              new Names(MetricCatalog.FLUSH_MRS_DURATION, MetricCatalog.FLUSH_MRS_RUNNING),
              Kind.ROWSET_COMPACTION,
              new Names(MetricCatalog.COMPACT_RS_DURATION, MetricCatalog.COMPACT_RS_RUNNING),
              Kind.MINOR_DELTA_COMPACTION,
              new Names(
                  MetricCatalog.DELTA_MINOR_COMPACT_RS_DURATION,
                  MetricCatalog.DELTA_MINOR_COMPACT_RS_RUNNING),
              Kind.MAJOR_DELTA_COMPACTION,
              new Names(
                  MetricCatalog.DELTA_MAJOR_COMPACT_RS_DURATION,
                  MetricCatalog.DELTA_MAJOR_COMPACT_RS_RUNNING),
              Kind.HISTORY_COLLECTION,
              new Names(
                  MetricCatalog.UNDO_DELTA_BLOCK_GC_PERFORM_DURATION,
                  MetricCatalog.UNDO_DELTA_BLOCK_GC_RUNNING)));

  private static final class Times {
    final LongAdder running = new LongAdder();
    final AtomicReference<@Nullable LatencyHistogram> durations = new AtomicReference<>();
  }

  private final Map<Kind, Times> kinds = new EnumMap<>(Kind.class);
  private final LongAdder bytesFlushed = new LongAdder();
  private final LongAdder bytesCollected = new LongAdder();

  public MaintenanceTimes() {
    for (Kind kind : Kind.values()) {
      kinds.put(kind, new Times());
    }
  }

  private Times times(Kind kind) {
    return Objects.requireNonNull(kinds.get(kind), "there are times of each kind");
  }

  void begun(Kind kind) {
    times(kind).running.increment();
  }

  /**
   * @param grownBytes the growth of the tablet's data files during the op; negative if they shrank
   */
  void ended(Kind kind, long nanos, long grownBytes) {
    Times times = times(kind);
    times.running.decrement();
    LatencyHistogram.addTo(times.durations, nanos);
    if (kind == Kind.FLUSH) {
      bytesFlushed.add(Math.max(0, grownBytes));
    } else if (kind == Kind.HISTORY_COLLECTION) {
      bytesCollected.add(Math.max(0, -grownBytes));
    }
  }

  /** Adds all metrics of this tablet's maintenance. */
  public void measure(Readings readings) {
    readings.add(MetricCatalog.BYTES_FLUSHED, bytesFlushed.sum());
    readings.add(MetricCatalog.UNDO_DELTA_BLOCK_GC_BYTES_DELETED, bytesCollected.sum());
    kinds.forEach(
        (kind, times) -> {
          Names names = NAMES.get(kind);
          if (names != null) {
            readings.add(names.running, times.running.sum());
            TimeUnit unit = TimeUnit.valueOf(names.duration.unit().toUpperCase(Locale.ROOT));
            readings.add(names.duration, LatencyHistogram.snapshot(times.durations, unit));
          }
        });
  }
}
