package dev.kudu4j.client.cluster;

import dev.kudu4j.common.rpc.RpcTraffic;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of a client's activity in one place, for export as metrics. Nothing is counted per row.
 * Thread-safe.
 */
public final class Activity implements RpcTraffic {
  /** The outcome of a successful request; a failed one has the name of its status code. */
  public static final String OK = "ok";

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder connections = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder scanners = new LongAdder();
  private final LongAdder locationsKnown = new LongAdder();
  private final LongAdder locationsAsked = new LongAdder();

  /**
   * Receives the end and the retries of each request. Its methods are called on event loops; they
   * must be cheap and must not throw.
   */
  public interface Listener {
    /**
     * A request has ended, after one or more attempts.
     *
     * @param method as the protocol names it
     * @param outcome {@link #OK}, or a status code's name in lower case
     */
    void requested(String method, String outcome, long nanos);

    /** A request is retried. */
    void triedAgain(String method);
  }

  Activity() {}

  public void add(Listener listener) {
    listeners.add(listener);
  }

  public void remove(Listener listener) {
    listeners.remove(listener);
  }

  /** Counts a request, which ends when the future completes. */
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

  /** Counts a lookup of a tablet's location. Rows of writes to known tablets are not counted. */
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

  /** Bytes sent or queued for sending, including framing. */
  public long sentBytes() {
    return sentBytes.sum();
  }

  public long receivedBytes() {
    return receivedBytes.sum();
  }

  /** Open connections. */
  public long connections() {
    return connections.sum();
  }

  /** Requests in flight. */
  public long requests() {
    return requests.sum();
  }

  /** Scanners that are open on servers for this client. */
  public long scanners() {
    return scanners.sum();
  }

  /** Lookups of a tablet's location that were answered from the cache. */
  public long locationsKnown() {
    return locationsKnown.sum();
  }

  /** Lookups of a tablet's location that had to wait for the master. */
  public long locationsAsked() {
    return locationsAsked.sum();
  }
}
