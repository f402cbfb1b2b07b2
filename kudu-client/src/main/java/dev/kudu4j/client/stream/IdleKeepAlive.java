package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.scan.TableScan;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a scanner alive at its server while no batch is requested, so that readers may pause for as
 * long as they like. It stops when the scan ends, and also when the scan is no longer referenced,
 * so that an abandoned scanner does not stay open at the server.
 */
public final class IdleKeepAlive {
  private final WeakReference<TableScan<?>> scan;
  private final Cluster cluster;
  private final long periodMillis;

  private IdleKeepAlive(TableScan<?> scan, Cluster cluster, long periodMillis) {
    this.scan = new WeakReference<>(scan);
    this.cluster = cluster;
    this.periodMillis = periodMillis;
  }

  public static void begin(TableScan<?> scan, Cluster cluster, long periodMillis) {
    if (periodMillis > 0) {
      new IdleKeepAlive(scan, cluster, periodMillis).again();
    }
  }

  private void again() {
    cluster.schedule(this::look, periodMillis, TimeUnit.MILLISECONDS);
  }

  /** Checks once per period, so a scanner is idle for less than two periods. */
  private void look() {
    TableScan<?> reading = scan.get();
    if (reading == null || reading.isOver()) {
      return;
    }
    reading.keepAliveIfIdle();
    again();
  }
}
