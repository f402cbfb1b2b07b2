package dev.kudu4j.benchmarks.cluster;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import java.util.concurrent.TimeUnit;

/** Waits for tablet servers to register with the masters of a new cluster. */
public final class Registration {
  private static final long TIMEOUT_SECONDS = 60;
  private static final long INTERVAL_MILLIS = 20;

  private Registration() {}

  /** Waits until at least {@code count} tablet servers are registered. */
  public static void await(KuduClient client, int count) throws KuduException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (client.listTabletServers().getTabletServersCount() < count) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Fewer than %d tablet servers registered within %d s"
                .formatted(count, TIMEOUT_SECONDS));
      }
      Poll.pause(INTERVAL_MILLIS);
    }
  }
}
