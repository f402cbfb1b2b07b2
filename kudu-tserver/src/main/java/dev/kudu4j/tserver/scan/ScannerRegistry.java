package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open scanners of a server, by id. A scanner that is not used for its time to live is closed.
 * Thread-safe.
 */
public final class ScannerRegistry implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ScannerRegistry.class);

  private final Map<String, OpenScanner> scanners = new ConcurrentHashMap<>();
  private final ScanHistory history;
  private final LongSupplier ttlMillis;
  private final LongSupplier nanoTime;
  private final ScheduledFuture<?> sweep;
  private volatile boolean closed;

  /**
   * @param ttlMillis may change at any time; applies to open scanners as well
   * @param history records scans that end
   */
  public ScannerRegistry(
      LongSupplier ttlMillis,
      ScanHistory history,
      LongSupplier nanoTime,
      ScheduledExecutorService timer) {
    this.history = history;
    this.ttlMillis = ttlMillis;
    this.nanoTime = nanoTime;
    long periodMillis = Math.max(10, Math.min(1_000, ttlMillis.getAsLong() / 4));
    this.sweep =
        timer.scheduleWithFixedDelay(
            this::sweep, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
  }

  long nowNanos() {
    return nanoTime.getAsLong();
  }

  void add(OpenScanner scanner) {
    scanners.put(scanner.id(), scanner);
    if (closed) {
      remove(scanner, ScanTrace.State.CLOSED);
    }
  }

  /**
   * The scanner with the id. Restarts its time to live.
   *
   * @throws KuduException SCANNER_EXPIRED if there is no scanner with the id; NOT_AUTHORIZED if the
   *     scanner belongs to another user
   */
  OpenScanner find(String id, String user) {
    OpenScanner scanner = scanners.get(id);
    if (scanner == null) {
      throw OpenScanner.expired(id);
    }
    if (!scanner.owner().equals(user)) {
      throw new KuduException(
          StatusCode.NOT_AUTHORIZED, "User " + user + " doesn't own scanner " + id);
    }
    scanner.touch(nowNanos());
    return scanner;
  }

  /**
   * Removes a scanner and closes it, unless it was never added. In both cases records the end of
   * its scan in the history.
   */
  void remove(OpenScanner scanner, ScanTrace.State how) {
    history.end(scanner.trace(), how, nowNanos());
    if (scanners.remove(scanner.id(), scanner)) {
      scanner.close();
    }
  }

  /** Closes the scanners of a tablet that is being removed. */
  public void removeAll(String tabletId) {
    for (OpenScanner scanner : List.copyOf(scanners.values())) {
      if (scanner.tabletId().equals(tabletId)) {
        remove(scanner, ScanTrace.State.CLOSED);
      }
    }
  }

  public int count() {
    return scanners.size();
  }

  /** Adds the metrics of scans over all tablets. */
  public void measure(MetricEntity.Readings readings) {
    readings.add(MetricCatalog.ACTIVE_SCANNERS, count());
    readings.add(MetricCatalog.SCANNERS_EXPIRED, history.expired());
    readings.add(MetricCatalog.SCANNER_DURATION, history.durations().snapshot());
  }

  Collection<OpenScanner> all() {
    return scanners.values();
  }

  private void sweep() {
    long now = nowNanos();
    long ttlNanos = TimeUnit.MILLISECONDS.toNanos(ttlMillis.getAsLong());
    for (OpenScanner scanner : scanners.values()) {
      if (now - scanner.lastUsedNanos() > ttlNanos) {
        log.info(
            "Scanner {} of tablet {} expired: not used for {} ms",
            scanner.id(),
            scanner.tabletId(),
            TimeUnit.NANOSECONDS.toMillis(now - scanner.lastUsedNanos()));
        remove(scanner, ScanTrace.State.EXPIRED);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    sweep.cancel(false);
    for (OpenScanner scanner : List.copyOf(scanners.values())) {
      remove(scanner, ScanTrace.State.CLOSED);
    }
  }
}
