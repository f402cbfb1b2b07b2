package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The tablet servers of a cluster that has just started. */
public final class TabletServers {
  private static final long TIMEOUT_SECONDS = 60;
  private static final long INTERVAL_MILLIS = 20;

  private TabletServers() {}

  /** Waits until the master knows at least {@code count} tablet servers. */
  public static void await(KuduClient client, int count) throws KuduException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (client.listTabletServers().getTabletServersCount() < count) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Fewer than %d tablet servers registered within %d s"
                .formatted(count, TIMEOUT_SECONDS));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS));
    }
  }
}
