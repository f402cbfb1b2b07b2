package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.KeyMerge;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.stream.MergedRows;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.stream.ResultFactory;
import dev.kudu4j.client.stream.RowStream;
import dev.kudu4j.client.stream.RowsOrTable;
import dev.kudu4j.client.stream.TabletRows;
import dev.kudu4j.client.top.OrderedRows;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import dev.kudu4j.util.HybridTimeUtil;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;

/**
 * Reads a table batch by batch, either tablet by tablet or with all rows in primary key order; see
 * {@link AsyncKuduScannerBuilder#inKeyOrder}.
 *
 * <p>{@link #nextRows} returns the next batch, which may be empty, while {@link #hasMoreRows} is
 * true. The next batch is fetched while the caller reads the current one; see {@link
 * AbstractKuduScannerBuilder#prefetching}. A scanner that is read to its end need not be closed.
 * Use it from one thread at a time. Futures complete on a client thread, which must not block.
 */
public final class AsyncKuduScanner {
  /** How fresh and how repeatable reads are. */
  public enum ReadMode {
    /** Reads what the replica has applied at the time of the request. Not repeatable. */
    READ_LATEST(dev.kudu4j.common.proto.common.ReadMode.READ_LATEST),
    /**
     * Reads all tablets at one timestamp, which the builder sets or the server of the first tablet
     * chooses. Repeatable.
     */
    READ_AT_SNAPSHOT(dev.kudu4j.common.proto.common.ReadMode.READ_AT_SNAPSHOT),
    /**
     * Reads a snapshot that the server chooses; it includes everything this client has written or
     * read.
     */
    READ_YOUR_WRITES(dev.kudu4j.common.proto.common.ReadMode.READ_YOUR_WRITES);

    private final dev.kudu4j.common.proto.common.ReadMode wire;

    ReadMode(dev.kudu4j.common.proto.common.ReadMode wire) {
      this.wire = wire;
    }

    public dev.kudu4j.common.proto.common.ReadMode pbVersion() {
      return wire;
    }
  }

  /** Encoding of rows in responses. */
  public enum RowDataFormat {
    ROWWISE,
    COLUMNAR
  }

  private final ScanDescription description;
  private final PreparedScan scan;
  private final ResourceMetrics metrics = new ResourceMetrics();
  private final CellLayout layout;

  private boolean reuseRows;
  private RowDataFormat format; // null: columnar if the server supports it
  private volatile RowStream<RowResultIterator> rows; // null until the first batch is requested
  private volatile boolean closed;
  private volatile Duration staleness; // null until the first batch

  AsyncKuduScanner(AbstractKuduScannerBuilder<?, ?> builder) {
    this.description = builder.describe().withIndexes();
    this.scan = description.scan();
    this.layout = new CellLayout(scan.query().projection());
    this.closed = scan.query().intervals().isEmpty();
  }

  private RowStream<RowResultIterator> begin() {
    if (description.isOrdered()) {
      return new OrderedRows<>(
          scan, description.offset(), new Results(), ForkJoinPool.commonPool());
    }
    if (description.lookBack().isPresent() && format != RowDataFormat.ROWWISE) {
      return RowsOrTable.ofKeys(scan, description.lookBack().get(), decoder(), new Results());
    }
    if (!description.union().isEmpty()) {
      return RowsOrTable.ofIndexes(description.union(), decoder(), new Results());
    }
    if (scan.isOfIndexOrTable()) {
      return RowsOrTable.ofIndexes(List.of(scan), decoder(), new Results());
    }
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
    if (format == null
        || description.indexesWithRows().isPresent()) { // servers send rows of an index in columns
      return RowBatchDecoder.ofEither(layout);
    }
    return format == RowDataFormat.COLUMNAR
        ? RowBatchDecoder.columnar(layout)
        : RowBatchDecoder.rowwise(layout);
  }

  /** The maximum number of rows; {@link Long#MAX_VALUE} if the scan has no limit. */
  public long getLimit() {
    return description.isOrdered()
        ? scan.query().top().count() - description.offset()
        : scan.query().limit();
  }

  /** Whether {@link #nextRows} may return more rows. */
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

  /** The columns that the scan returns. */
  public Schema getProjectionSchema() {
    return description.projection();
  }

  public long getKeepAlivePeriodMs() {
    return scan.keepAlivePeriodMillis();
  }

  /** The metrics that servers reported for the batches returned so far. */
  public ResourceMetrics getResourceMetrics() {
    return metrics;
  }

  /**
   * How servers have run the scan so far.
   *
   * @throws IllegalStateException if {@link AbstractKuduScannerBuilder#report} did not request it
   */
  public ScanReport getScanReport() {
    return ScanReport.of(scan, description.indexesWithRows());
  }

  /**
   * The {@linkplain KuduIndex#isGlobal global} index that is read instead of the table, or that
   * finds the keys of the rows; several, with commas between, if each has rows of a part of an OR.
   * Empty if the table is read, also because an index could not be.
   */
  public Optional<String> getIndex() {
    return format == RowDataFormat.ROWWISE
        ? description.indexesWithRows()
        : description.indexNames();
  }

  /** Whether iterators reuse one row object, which moves from row to row. */
  public void setReuseRowResult(boolean reuse) {
    this.reuseRows = reuse;
  }

  /**
   * Sets the encoding of rows in responses; the rows that the scanner returns do not depend on it.
   * The default is columnar if the server supports it. Call before the first batch.
   *
   * @throws IllegalStateException if a batch was already requested
   */
  public void setRowDataFormat(RowDataFormat rowDataFormat) {
    if (rows != null) {
      throw new IllegalStateException("scanning already started");
    }
    this.format = rowDataFormat;
  }

  /** UUID of the server that holds the scanner; null between tablets. */
  public String getTsUUID() {
    return rows == null ? null : rows.serverId();
  }

  /**
   * The hybrid time of the snapshot that is read; -1 before a server has chosen it, and for {@code
   * READ_LATEST}.
   */
  public long getSnapshotTimestamp() {
    return rows == null ? scan.query().snapshot() : rows.snapshot();
  }

  /**
   * How old the snapshot was when the first batch arrived, by the clocks of the servers; empty
   * before, and for {@code READ_LATEST}.
   */
  public Optional<Duration> getStaleness() {
    return Optional.ofNullable(staleness);
  }

  private void noteStaleness() {
    long snapshot = getSnapshotTimestamp();
    if (staleness == null && snapshot != ScanQuery.NO_TIMESTAMP) {
      long now = scan.cluster().lastTimestamp();
      long micros =
          HybridTimeUtil.HTTimestampToPhysicalAndLogical(now)[0]
              - HybridTimeUtil.HTTimestampToPhysicalAndLogical(snapshot)[0];
      staleness = Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
    }
  }

  dev.kudu4j.client.cluster.RemoteTablet currentTablet() {
    return rows == null ? null : rows.currentTablet();
  }

  /** Returns the next batch, which may be empty; null if the scanner is closed. */
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
                  noteStaleness();
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
   * Ends the scan. The future completes when the server has closed its scanner. Its value is an
   * empty batch, or null if the scan was not started or was already over.
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
   * Keeps the server's scanner alive. Servers drop scanners that are idle for about a minute.
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

  /** Closes this scanner before its start, so that another scanner can run the scan. */
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

  /** Builds an {@link AsyncKuduScanner}. */
  public static class AsyncKuduScannerBuilder
      extends AbstractKuduScannerBuilder<AsyncKuduScannerBuilder, AsyncKuduScanner> {
    AsyncKuduScannerBuilder(AsyncKuduClient client, KuduTable table) {
      super(client, table);
    }

    /** Like {@link KuduScanner.KuduScannerBuilder#inKeyOrder}. */
    public AsyncKuduScannerBuilder inKeyOrder(boolean wanted) {
      orderByKey(wanted);
      return this;
    }

    /**
     * Returns the rows in the order of a column, after the columns that were added before. Needs a
     * {@link #limit}; all rows are returned in one batch. Servers of Kudu4j select the first rows
     * of their tablets; those of Apache Kudu send all rows, of which this client keeps the first.
     *
     * <p>NULL is below all values, NaN above all numbers.
     */
    public AsyncKuduScannerBuilder orderBy(String column, boolean ascending) {
      return orderBy(column, ascending, ascending);
    }

    /** Like {@link #orderBy(String, boolean)}, with NULL before or after all values. */
    public AsyncKuduScannerBuilder orderBy(String column, boolean ascending, boolean nullsFirst) {
      orderRows(column, ascending, nullsFirst);
      return this;
    }

    /** Sets how many of the first rows in the order are skipped; the limit does not count them. */
    public AsyncKuduScannerBuilder offset(long rows) {
      skipRows(rows);
      return this;
    }

    @Override
    public AsyncKuduScanner build() {
      return new AsyncKuduScanner(this);
    }
  }
}
