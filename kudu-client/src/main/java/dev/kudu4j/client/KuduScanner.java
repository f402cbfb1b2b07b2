package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import java.time.Duration;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads a table batch by batch, blocking until each arrives; see {@link AsyncKuduScanner}. Use it
 * from one thread at a time.
 *
 * <pre>{@code
 * KuduScanner scanner = client.newScannerBuilder(table).build();
 * for (RowResult row : scanner) {
 *   System.out.println(row.getLong("id"));
 * }
 * }</pre>
 */
public class KuduScanner implements Iterable<RowResult> {
  private final AsyncKuduScanner scanner;
  private final AsyncKuduClient client;
  private PeriodicKeepAlive keepAlive; // null when not started

  KuduScanner(AsyncKuduScanner scanner, AsyncKuduClient client) {
    this.scanner = scanner;
    this.client = client;
  }

  /** Whether {@link #nextRows} may return more rows. */
  public boolean hasMoreRows() {
    return scanner.hasMoreRows();
  }

  /** Whether iterators reuse one row object, which moves from row to row. */
  public void setReuseRowResult(boolean reuseRowResult) {
    scanner.setReuseRowResult(reuseRowResult);
  }

  /** Sets the encoding of rows in responses. Call before the first batch. */
  public void setRowDataFormat(RowDataFormat rowDataFormat) {
    scanner.setRowDataFormat(rowDataFormat);
  }

  /** Returns the next batch, which may be empty; null if the scanner is closed. */
  public RowResultIterator nextRows() throws KuduException {
    return KuduClient.join(scanner.nextRows());
  }

  /** Keeps the server's scanner alive; see {@link AsyncKuduScanner#keepAlive}. */
  public final void keepAlive() throws KuduException {
    KuduClient.join(scanner.keepAlive());
  }

  /**
   * Starts keeping the server's scanner alive periodically, until the scanner is closed. A second
   * call changes the period.
   *
   * @return false if the scanner is closed or the period is not positive
   */
  public final synchronized boolean startKeepAlivePeriodically(int keepaliveIntervalMs)
      throws KuduException {
    if (keepaliveIntervalMs <= 0 || isClosed()) {
      return false;
    }
    stopKeepAlivePeriodically();
    keepAlive = new PeriodicKeepAlive(scanner, client.cluster(), keepaliveIntervalMs);
    keepAlive.start();
    return true;
  }

  /**
   * Stops the keep-alives of {@link #startKeepAlivePeriodically}.
   *
   * @return false if none were running
   */
  public final synchronized boolean stopKeepAlivePeriodically() {
    if (keepAlive == null) {
      return false;
    }
    keepAlive.stop();
    keepAlive = null;
    return true;
  }

  /** Whether the scanner has been closed, or read to its end. */
  public boolean isClosed() {
    return scanner.isClosed();
  }

  /** Ends the scan. A scan that was read to its end need not be closed. */
  public RowResultIterator close() throws KuduException {
    stopKeepAlivePeriodically();
    return KuduClient.join(scanner.close());
  }

  /** The maximum number of rows; {@link Long#MAX_VALUE} if the scan has no limit. */
  public long getLimit() {
    return scanner.getLimit();
  }

  public boolean getCacheBlocks() {
    return scanner.getCacheBlocks();
  }

  public long getBatchSizeBytes() {
    return scanner.getBatchSizeBytes();
  }

  public ReadMode getReadMode() {
    return scanner.getReadMode();
  }

  /**
   * The hybrid time of the snapshot that is read; -1 before a server has chosen it, and for {@code
   * READ_LATEST}.
   */
  public long getSnapshotTimestamp() {
    return scanner.getSnapshotTimestamp();
  }

  /**
   * How old the snapshot was when the first batch arrived, by the clocks of the servers; empty
   * before, and for {@code READ_LATEST}.
   */
  public Optional<Duration> getStaleness() {
    return scanner.getStaleness();
  }

  /** The columns that the scan returns. */
  public Schema getProjectionSchema() {
    return scanner.getProjectionSchema();
  }

  /** The metrics that servers reported for the batches returned so far. */
  public ResourceMetrics getResourceMetrics() {
    return scanner.getResourceMetrics();
  }

  /**
   * How servers have run the scan so far.
   *
   * @throws IllegalStateException if {@link AbstractKuduScannerBuilder#report} did not request it
   */
  public ScanReport getScanReport() {
    return scanner.getScanReport();
  }

  /** The index that is read instead of the table; see {@link AsyncKuduScanner#getIndex}. */
  public Optional<String> getIndex() {
    return scanner.getIndex();
  }

  /** The tablet of the last batch; null if none. */
  public LocatedTablet currentTablet() {
    return LocatedTablet.orNull(scanner.currentTablet());
  }

  public long getScanRequestTimeout() {
    return scanner.getScanRequestTimeout();
  }

  /**
   * The same scan, read as Arrow batches instead of rows.
   *
   * @param allocator borrowed; close it after the scanner and all batches
   * @throws IllegalStateException if rows were already requested
   */
  public ArrowScanner arrow(BufferAllocator allocator) {
    scanner.giveUp();
    return ArrowScanner.open(scanner.description(), allocator);
  }

  /** Iterates over all remaining rows. */
  @Override
  public KuduScannerIterator iterator() {
    return new KuduScannerIterator(this);
  }

  /** Builds a {@link KuduScanner}. */
  public static class KuduScannerBuilder
      extends AbstractKuduScannerBuilder<KuduScannerBuilder, KuduScanner> {
    KuduScannerBuilder(AsyncKuduClient client, KuduTable table) {
      super(client, table);
    }

    /**
     * Returns the rows of all tablets in primary key order, however the table is partitioned. Hash
     * buckets are read in parallel and merged. Ranges are read sequentially if the range columns
     * are the first columns of the primary key. Each open tablet holds two batches in memory.
     *
     * <p>This makes the scan {@linkplain #setFaultTolerant fault tolerant}, and all tablets are
     * read at one snapshot. Key columns outside the projection are fetched, but not returned.
     */
    public KuduScannerBuilder inKeyOrder(boolean wanted) {
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
    public KuduScannerBuilder orderBy(String column, boolean ascending) {
      return orderBy(column, ascending, ascending);
    }

    /** Like {@link #orderBy(String, boolean)}, with NULL before or after all values. */
    public KuduScannerBuilder orderBy(String column, boolean ascending, boolean nullsFirst) {
      orderRows(column, ascending, nullsFirst);
      return this;
    }

    /** Sets how many of the first rows in the order are skipped; the limit does not count them. */
    public KuduScannerBuilder offset(long rows) {
      skipRows(rows);
      return this;
    }

    /**
     * Starts the scan with Arrow batches as its result.
     *
     * @param allocator borrowed; close it after the scanner and all batches
     * @throws IllegalArgumentException if the scan is {@linkplain #inKeyOrder in key order} or in
     *     {@linkplain #orderBy another order}: an Arrow batch holds the rows of one server
     *     response, so that batches cannot be merged
     */
    public ArrowScanner arrow(BufferAllocator allocator) {
      return ArrowScanner.open(this, allocator);
    }

    @Override
    public KuduScanner build() {
      return new KuduScanner(new AsyncKuduScanner(this), client);
    }
  }
}
