package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.scan.TableScan;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;

/**
 * Renews a scanner at its server while nobody asks for its next batch: readers may pause for as
 * long as they like. It ends with the scan, and also when nobody holds the scanner any more, so
 * that one that was left open does not live on at the server.
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

  /** Looks once a period, so a scanner rests for less than two. */
  private void look() {
    TableScan<?> reading = scan.get();
    if (reading == null || reading.isOver()) {
      return;
    }
    reading.keepAliveIfIdle();
    again();
  }
}
