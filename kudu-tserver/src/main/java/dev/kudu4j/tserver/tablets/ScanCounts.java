package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the scans of one tablet since the server started. Thread-safe. */
public final class ScanCounts {
  private final LongAdder started = new LongAdder();
  private final LongAdder active = new LongAdder();
  private final LongAdder rowsReturned = new LongAdder();
  private final LongAdder cellsReturned = new LongAdder();
  private final LongAdder bytesReturned = new LongAdder();
  private final LongAdder rowsScanned = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();
  private final AtomicReference<LatencyHistogram> calls = new AtomicReference<>();
  private final AtomicReference<LatencyHistogram> waits = new AtomicReference<>();
  private volatile long lastNanos = System.nanoTime();

  /** Records that a scanner was opened. */
  public void started() {
    started.increment();
    active.increment();
    lastNanos = System.nanoTime();
  }

  /** Takes {@link #started} back. */
  public void abandoned() {
    started.decrement();
    active.decrement();
  }

  /** Records the duration of one call of a scan. */
  public void recordCall(long nanos) {
    LatencyHistogram.addTo(calls, nanos);
    lastNanos = System.nanoTime();
  }

  /** Records how long a scan waited until its snapshot could be read. */
  public void waited(long nanos) {
    LatencyHistogram.addTo(waits, nanos);
  }

  /** Records that a scanner ended. */
  public void ended() {
    active.decrement();
  }

  /** Records a batch that is sent to a client. */
  public void returned(long rows, long cells, long bytes) {
    rowsReturned.add(rows);
    cellsReturned.add(cells);
    bytesReturned.add(bytes);
  }

  /** Adds to the number of rows and bytes that scans have read. */
  public void scanned(long rows, long bytesOfFiles) {
    rowsScanned.add(rows);
    bytesRead.add(bytesOfFiles);
  }

  /** The number of open scanners. */
  public long active() {
    return active.sum();
  }

  void measure(Readings readings) {
    readings.add(MetricCatalog.SCANS_STARTED, started.sum());
    readings.add(MetricCatalog.TABLET_ACTIVE_SCANNERS, active.sum());
    readings.add(MetricCatalog.SCANNER_ROWS_RETURNED, rowsReturned.sum());
    readings.add(MetricCatalog.SCANNER_CELLS_RETURNED, cellsReturned.sum());
    readings.add(MetricCatalog.SCANNER_BYTES_RETURNED, bytesReturned.sum());
    readings.add(MetricCatalog.SCANNER_ROWS_SCANNED, rowsScanned.sum());
    readings.add(MetricCatalog.SCANNER_BYTES_SCANNED_FROM_DISK, bytesRead.sum());
    readings.add(
        MetricCatalog.LAST_READ_ELAPSED_TIME,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - lastNanos));
    readings.add(
        MetricCatalog.SCAN_DURATION_WALL_TIME,
        LatencyHistogram.snapshot(calls, TimeUnit.MILLISECONDS));
    readings.add(
        MetricCatalog.SNAPSHOT_READ_INFLIGHT_WAIT_DURATION,
        LatencyHistogram.snapshot(waits, TimeUnit.MICROSECONDS));
  }
}
