package dev.kudu4j.client.stream;

import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.TableScan;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the tablets of an index that a scan will read, one after the other, whether they have its
 * snapshot. They wait for a short time until they have it. No rows are read.
 */
public final class SnapshotProbe {
  /** How long each tablet may wait. */
  private static final long WAIT_MILLIS = 1_000;

  private final TableScan<RowBatch> asking;

  private SnapshotProbe(TableScan<RowBatch> asking) {
    this.asking = asking;
  }

  /**
   * The snapshot of a scan; if it has none, a current one, which includes all writes of this
   * client. Fails if a tablet does not have it.
   */
  public static CompletableFuture<Long> snapshot(PreparedScan ofIndex) {
    ScanQuery query =
        ofIndex.query().ofSnapshot(Math.min(WAIT_MILLIS, ofIndex.query().timeoutMillis()));
    TableScan<RowBatch> asking =
        new TableScan<>(
                ofIndex.cluster(),
                ofIndex.tablets(),
                query,
                RowBatchDecoder.columnar(new CellLayout(query.projection())),
                null)
            .insteadOfTable();
    return new SnapshotProbe(asking).ask();
  }

  private CompletableFuture<Long> ask() {
    return asking
        .next()
        .thenCompose(
            answer ->
                answer.hasMore() ? ask() : CompletableFuture.completedFuture(asking.snapshot()));
  }
}
