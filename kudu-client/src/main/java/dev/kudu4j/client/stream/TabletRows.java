package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import java.util.concurrent.CompletableFuture;

/** The rows of a scan, tablet by tablet. */
public final class TabletRows<B> implements RowStream<B> {
  private final ResultFactory<B> results;
  private final BatchStream<RowBatch> batches;
  private volatile boolean over;

  public TabletRows(PreparedScan scan, RowBatchDecoder decoder, ResultFactory<B> results) {
    this.results = results;
    this.batches = scan.batches(scan.query(), decoder);
  }

  @Override
  public CompletableFuture<B> nextRows() {
    return batches.nextBatch().thenApply(this::accept);
  }

  private B accept(FetchedBatch<RowBatch> batch) {
    if (batch.metrics() != null) {
      results.addMetrics(batch.metrics());
    }
    over = !batch.hasMore();
    return batch.rows() == null ? results.empty() : results.ofTablet(batch);
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
