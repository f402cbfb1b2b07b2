package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads a table, batch by batch, waiting for each; see {@link AsyncKuduScanner}. For one thread at
 * a time.
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

  /** Whether {@link #nextRows} may bring more. */
  public boolean hasMoreRows() {
    return scanner.hasMoreRows();
  }

  /** Whether iterators give one object again and again, each time at another row. */
  public void setReuseRowResult(boolean reuseRowResult) {
    scanner.setReuseRowResult(reuseRowResult);
  }

  /** How rows travel; to be called before the first batch. */
  public void setRowDataFormat(RowDataFormat rowDataFormat) {
    scanner.setRowDataFormat(rowDataFormat);
  }

  /** The next batch, which may be without rows; null when the scanner is closed. */
  public RowResultIterator nextRows() throws KuduException {
    return KuduClient.join(scanner.nextRows());
  }

  /** Keeps the scanner at the server alive for another while. */
  public final void keepAlive() throws KuduException {
    KuduClient.join(scanner.keepAlive());
  }

  /**
   * Keeps the scanner at the server alive by itself, for as long as it is open. A second call
   * changes the period.
   *
   * @return false when the scanner is closed, or the period is none
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
   * Ends what {@link #startKeepAlivePeriodically} began.
   *
   * @return false when nothing was under way
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

  /** Ends the scan; needs not be called for one that was read to its end. */
  public RowResultIterator close() throws KuduException {
    stopKeepAlivePeriodically();
    return KuduClient.join(scanner.close());
  }

  /** The most rows of the scan; {@link Long#MAX_VALUE} when it has no limit. */
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

  /** The columns of the rows. */
  public Schema getProjectionSchema() {
    return scanner.getProjectionSchema();
  }

  /** What the servers reported so far about the batches that were given out. */
  public ResourceMetrics getResourceMetrics() {
    return scanner.getResourceMetrics();
  }

  /** The tablet of the last batch; null when there is none. */
  public LocatedTablet currentTablet() {
    return LocatedTablet.orNull(scanner.currentTablet());
  }

  public long getScanRequestTimeout() {
    return scanner.getScanRequestTimeout();
  }

  /**
   * The same scan, read as Arrow batches instead of rows.
   *
   * @param allocator borrowed: to be closed after the scanner and all batches
   * @throws IllegalStateException when rows have been asked for already
   */
  public ArrowScanner arrow(BufferAllocator allocator) {
    scanner.giveUp();
    return ArrowScanner.open(scanner.description(), allocator);
  }

  /** All rows to come, one after the other. */
  @Override
  public KuduScannerIterator iterator() {
    return new KuduScannerIterator(this);
  }

  /** Makes a {@link KuduScanner}. */
  public static class KuduScannerBuilder
      extends AbstractKuduScannerBuilder<KuduScannerBuilder, KuduScanner> {
    KuduScannerBuilder(AsyncKuduClient client, KuduTable table) {
      super(client, table);
    }

    /**
     * Brings the rows of all tablets together in the order of the primary key, however the table is
     * partitioned. Hash buckets are read side by side and merged; ranges one after the other if
     * their columns are the first of the key. Of each tablet that is open, two batches are in
     * memory.
     *
     * <p>The scan is {@linkplain #setFaultTolerant fault tolerant} by this, and all tablets are
     * read at one snapshot. Key columns that are not among the columns to read are fetched, but not
     * shown.
     */
    public KuduScannerBuilder inKeyOrder(boolean wanted) {
      orderByKey(wanted);
      return this;
    }

    /**
     * Begins the scan, to be read as Arrow batches.
     *
     * @param allocator borrowed: to be closed after the scanner and all batches
     * @throws IllegalArgumentException when rows are wanted {@linkplain #inKeyOrder in the order of
     *     the key}: batches are what each server sent
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
