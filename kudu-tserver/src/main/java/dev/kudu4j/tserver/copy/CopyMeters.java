package dev.kudu4j.tserver.copy;

import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts the work of tablet copies on this server, as source and as target. Thread-safe. */
final class CopyMeters {
  private final LongAdder fetchedBytes = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LatencyHistogram copyTimes = new LatencyHistogram();
  private final LatencyHistogram sessionTimes = new LatencyHistogram();
  private final AtomicInteger copiesHere = new AtomicInteger();
  private final AtomicInteger sessionsHere = new AtomicInteger();

  void fetched(long bytes) {
    fetchedBytes.add(bytes);
  }

  void sent(long bytes) {
    sentBytes.add(bytes);
  }

  void copyBegun() {
    copiesHere.incrementAndGet();
  }

  void copyEnded(long nanos) {
    copyTimes.addNanos(nanos);
    copiesHere.decrementAndGet();
  }

  void sessionBegun() {
    sessionsHere.incrementAndGet();
  }

  void sessionEnded(long nanos) {
    sessionTimes.addNanos(nanos);
    sessionsHere.decrementAndGet();
  }

  long fetchedBytes() {
    return fetchedBytes.sum();
  }

  long sentBytes() {
    return sentBytes.sum();
  }

  int sessions() {
    return sessionsHere.get();
  }

  void measure(MetricEntity.Readings readings) {
    readings.add(MetricCatalog.TABLET_COPY_BYTES_FETCHED, fetchedBytes.sum());
    readings.add(MetricCatalog.TABLET_COPY_BYTES_SENT, sentBytes.sum());
    readings.add(MetricCatalog.TABLET_COPY_OPEN_CLIENT_SESSIONS, copiesHere.get());
    readings.add(MetricCatalog.TABLET_COPY_OPEN_SOURCE_SESSIONS, sessionsHere.get());
    readings.add(MetricCatalog.TABLET_COPY_DURATION, copyTimes.snapshot(TimeUnit.MILLISECONDS));
    readings.add(
        MetricCatalog.TABLET_COPY_SOURCE_DURATION, sessionTimes.snapshot(TimeUnit.MILLISECONDS));
  }
}
