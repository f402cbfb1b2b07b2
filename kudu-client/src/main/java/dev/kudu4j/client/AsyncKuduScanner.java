package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarDecoder;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.RowwiseDecoder;
import dev.kudu4j.client.scan.RowwiseRows;
import dev.kudu4j.client.scan.ScanSpec;
import dev.kudu4j.client.scan.TableScan;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a table, batch by batch, one tablet after the other.
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

  private final KuduTable table;
  private final AsyncKuduClient client;
  private final Schema projection;
  private final ScanSpec spec;
  private final ReadMode readMode;
  private final long keepAlivePeriodMs;
  private final boolean prefetchFirst;
  private final ResourceMetrics metrics = new ResourceMetrics();
  private final CellLayout layout;

  private boolean reuseRows;
  private RowDataFormat format = RowDataFormat.ROWWISE;
  private volatile BatchReader<?> reader; // null until the first batch is asked for
  private volatile boolean closed;

  AsyncKuduScanner(AbstractKuduScannerBuilder<?, ?> builder) {
    this.client = builder.client;
    this.table = builder.table;
    this.projection = builder.projection();
    this.spec = builder.spec(projection);
    this.readMode = builder.readMode;
    this.keepAlivePeriodMs = builder.keepAlivePeriodMs;
    this.prefetchFirst = builder.prefetching;
    this.layout = new CellLayout(projection.toCommon());
    this.closed = spec.intervals().isEmpty();
  }

  /** Reads batches of one format and makes iterators of them. */
  private abstract class BatchReader<B> extends BatchStream<B> {
    BatchReader(BatchDecoder<B> decoder) {
      super(
          new TableScan<>(client.cluster(), table.tablets(), spec, decoder),
          decoder,
          prefetchFirst);
    }

    abstract RowResultIterator iterator(B rows, long elapsedMillis, String serverId);

    CompletableFuture<RowResultIterator> nextRows() {
      return nextBatch().thenApply(this::accept);
    }

    private RowResultIterator accept(FetchedBatch<B> batch) {
      if (batch.metrics() != null) {
        metrics.add(batch.metrics());
      }
      if (!batch.hasMore()) {
        closed = true;
      }
      return batch.rows() == null
          ? RowResultIterator.empty()
          : iterator(batch.rows(), batch.elapsedMillis(), batch.serverId());
    }
  }

  private BatchReader<?> newReader() {
    if (format == RowDataFormat.COLUMNAR) {
      return new BatchReader<>(new ColumnarDecoder(layout)) {
        @Override
        RowResultIterator iterator(ColumnarRows rows, long elapsedMillis, String serverId) {
          return RowResultIterator.of(rows, projection, layout, reuseRows, elapsedMillis, serverId);
        }
      };
    }
    return new BatchReader<>(new RowwiseDecoder(layout)) {
      @Override
      RowResultIterator iterator(RowwiseRows rows, long elapsedMillis, String serverId) {
        return RowResultIterator.of(rows, projection, layout, reuseRows, elapsedMillis, serverId);
      }
    };
  }

  /** The most rows of the scan; {@link Long#MAX_VALUE} when it has no limit. */
  public long getLimit() {
    return spec.limit();
  }

  /** Whether {@link #nextRows} may bring more. */
  public boolean hasMoreRows() {
    return !closed;
  }

  public boolean getCacheBlocks() {
    return spec.cacheBlocks();
  }

  public long getBatchSizeBytes() {
    return spec.batchBytes();
  }

  public ReadMode getReadMode() {
    return readMode;
  }

  public long getScanRequestTimeout() {
    return spec.timeoutMillis();
  }

  /** The columns of the rows. */
  public Schema getProjectionSchema() {
    return projection;
  }

  public long getKeepAlivePeriodMs() {
    return keepAlivePeriodMs;
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
   * How rows travel; rows are the same in both. To be called before the first batch.
   *
   * @throws IllegalStateException afterwards
   */
  public void setRowDataFormat(RowDataFormat rowDataFormat) {
    if (reader != null) {
      throw new IllegalStateException("scanning already started");
    }
    this.format = rowDataFormat;
  }

  /** The server that has the scanner, null between tablets. */
  public String getTsUUID() {
    return reader == null ? null : reader.scan().serverId();
  }

  long getSnapshotTimestamp() {
    return reader == null ? spec.snapshot() : reader.scan().snapshot();
  }

  dev.kudu4j.client.cluster.RemoteTablet currentTablet() {
    return reader == null ? null : reader.currentTablet();
  }

  /** The next batch, which may be without rows; null when the scanner is closed. */
  public CompletableFuture<RowResultIterator> nextRows() {
    if (closed) {
      return CompletableFuture.completedFuture(null);
    }
    if (reader == null) {
      reader = newReader();
    }
    return AsyncKuduClient.edge(reader.nextRows());
  }

  /** Whether the scanner has been closed, or read to its end. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends the scan. The future is done when the server knows; its value is null. */
  public CompletableFuture<RowResultIterator> close() {
    closed = true;
    BatchReader<?> started = reader;
    return started == null
        ? CompletableFuture.completedFuture(null)
        : started.close().thenApply(nothing -> null);
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
    return reader == null
        ? CompletableFuture.completedFuture(null)
        : AsyncKuduClient.edge(reader.scan().keepAlive());
  }

  @Override
  public String toString() {
    return "KuduScanner(table="
        + table.getName()
        + ", tablet="
        + (currentTablet() == null ? "null" : currentTablet().tabletId())
        + ", scannerId="
        + (reader == null ? null : reader.scan().scannerId())
        + ", scanRequestTimeout="
        + spec.timeoutMillis()
        + ")";
  }

  /** Makes an {@link AsyncKuduScanner}. */
  public static class AsyncKuduScannerBuilder
      extends AbstractKuduScannerBuilder<AsyncKuduScannerBuilder, AsyncKuduScanner> {
    AsyncKuduScannerBuilder(AsyncKuduClient client, KuduTable table) {
      super(client, table);
    }

    @Override
    public AsyncKuduScanner build() {
      return new AsyncKuduScanner(this);
    }
  }
}
