package dev.kudu4j.client.cluster;

import dev.kudu4j.common.rpc.RpcTraffic;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a client does, counted in one place, for whoever exports it. Nothing here is done per row.
 * Thread-safe.
 */
public final class Activity implements RpcTraffic {
  /** The outcome of a request that was answered as asked; others have a status code's name. */
  public static final String OK = "ok";

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder connections = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder scanners = new LongAdder();
  private final LongAdder locationsKnown = new LongAdder();
  private final LongAdder locationsAsked = new LongAdder();

  /** Told of each request. Called on event loops; must be cheap and must not throw. */
  public interface Listener {
    /**
     * A request is over, after however many tries.
     *
     * @param method as the protocol names it
     * @param outcome {@link #OK}, or a status code's name in lower case
     */
    void requested(String method, String outcome, long nanos);

    /** A request is tried once more. */
    void triedAgain(String method);
  }

  Activity() {}

  public void add(Listener listener) {
    listeners.add(listener);
  }

  public void remove(Listener listener) {
    listeners.remove(listener);
  }

  /** A request begins that ends with the future. */
  @SuppressWarnings("FutureReturnValueIgnored") // the caller has the future
  void began(String method, CompletableFuture<?> request) {
    long startNanos = System.nanoTime();
    requests.increment();
    request.whenComplete(
        (answer, failure) -> {
          if (!listeners.isEmpty()) {
            ended(method, outcome(failure), System.nanoTime() - startNanos);
          }
          requests.decrement();
        });
  }

  private void ended(String method, String outcome, long nanos) {
    for (Listener listener : listeners) {
      listener.requested(method, outcome, nanos);
    }
  }

  private static String outcome(Throwable failure) {
    if (failure == null) {
      return OK;
    }
    return Failures.unwrap(failure) instanceof KuduException known
        ? known.code().name().toLowerCase(Locale.ROOT)
        : "error";
  }

  void triedAgain(String method) {
    for (Listener listener : listeners) {
      listener.triedAgain(method);
    }
  }

  /** Somebody asked where a tablet is; rows of a write, whose tablets are known, do not ask. */
  void locationWanted(boolean known) {
    (known ? locationsKnown : locationsAsked).increment();
  }

  /** A server opened a scanner for this client. */
  public void scannerOpened() {
    scanners.increment();
  }

  /** A scanner of this client ended, or was lost. */
  public void scannerEnded() {
    scanners.decrement();
  }

  @Override
  public void connected() {
    connections.increment();
  }

  @Override
  public void disconnected() {
    connections.decrement();
  }

  @Override
  public void sent(long bytes) {
    sentBytes.add(bytes);
  }

  @Override
  public void received(long bytes) {
    receivedBytes.add(bytes);
  }

  /** Bytes on their way out or gone, frames and all. */
  public long sentBytes() {
    return sentBytes.sum();
  }

  public long receivedBytes() {
    return receivedBytes.sum();
  }

  /** Connections that are open. */
  public long connections() {
    return connections.sum();
  }

  /** Requests that are under way. */
  public long requests() {
    return requests.sum();
  }

  /** Scanners that servers have open for this client. */
  public long scanners() {
    return scanners.sum();
  }

  /** Questions for a tablet's location that were answered from memory. */
  public long locationsKnown() {
    return locationsKnown.sum();
  }

  /** Questions for a tablet's location that had to wait for the master. */
  public long locationsAsked() {
    return locationsAsked.sum();
  }
}
