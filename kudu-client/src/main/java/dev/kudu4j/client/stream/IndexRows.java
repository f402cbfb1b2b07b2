package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The rows of an index that has all columns of a scan, or of several, which have different rows.
 * Fails with {@link UnusableIndexException} if a tablet cannot be read before the first row was
 * returned.
 */
final class IndexRows<B> implements RowStream<B> {
  private final List<PreparedScan> scans;
  private final ResultFactory<B> results;
  private final IndexParts tablets;
  private volatile PartQueue parts; // null until they are open
  private volatile boolean anyRow;
  private volatile boolean over;

  /**
   * @param scans of the indexes' tables; all of the same indexed table
   */
  IndexRows(List<PreparedScan> scans, RowBatchDecoder decoder, ResultFactory<B> results) {
    this.scans = List.copyOf(scans);
    this.results = results;
    this.tablets =
        new IndexParts(
            scans.stream().map(scan -> reading(scan, decoder)).toList(),
            scans.get(0).instead().query());
  }

  private static IndexParts.Reading reading(PreparedScan scan, RowBatchDecoder decoder) {
    return new IndexParts.Reading(
        scan.cluster(), scan.instead().index(), scan.query(), part -> scan.batches(part, decoder));
  }

  @Override
  public CompletableFuture<B> nextRows() {
    CompletableFuture<FetchedBatch<RowBatch>> batch =
        parts == null ? open().thenCompose(PartQueue::next) : parts.next();
    return batch
        .thenApply(this::accept)
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(failed(failure)));
  }

  private CompletableFuture<PartQueue> open() {
    boolean isLimited = scans.get(0).query().limit() != Long.MAX_VALUE;
    return (isLimited ? tablets.openInTurn() : tablets.open())
        .thenApply(
            opened -> {
              parts = opened;
              return opened;
            });
  }

  private B accept(FetchedBatch<RowBatch> batch) {
    if (batch.metrics() != null) {
      results.addMetrics(batch.metrics());
    }
    over = parts.isOver();
    anyRow |= batch.rowCount() > 0;
    return batch.rows() == null ? results.empty() : results.ofTablet(batch);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an unclosed scanner expires
  private Throwable failed(Throwable failure) {
    tablets.close();
    Throwable cause = Failures.unwrap(failure);
    if (anyRow) {
      return cause;
    }
    scans.forEach(scan -> scan.instead().fail());
    return cause instanceof UnusableIndexException
        ? cause
        : new UnusableIndexException("The index cannot be read", cause);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public CompletableFuture<Void> close() {
    return tablets.close();
  }

  @Override
  public CompletableFuture<Void> keepAlive() {
    return tablets.keepAlive();
  }

  @Override
  public long snapshot() {
    long asked = scans.get(0).query().snapshot();
    PartQueue opened = parts;
    return opened == null || !tablets.sharesSnapshot() ? asked : opened.snapshot(asked);
  }

  @Override
  public RemoteTablet currentTablet() {
    PartQueue opened = parts;
    return opened == null ? null : opened.currentTablet();
  }

  @Override
  public String serverId() {
    PartQueue opened = parts;
    return opened == null ? null : opened.serverId();
  }

  @Override
  public String scannerId() {
    PartQueue opened = parts;
    return opened == null ? null : opened.scannerId();
  }
}
