package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The durations of writes to one tablet since the server started, from arrival to response. A
 * histogram takes no memory before its first write. Thread-safe.
 */
public final class WriteTimes {
  private final AtomicReference<LatencyHistogram> usual = new AtomicReference<>();
  private final AtomicReference<LatencyHistogram> commitWait = new AtomicReference<>();
  private final AtomicReference<LatencyHistogram> waiting = new AtomicReference<>();
  private final AtomicReference<LatencyHistogram> altering = new AtomicReference<>();

  /** Records the duration of a write without COMMIT_WAIT. */
  public void wrote(long nanos) {
    LatencyHistogram.addTo(usual, nanos);
  }

  /**
   * Records the duration of a write with COMMIT_WAIT.
   *
   * @param waitNanos the part of the duration after the write was applied
   */
  public void wroteAndWaited(long nanos, long waitNanos) {
    LatencyHistogram.addTo(commitWait, nanos);
    LatencyHistogram.addTo(waiting, waitNanos);
  }

  /** Records the duration of a schema change. */
  public void altered(long nanos) {
    LatencyHistogram.addTo(altering, nanos);
  }

  void measure(Readings readings) {
    addSnapshot(MetricCatalog.WRITE_OP_DURATION_CLIENT_PROPAGATED_CONSISTENCY, usual, readings);
    addSnapshot(MetricCatalog.WRITE_OP_DURATION_COMMIT_WAIT_CONSISTENCY, commitWait, readings);
    addSnapshot(MetricCatalog.COMMIT_WAIT_DURATION, waiting, readings);
    addSnapshot(MetricCatalog.ALTER_SCHEMA_DURATION, altering, readings);
  }

  private static void addSnapshot(
      Metric metric, AtomicReference<LatencyHistogram> times, Readings readings) {
    readings.add(metric, LatencyHistogram.snapshot(times, TimeUnit.MICROSECONDS));
  }
}
