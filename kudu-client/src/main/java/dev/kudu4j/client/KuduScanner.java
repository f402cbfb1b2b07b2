package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.cluster.RemoteTablet;

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
   * Keeps the scanner at the server alive by itself, for as long as it is open.
   *
   * @return false when that is under way already, or the scanner is closed
   */
  public final synchronized boolean startKeepAlivePeriodically(int keepaliveIntervalMs)
      throws KuduException {
    if (keepaliveIntervalMs <= 0 || keepAlive != null || isClosed()) {
      return false;
    }
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
  public RemoteTablet currentTablet() {
    return scanner.currentTablet();
  }

  public long getScanRequestTimeout() {
    return scanner.getScanRequestTimeout();
  }

  /** All rows to come, one after the other. */
  @Override
  public KuduScannerIterator iterator() {
    return new KuduScannerIterator(this, scanner.getKeepAlivePeriodMs());
  }

  /** Makes a {@link KuduScanner}. */
  public static class KuduScannerBuilder
      extends AbstractKuduScannerBuilder<KuduScannerBuilder, KuduScanner> {
    KuduScannerBuilder(AsyncKuduClient client, KuduTable table) {
      super(client, table);
    }

    @Override
    public KuduScanner build() {
      return new KuduScanner(new AsyncKuduScanner(this), client);
    }
  }
}
