package dev.kudu4j.client.top;

import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.collect.TabletCollector;
import dev.kudu4j.client.collect.TabletRun;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.stream.ResultFactory;
import dev.kudu4j.client.stream.RowStream;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The first rows in an order, as one batch.
 *
 * @param <B> a batch as the user reads it
 */
public final class OrderedRows<B> implements RowStream<B> {
  private static final int SCANNERS = 4;

  private final ScanQuery query;
  private final int offset;
  private final ResultFactory<B> results;
  private final TabletRun<TopTable> run;
  private CompletableFuture<B> rows; // null until the first call
  private volatile boolean returned;
  private volatile boolean closed;

  /**
   * @param scan its query has an order
   * @param offset how many of the first rows are not returned
   * @param executor merges rows, because event loops must not
   */
  public OrderedRows(PreparedScan scan, int offset, ResultFactory<B> results, Executor executor) {
    this.query = scan.query();
    this.offset = offset;
    this.results = results;
    this.run = new TabletRun<>(scan, new Tables(), SCANNERS, executor);
  }

  private final class Tables implements TabletCollector<TopTable> {
    @Override
    public TopTable empty() {
      return new TopTable(query.top(), query.projection());
    }

    @Override
    public ScanQuery query(boolean here) {
      return query; // servers that cannot select the first rows send all
    }

    @Override
    public void add(RowBatch rows, boolean here, TopTable to) {
      to.add(rows);
    }

    @Override
    public void merge(TopTable part, TopTable to) {
      to.add(part);
    }

    @Override
    public boolean mustCollectHere(Throwable failure) {
      return false;
    }

    @Override
    public void addMetrics(ResourceMetricsPB reported) {
      synchronized (OrderedRows.this) {
        results.addMetrics(reported);
      }
    }
  }

  /** The rows; after a failure, the same failure. */
  @Override
  public CompletableFuture<B> nextRows() {
    if (rows == null) {
      long started = System.nanoTime();
      rows = run.run().thenApply(table -> batch(table, started));
    }
    return rows;
  }

  private B batch(TopTable table, long started) {
    returned = true;
    if (closed) {
      return results.empty(); // the table lacks rows of tablets that were not read
    }
    ColumnarRows first = table.after(offset);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    return results.ofTablet(
        new FetchedBatch<>(first, first.count(), false, null, null, null, millis));
  }

  @Override
  public boolean isOver() {
    return returned || closed;
  }

  @Override
  public CompletableFuture<Void> close() {
    closed = true;
    run.stop();
    return CompletableFuture.completedFuture(null);
  }

  /** The tablets are read without a pause. */
  @Override
  public CompletableFuture<Void> keepAlive() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public long snapshot() {
    return run.snapshot();
  }

  @Override
  public RemoteTablet currentTablet() {
    return null;
  }

  @Override
  public String serverId() {
    return null;
  }

  @Override
  public String scannerId() {
    return null;
  }
}
