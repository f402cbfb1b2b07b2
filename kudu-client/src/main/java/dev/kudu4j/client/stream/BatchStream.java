package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.TableScan;
import java.util.concurrent.CompletableFuture;

/**
 * The batches of a scan. While the caller reads a batch, the next one is fetched: from the second
 * batch on, or from the first if {@code prefetchFirst}. So without {@code prefetchFirst} a caller
 * that reads only the first batch does not make the server read another. One caller at a time.
 * While the caller pauses, the server's scanner is kept alive.
 */
public final class BatchStream<B> {
  private final TableScan<B> scan;
  private final BatchDecoder<B> decoder;
  private final Cluster cluster;
  private final long keepAlivePeriodMillis;
  private boolean ahead;
  private CompletableFuture<FetchedBatch<B>> fetching; // the prefetched batch, or null
  private boolean keptAlive;
  private volatile RemoteTablet currentTablet;

  /**
   * @param prefetchFirst whether the second batch is fetched while the caller reads the first
   * @param keepAlivePeriodMillis 0 to let the server drop an idle scanner
   */
  BatchStream(
      Cluster cluster,
      TableScan<B> scan,
      BatchDecoder<B> decoder,
      boolean prefetchFirst,
      long keepAlivePeriodMillis) {
    this.cluster = cluster;
    this.scan = scan;
    this.decoder = decoder;
    this.ahead = prefetchFirst;
    this.keepAlivePeriodMillis = keepAlivePeriodMillis;
  }

  public TableScan<B> scan() {
    return scan;
  }

  /** The tablet of the batch that was returned last. */
  public RemoteTablet currentTablet() {
    return currentTablet;
  }

  /**
   * Returns the next batch. Must not be called again before that batch has arrived, nor after the
   * last batch.
   */
  public CompletableFuture<FetchedBatch<B>> nextBatch() {
    CompletableFuture<FetchedBatch<B>> current = take();
    boolean goOn = ahead;
    ahead = true;
    return current.thenApply(
        batch -> {
          currentTablet = batch.tablet();
          if (batch.hasMore() && !keptAlive) {
            keptAlive = true;
            IdleKeepAlive.begin(scan, cluster, keepAlivePeriodMillis);
          }
          if (goOn && batch.hasMore()) {
            fetchAhead();
          }
          return batch;
        });
  }

  private synchronized CompletableFuture<FetchedBatch<B>> take() {
    CompletableFuture<FetchedBatch<B>> current = fetching == null ? scan.next() : fetching;
    fetching = null;
    return current;
  }

  private synchronized void fetchAhead() {
    if (!scan.isClosed()) {
      fetching = scan.next();
    }
  }

  /** Ends the scan and frees the prefetched batch. */
  public CompletableFuture<Void> close() {
    CompletableFuture<Void> closing = scan.close();
    CompletableFuture<FetchedBatch<B>> unused;
    synchronized (this) {
      unused = fetching;
      fetching = null;
    }
    if (unused == null) {
      return closing;
    }
    return closing.thenCombine(
        unused.handle(
            (batch, failure) -> {
              if (batch != null && batch.rows() != null) {
                decoder.discard(batch.rows());
              }
              return null;
            }),
        (closed, discarded) -> null);
  }
}
