package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.KeyMerge;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.stream.MergedRows;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.stream.ResultFactory;
import dev.kudu4j.client.stream.RowStream;
import dev.kudu4j.client.stream.TabletRows;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a table, batch by batch, one tablet after the other, or all rows in the order of the
 * primary key; see {@link AsyncKuduScannerBuilder#inKeyOrder}.
 *
 * <p>{@link #nextRows} gives the next batch, which may be empty, as long as {@link #hasMoreRows}
 * says so. While a batch is read the next one is on its way; see {@link
 * AbstractKuduScannerBuilder#prefetching}. A scanner that is read to its end needs no closing. For
 * one thread at a time; futures complete on a thread of the client that must not be blocked.
 */
public final class AsyncKuduScanner {
  /** How fresh, and how repeatable, rows are. */
  public enum ReadMode {
    /** What the replica has applied when it is asked. Not repeatable. */
    READ_LATEST(dev.kudu4j.common.proto.common.ReadMode.READ_LATEST),
    /** One moment for all tablets, given or chosen by the first one. Repeatable. */
    READ_AT_SNAPSHOT(dev.kudu4j.common.proto.common.ReadMode.READ_AT_SNAPSHOT),
    /** A snapshot of the server's choice that holds all that this client has written or read. */
    READ_YOUR_WRITES(dev.kudu4j.common.proto.common.ReadMode.READ_YOUR_WRITES);

    private final dev.kudu4j.common.proto.common.ReadMode wire;

    ReadMode(dev.kudu4j.common.proto.common.ReadMode wire) {
      this.wire = wire;
    }

    public dev.kudu4j.common.proto.common.ReadMode pbVersion() {
      return wire;
    }
  }

  /** How rows travel. */
  public enum RowDataFormat {
    ROWWISE,
    COLUMNAR
  }

  private final ScanDescription description;
  private final PreparedScan scan;
  private final ResourceMetrics metrics = new ResourceMetrics();
  private final CellLayout layout;

  private boolean reuseRows;
  private RowDataFormat format; // null for the better one that servers know
  private volatile RowStream<RowResultIterator> rows; // null until the first batch is asked for
  private volatile boolean closed;

  AsyncKuduScanner(AbstractKuduScannerBuilder<?, ?> builder) {
    this.description = builder.describe();
    this.scan = description.scan();
    this.layout = new CellLayout(scan.query().projection());
    this.closed = scan.query().intervals().isEmpty();
  }

  private RowStream<RowResultIterator> begin() {
    return description.inKeyOrder()
        ? new MergedRows<>(scan, layout, decoder(), new Results())
        : new TabletRows<>(scan, decoder(), new Results());
  }

  private final class Results implements ResultFactory<RowResultIterator> {
    @Override
    public RowResultIterator empty() {
      return RowResultIterator.empty();
    }

    @Override
    public RowResultIterator ofTablet(FetchedBatch<RowBatch> fetched) {
      return RowResultIterator.of(
          fetched.rows(),
          description.projection(),
          layout,
          reuseRows,
          fetched.elapsedMillis(),
          fetched.serverId());
    }

    @Override
    public RowResultIterator ofMerge(KeyMerge.Merged merged) {
      return RowResultIterator.of(merged, description.projection(), layout, reuseRows);
    }

    @Override
    public void addMetrics(ResourceMetricsPB reported) {
      metrics.add(reported);
    }
  }

  private RowBatchDecoder decoder() {
    if (format == null) {
      return RowBatchDecoder.ofEither(layout);
    }
    return format == RowDataFormat.COLUMNAR
        ? RowBatchDecoder.columnar(layout)
        : RowBatchDecoder.rowwise(layout);
  }

  /** The most rows of the scan; {@link Long#MAX_VALUE} when it has no limit. */
  public long getLimit() {
    return scan.query().limit();
  }

  /** Whether {@link #nextRows} may bring more. */
  public boolean hasMoreRows() {
    return !closed;
  }

  public boolean getCacheBlocks() {
    return scan.query().cacheBlocks();
  }

  public long getBatchSizeBytes() {
    return scan.query().batchBytes();
  }

  public ReadMode getReadMode() {
    return description.readMode();
  }

  public long getScanRequestTimeout() {
    return scan.query().timeoutMillis();
  }

  /** The columns of the rows. */
  public Schema getProjectionSchema() {
    return description.projection();
  }

  public long getKeepAlivePeriodMs() {
    return scan.keepAlivePeriodMillis();
  }

  /** What the servers reported so far about the batches that were given out. */
  public ResourceMetrics getResourceMetrics() {
    return metrics;
  }

  /** Whether iterators give one object again and again, each time at another row. */
  public void setReuseRowResult(boolean reuse) {
    this.reuseRows = reuse;
  }

  /**
   * How rows travel; rows are the same in both. Columnar if not said, where servers know it. To be
   * called before the first batch.
   *
   * @throws IllegalStateException afterwards
   */
  public void setRowDataFormat(RowDataFormat rowDataFormat) {
    if (rows != null) {
      throw new IllegalStateException("scanning already started");
    }
    this.format = rowDataFormat;
  }

  /** The server that has the scanner, null between tablets. */
  public String getTsUUID() {
    return rows == null ? null : rows.serverId();
  }

  long getSnapshotTimestamp() {
    return rows == null ? scan.query().snapshot() : rows.snapshot();
  }

  dev.kudu4j.client.cluster.RemoteTablet currentTablet() {
    return rows == null ? null : rows.currentTablet();
  }

  /** The next batch, which may be without rows; null when the scanner is closed. */
  public CompletableFuture<RowResultIterator> nextRows() {
    if (closed) {
      return CompletableFuture.completedFuture(null);
    }
    if (rows == null) {
      rows = begin();
    }
    RowStream<RowResultIterator> stream = rows;
    return AsyncKuduClient.edge(
        stream
            .nextRows()
            .thenApply(
                batch -> {
                  if (stream.isOver()) {
                    closed = true;
                  }
                  return batch;
                }));
  }

  /** Whether the scanner has been closed, or read to its end. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Ends the scan. The future is done when the server knows; its value has no rows, and is null
   * when there was nothing to end.
   */
  public CompletableFuture<RowResultIterator> close() {
    RowStream<RowResultIterator> started = rows;
    boolean nothingToEnd = closed || started == null;
    closed = true;
    return nothingToEnd
        ? CompletableFuture.completedFuture(null)
        : started.close().thenApply(nothing -> RowResultIterator.empty());
  }

  /**
   * Keeps the scanner at the server alive for another while; it forgets scanners that nobody asks
   * for a minute or so.
   *
   * @throws IllegalStateException when the scanner is closed
   */
  public CompletableFuture<Void> keepAlive() {
    if (closed) {
      throw new IllegalStateException("Scanner has already been closed");
    }
    return keepAliveIfOpen();
  }

  CompletableFuture<Void> keepAliveIfOpen() {
    return rows == null
        ? CompletableFuture.completedFuture(null)
        : AsyncKuduClient.edge(rows.keepAlive());
  }

  @Override
  public String toString() {
    return "KuduScanner(table="
        + description.table().getName()
        + ", tablet="
        + (currentTablet() == null ? "null" : currentTablet().tabletId())
        + ", scannerId="
        + (rows == null ? null : rows.scannerId())
        + ", scanRequestTimeout="
        + scan.query().timeoutMillis()
        + ")";
  }

  /** Lets somebody else do the scan. */
  void giveUp() {
    if (rows != null) {
      throw new IllegalStateException("scanning already started");
    }
    closed = true;
  }

  /** The scan that the builder described. */
  ScanDescription description() {
    return description;
  }

  /** Makes an {@link AsyncKuduScanner}. */
  public static class AsyncKuduScannerBuilder
      extends AbstractKuduScannerBuilder<AsyncKuduScannerBuilder, AsyncKuduScanner> {
    AsyncKuduScannerBuilder(AsyncKuduClient client, KuduTable table) {
      super(client, table);
    }

    /** As {@link KuduScanner.KuduScannerBuilder#inKeyOrder}. */
    public AsyncKuduScannerBuilder inKeyOrder(boolean wanted) {
      orderByKey(wanted);
      return this;
    }

    @Override
    public AsyncKuduScanner build() {
      return new AsyncKuduScanner(this);
    }
  }
}
