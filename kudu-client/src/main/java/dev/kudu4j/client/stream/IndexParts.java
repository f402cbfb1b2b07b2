package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.ScanQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Opens the tablets of an index: several at the same time, and all at one snapshot. Used once.
 *
 * <pre>
 *   1. ask all tablets for a snapshot; each waits until it has its own
 *   2. open them at the earliest one, for which none has to wait
 * </pre>
 *
 * <p>If there is one tablet only, its server chooses the snapshot when it opens the tablet.
 */
final class IndexParts {
  private final SnapshotProbe probe;
  private final ScanQuery query;
  private final Function<ScanQuery, BatchStream<RowBatch>> opener;
  private final long waitMillis;
  private volatile PartQueue queue;

  /**
   * @param query of the index's table
   * @param waitMillis how long the tablets may take to answer
   */
  IndexParts(
      Cluster cluster,
      TableTablets tablets,
      ScanQuery query,
      long waitMillis,
      Function<ScanQuery, BatchStream<RowBatch>> opener) {
    this.probe = new SnapshotProbe(cluster, tablets, query);
    this.query = query;
    this.waitMillis = waitMillis;
    this.opener = opener;
  }

  /**
   * Opens the tablets, and completes when those that are read first have answered. The limit of the
   * query is one of each tablet.
   *
   * @return fails with {@link UnusableIndexException} if a tablet cannot be read, or not in time
   */
  CompletableFuture<PartQueue> open() {
    return inTime(probe.findTablets().thenCompose(this::parts).thenCompose(this::open));
  }

  /** Like {@link #open}, but one tablet after the other, until the query's limit is reached. */
  CompletableFuture<PartQueue> openInTurn() {
    return inTime(open(List.of(query)));
  }

  private CompletableFuture<PartQueue> inTime(CompletableFuture<PartQueue> opening) {
    return opening.orTimeout(waitMillis, TimeUnit.MILLISECONDS).exceptionallyCompose(this::failed);
  }

  private CompletableFuture<List<ScanQuery>> parts(List<RemoteTablet> tablets) {
    if (tablets.size() <= 1) {
      return CompletableFuture.completedFuture(List.of(query));
    }
    CompletableFuture<Long> snapshot =
        query.snapshot() == ScanQuery.NO_TIMESTAMP
            ? probe.snapshot(tablets)
            : CompletableFuture.completedFuture(query.snapshot());
    return snapshot.thenApply(
        chosen -> {
          ScanQuery at = query.at(chosen);
          return tablets.stream().map(tablet -> at.ofTablet(tablet, chosen, at.limit())).toList();
        });
  }

  private CompletableFuture<PartQueue> open(List<ScanQuery> parts) {
    PartQueue opening = new PartQueue(parts, opener);
    queue = opening;
    return opening.openFirst().thenApply(opened -> opening);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private CompletableFuture<PartQueue> failed(Throwable failure) {
    PartQueue opened = queue;
    if (opened != null) {
      opened.close();
    }
    return CompletableFuture.failedFuture(
        new UnusableIndexException("A tablet of the index cannot be read", failure));
  }

  /** Ends what has been opened. */
  CompletableFuture<Void> close() {
    PartQueue opened = queue;
    return opened == null ? CompletableFuture.completedFuture(null) : opened.close();
  }

  /** Keeps alive what has been opened. */
  CompletableFuture<Void> keepAlive() {
    PartQueue opened = queue;
    return opened == null ? CompletableFuture.completedFuture(null) : opened.keepAlive();
  }
}
