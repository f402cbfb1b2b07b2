package dev.kudu4j.server.process;

import dev.kudu4j.common.status.KuduException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The health of a server. The server is healthy from the moment when all its background parts have
 * started until it stops. Load balancers and supervisors read the state at {@code /healthz}.
 * Thread-safe.
 */
public final class Health {
  private final Map<String, CompletableFuture<?>> awaited = new ConcurrentSkipListMap<>();
  private volatile boolean stopping;

  /**
   * Adds a part that must start before the server is healthy.
   *
   * @param what the end of the message "waiting for ..."
   * @param done completes when the part has started
   */
  public void waitFor(String what, CompletableFuture<?> done) {
    awaited.put(what, done);
  }

  /** Records that the server is stopping and no longer serves. */
  void stop() {
    stopping = true;
  }

  /**
   * The response to a health check.
   *
   * @throws KuduException with SERVICE_UNAVAILABLE if the server does not serve
   */
  String report() {
    if (stopping) {
      throw KuduException.serviceUnavailable("The server is stopping");
    }
    awaited.forEach(Health::check);
    return "OK\n";
  }

  private static void check(String what, CompletableFuture<?> done) {
    if (!done.isDone()) {
      throw KuduException.serviceUnavailable("The server is starting: waiting for %s", what);
    }
    if (done.isCompletedExceptionally()) {
      throw KuduException.serviceUnavailable("The server failed while waiting for %s", what);
    }
  }
}
