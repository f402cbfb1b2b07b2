package dev.kudu4j.tserver.tablets;

import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** What the scans of one tablet have done since the server started. Thread-safe. */
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

  /** A scanner was opened. */
  public void started() {
    started.increment();
    active.increment();
    lastNanos = System.nanoTime();
  }

  /** A call of a scan took so long. */
  public void called(long nanos) {
    LatencyHistogram.addTo(calls, nanos);
    lastNanos = System.nanoTime();
  }

  /** A scan waited so long until its snapshot could be read. */
  public void waited(long nanos) {
    LatencyHistogram.addTo(waits, nanos);
  }

  /** A scanner is no more. */
  public void ended() {
    active.decrement();
  }

  /** A batch goes to a client. */
  public void returned(long rows, long cells, long bytes) {
    rowsReturned.add(rows);
    cellsReturned.add(cells);
    bytesReturned.add(bytes);
  }

  /** A scan has come further. */
  public void scanned(long rows, long bytesOfFiles) {
    rowsScanned.add(rows);
    bytesRead.add(bytesOfFiles);
  }

  /** Scanners open now. */
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
