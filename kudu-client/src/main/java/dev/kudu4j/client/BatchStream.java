package dev.kudu4j.client;

import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.TableScan;
import java.util.concurrent.CompletableFuture;

/**
 * The batches of a scan, of which one is fetched ahead: from the second on, or from the first when
 * that is wanted. So a caller who only looks at the first batch costs the server no more than that.
 * For one caller at a time.
 */
class BatchStream<B> {
  private final TableScan<B> scan;
  private final BatchDecoder<B> decoder;
  private boolean ahead;
  private CompletableFuture<FetchedBatch<B>> fetching; // null when nothing is under way
  private volatile RemoteTablet currentTablet;

  /**
   * @param prefetchFirst whether fetching ahead begins at once
   */
  BatchStream(TableScan<B> scan, BatchDecoder<B> decoder, boolean prefetchFirst) {
    this.scan = scan;
    this.decoder = decoder;
    this.ahead = prefetchFirst;
  }

  final TableScan<B> scan() {
    return scan;
  }

  /** The tablet of the batch that was given out last. */
  final RemoteTablet currentTablet() {
    return currentTablet;
  }

  /** The next batch; not to be called again before it is there, nor after the last one. */
  final CompletableFuture<FetchedBatch<B>> nextBatch() {
    CompletableFuture<FetchedBatch<B>> current = take();
    boolean goOn = ahead;
    ahead = true;
    return current.thenApply(
        batch -> {
          currentTablet = batch.tablet();
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

  /** Ends the scan and gives back the batch that nobody will take. */
  final CompletableFuture<Void> close() {
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
