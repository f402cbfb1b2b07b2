package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How long writes to one tablet took since the server started, from their arrival to their answer.
 * A kind that never came takes no memory. Thread-safe.
 */
public final class WriteTimes {
  private final AtomicReference<LatencyHistogram> usual = new AtomicReference<>();
  private final AtomicReference<LatencyHistogram> commitWait = new AtomicReference<>();
  private final AtomicReference<LatencyHistogram> waiting = new AtomicReference<>();
  private final AtomicReference<LatencyHistogram> altering = new AtomicReference<>();

  /** A write without COMMIT_WAIT took so long. */
  public void wrote(long nanos) {
    LatencyHistogram.addTo(usual, nanos);
  }

  /**
   * A write with COMMIT_WAIT took so long.
   *
   * @param waitNanos of it, after the write was applied
   */
  public void wroteAndWaited(long nanos, long waitNanos) {
    LatencyHistogram.addTo(commitWait, nanos);
    LatencyHistogram.addTo(waiting, waitNanos);
  }

  /** A change of the schema took so long. */
  public void altered(long nanos) {
    LatencyHistogram.addTo(altering, nanos);
  }

  void measure(Readings readings) {
    tell(MetricCatalog.WRITE_OP_DURATION_CLIENT_PROPAGATED_CONSISTENCY, usual, readings);
    tell(MetricCatalog.WRITE_OP_DURATION_COMMIT_WAIT_CONSISTENCY, commitWait, readings);
    tell(MetricCatalog.COMMIT_WAIT_DURATION, waiting, readings);
    tell(MetricCatalog.ALTER_SCHEMA_DURATION, altering, readings);
  }

  private static void tell(
      Metric metric, AtomicReference<LatencyHistogram> times, Readings readings) {
    readings.add(metric, LatencyHistogram.snapshot(times, TimeUnit.MICROSECONDS));
  }
}
