package dev.kudu4j.client.collect;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.ScanFailures;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.scan.TableScan;
import dev.kudu4j.client.stream.PreparedScan;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Collects a result of the rows of all tablets.
 *
 * <p>Some tablets are read at a time, each into a part of its own, which is merged into the result
 * when the tablet has been read to its end. So a tablet whose server is lost is simply read again.
 *
 * @param <R> the result, and the part of a tablet; mutable
 */
public final class TabletRun<R> {
  private static final int MAX_ATTEMPTS = 4;
  private static final long RETRY_MILLIS = 100;

  private final PreparedScan scan;
  private final TabletCollector<R> collector;
  private final int scanners;
  private final Executor executor;
  private final R result;
  private final Queue<ScanSplitter.Piece> pieces = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<Void> snapshotKnown = new CompletableFuture<>();
  private volatile long snapshot;
  private volatile boolean collectsHere;
  private volatile boolean stopped;

  /**
   * @param scanners how many tablets are read at a time
   * @param executor collects what event loops must not
   */
  public TabletRun(
      PreparedScan scan, TabletCollector<R> collector, int scanners, Executor executor) {
    this.scan = scan;
    this.collector = collector;
    this.scanners = scanners;
    this.executor = executor;
    this.result = collector.empty();
    this.snapshot = scan.query().snapshot();
  }

  /** Reads all tablets; completes with the result. To be called once. */
  public CompletableFuture<R> run() {
    if (scan.query().matchesNothing()) {
      return CompletableFuture.completedFuture(result);
    }
    return scan.splitter(Deadline.after(scan.query().timeoutMillis()))
        .pieces(0)
        .thenCompose(
            found -> {
              pieces.addAll(found);
              return lanes(found.size());
            })
        .thenApply(done -> result);
  }

  /**
   * The first tablet's server chooses the snapshot, if the query has none; so the other tablets
   * wait for its first response.
   */
  private CompletableFuture<Void> lanes(int tablets) {
    List<CompletableFuture<Void>> lanes = new ArrayList<>();
    if (!scan.query().sharesSnapshot()) {
      snapshotKnown.complete(null);
    }
    for (int i = 0; i < Math.min(scanners, tablets); i++) {
      CompletableFuture<Void> begin =
          i == 0 ? CompletableFuture.completedFuture(null) : snapshotKnown;
      lanes.add(begin.thenCompose(known -> lane()).whenComplete((done, failure) -> ended(failure)));
    }
    return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
  }

  private void ended(Throwable failure) {
    if (failure == null) {
      snapshotKnown.complete(null); // the run was stopped before it had read anything
    } else {
      stopped = true;
      snapshotKnown.completeExceptionally(failure);
    }
  }

  /** Reads tablets one after the other until none is left. */
  private CompletableFuture<Void> lane() {
    ScanSplitter.Piece piece = stopped ? null : pieces.poll();
    return piece == null
        ? CompletableFuture.completedFuture(null)
        : read(piece, 1).thenCompose(done -> lane());
  }

  private CompletableFuture<Void> read(ScanSplitter.Piece piece, int attempt) {
    boolean here = collectsHere;
    return read(piece, here)
        .handle(
            (part, failure) -> {
              if (failure == null) {
                if (!stopped) {
                  merge(part);
                }
                return CompletableFuture.<Void>completedFuture(null);
              }
              boolean refused = !here && collector.mustCollectHere(failure);
              if (refused) {
                collectsHere = true;
              }
              if (!stopped
                  && attempt < MAX_ATTEMPTS
                  && (refused || ScanFailures.mayReadAgain(failure))) {
                return scan.cluster()
                    .after(refused ? 0 : RETRY_MILLIS)
                    .thenCompose(waited -> read(piece, attempt + 1));
              }
              return CompletableFuture.<Void>failedFuture(Failures.unwrap(failure));
            })
        .thenCompose(done -> done);
  }

  private synchronized void merge(R part) {
    collector.merge(part, result);
  }

  /**
   * @param here whether this client does what the servers cannot
   */
  private CompletableFuture<R> read(ScanSplitter.Piece piece, boolean here) {
    KeyInterval partition =
        new KeyInterval(piece.tablet().partition().start(), piece.tablet().partition().end());
    ScanQuery query = collector.query(here).part(partition, piece.keys(), snapshot, Long.MAX_VALUE);
    RowBatchDecoder decoder = RowBatchDecoder.ofEither(new CellLayout(query.projection()));
    TableScan<RowBatch> reading = scan.scan(query, decoder).failFast();
    return steps(reading, collector.empty(), here)
        .whenComplete((done, failure) -> close(reading)); // does nothing if it was read to its end
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private static void close(TableScan<RowBatch> reading) {
    reading.close();
  }

  private CompletableFuture<R> steps(TableScan<RowBatch> reading, R part, boolean here) {
    return reading
        .next()
        .thenComposeAsync(
            batch -> {
              collect(batch, reading, part, here);
              return batch.hasMore() && !stopped
                  ? steps(reading, part, here)
                  : CompletableFuture.completedFuture(part);
            },
            collector.addsBriefly(here) ? Runnable::run : executor);
  }

  private void collect(
      FetchedBatch<RowBatch> batch, TableScan<RowBatch> reading, R part, boolean here) {
    if (snapshot == ScanQuery.NO_TIMESTAMP) {
      snapshot = reading.snapshot();
    }
    snapshotKnown.complete(null);
    if (batch.metrics() != null) {
      collector.addMetrics(batch.metrics());
    }
    if (batch.rows() != null) {
      collector.add(batch.rows(), here, part);
    }
  }

  /** Ends the run early; it then completes soon, with a part of the result. */
  public void stop() {
    stopped = true;
  }

  /** The snapshot that is read, {@link ScanQuery#NO_TIMESTAMP} while none is known. */
  public long snapshot() {
    return snapshot;
  }
}
