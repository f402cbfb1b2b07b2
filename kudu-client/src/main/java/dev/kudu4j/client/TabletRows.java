package dev.kudu4j.client;

import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** The rows of one tablet after the other. */
final class TabletRows implements RowStream {
  private final ScanPlan plan;
  private final CellLayout layout;
  private final BooleanSupplier reuseRows;
  private final ResourceMetrics metrics;
  private final BatchStream<RowBatch> batches;
  private volatile boolean over;

  /**
   * @param metrics that the servers' reports are added to
   */
  TabletRows(
      ScanPlan plan,
      CellLayout layout,
      RowBatchDecoder decoder,
      BooleanSupplier reuseRows,
      ResourceMetrics metrics) {
    this.plan = plan;
    this.layout = layout;
    this.reuseRows = reuseRows;
    this.metrics = metrics;
    this.batches = plan.batches(plan.query(), decoder);
  }

  @Override
  public CompletableFuture<RowResultIterator> nextRows() {
    return batches.nextBatch().thenApply(this::accept);
  }

  private RowResultIterator accept(FetchedBatch<RowBatch> batch) {
    if (batch.metrics() != null) {
      metrics.add(batch.metrics());
    }
    over = !batch.hasMore();
    return batch.rows() == null
        ? RowResultIterator.empty()
        : RowResultIterator.of(
            batch.rows(),
            plan.projection(),
            layout,
            reuseRows.getAsBoolean(),
            batch.elapsedMillis(),
            batch.serverId());
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public CompletableFuture<Void> close() {
    return batches.close();
  }

  @Override
  public CompletableFuture<Void> keepAlive() {
    return batches.scan().keepAlive();
  }

  @Override
  public long snapshot() {
    return batches.scan().snapshot();
  }

  @Override
  public RemoteTablet currentTablet() {
    return batches.currentTablet();
  }

  @Override
  public String serverId() {
    return batches.scan().serverId();
  }

  @Override
  public String scannerId() {
    return batches.scan().scannerId();
  }
}
