package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Cluster;
import java.util.concurrent.TimeUnit;

/**
 * Sends keep-alives for a scanner periodically, until it is stopped or the scanner is closed. A
 * failed keep-alive does not fail the scan: the request for the next batch shows whether the
 * scanner still exists.
 */
final class PeriodicKeepAlive {
  private final AsyncKuduScanner scanner;
  private final Cluster cluster;
  private final long periodMillis;
  private volatile boolean stopped;

  PeriodicKeepAlive(AsyncKuduScanner scanner, Cluster cluster, long periodMillis) {
    this.scanner = scanner;
    this.cluster = cluster;
    this.periodMillis = periodMillis;
  }

  void start() {
    cluster.schedule(this::renew, periodMillis, TimeUnit.MILLISECONDS);
  }

  void stop() {
    stopped = true;
  }

  private void renew() {
    if (stopped || scanner.isClosed()) {
      return;
    }
    scanner.keepAliveIfOpen().whenComplete((done, failure) -> start());
  }
}
