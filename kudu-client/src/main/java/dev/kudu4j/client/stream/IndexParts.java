package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.common.proto.common.ReadMode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Opens the tablets of an index, several at the same time. Used once.
 *
 * <pre>
 *   1. ask all tablets for a snapshot; each waits until it has its own
 *   2. open them at the earliest one, for which none has to wait
 * </pre>
 *
 * <p>A scan of the latest rows needs no common snapshot if updates cannot move rows from one tablet
 * to another: then each server chooses one when it opens its tablet, as servers of the table would
 * do. So does that of the only tablet.
 */
final class IndexParts {
  private final SnapshotProbe probe;
  private final ScanQuery query;
  private final Function<ScanQuery, BatchStream<RowBatch>> opener;
  private final long waitMillis;
  private final boolean sharesSnapshot;
  private volatile PartQueue queue;

  /**
   * @param query of the index's table
   * @param instead the scan of the indexed table
   */
  IndexParts(
      Cluster cluster,
      IndexSource index,
      ScanQuery query,
      ScanQuery instead,
      Function<ScanQuery, BatchStream<RowBatch>> opener) {
    this.probe = new SnapshotProbe(cluster, index.tablets(), query);
    this.query = query;
    this.waitMillis = IndexedScan.waitMillis(instead.timeoutMillis());
    this.sharesSnapshot =
        instead.readMode() != ReadMode.READ_LATEST || !index.keepsRowsInPlace(instead.table());
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
    if (!sharesSnapshot || query.snapshot() != ScanQuery.NO_TIMESTAMP) {
      return CompletableFuture.completedFuture(parts(query, tablets));
    }
    return probe.snapshot(tablets).thenApply(chosen -> parts(query.at(chosen), tablets));
  }

  private static List<ScanQuery> parts(ScanQuery whole, List<RemoteTablet> tablets) {
    return tablets.stream()
        .map(tablet -> whole.ofTablet(tablet, whole.snapshot(), whole.limit()))
        .toList();
  }

  /** Whether all tablets are read at one snapshot. */
  boolean sharesSnapshot() {
    return sharesSnapshot;
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
