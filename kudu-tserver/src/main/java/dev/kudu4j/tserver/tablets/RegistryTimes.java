package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import dev.kudu4j.server.process.Startup;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The progress of opening tablets at the start, and the durations of creating and deleting tablets.
 */
final class RegistryTimes {
  private final LatencyHistogram creations = new LatencyHistogram();
  private final LatencyHistogram deletions = new LatencyHistogram();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile int found;
  private volatile long startNanos;
  private volatile long endNanos;

  /** Records that the server begins to open the {@code tablets} tablets on disk. */
  void opening(int tablets) {
    startNanos = System.nanoTime();
    endNanos = startNanos;
    found = tablets;
  }

  /** Records that one of the tablets on disk is open or has failed. */
  void opened() {
    endNanos = System.nanoTime();
    opened.incrementAndGet();
  }

  /** How many of the tablets on disk are open or have failed. */
  Startup.Progress progress() {
    return new Startup.Progress(opened.get(), found, "tablets");
  }

  void created(long nanos) {
    creations.addNanos(nanos);
  }

  void deleted(long nanos) {
    deletions.addNanos(nanos);
  }

  void measure(Readings readings) {
    int done = opened.get();
    long until = done < found ? System.nanoTime() : endNanos;
    readings.add(MetricCatalog.TABLETS_NUM_TOTAL_STARTUP, found);
    readings.add(MetricCatalog.TABLETS_NUM_OPENED_STARTUP, done);
    readings.add(
        MetricCatalog.TABLETS_OPENING_TIME_STARTUP,
        TimeUnit.NANOSECONDS.toMillis(until - startNanos));
    readings.add(MetricCatalog.CREATE_TABLET_RUN_TIME, creations.snapshot());
    readings.add(MetricCatalog.DELETE_TABLET_RUN_TIME, deletions.snapshot());
  }
}
