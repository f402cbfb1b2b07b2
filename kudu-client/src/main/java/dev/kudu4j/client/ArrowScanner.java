package dev.kudu4j.client;

import dev.kudu4j.client.arrow.ArrowDecoder;
import dev.kudu4j.client.arrow.ArrowFields;
import dev.kudu4j.client.parallel.BatchConverter;
import dev.kudu4j.client.parallel.PieceSize;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.stream.BatchStream;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.stream.SnapshotProbe;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads a table as batches of Arrow vectors, blocking until each arrives. Most vectors use the
 * memory of the server's response; none is built row by row.
 *
 * <pre>{@code
 * try (ArrowScanner scanner = client.newScannerBuilder(table).arrow(allocator)) {
 *   while (scanner.hasMoreBatches()) {
 *     try (VectorSchemaRoot batch = scanner.nextBatch()) {
 *       ...
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>The caller owns each batch and closes it; the scanner frees its own memory when it is closed.
 * Use it from one thread at a time. Arrow's requirements on the JVM apply: with {@code
 * arrow-memory-unsafe} no flag is needed.
 */
public final class ArrowScanner implements AutoCloseable {
  private final Schema schema;
  private final BufferAllocator allocator;
  private final BatchStream<ArrowRecordBatch> batches;
  private final ResourceMetrics metrics;
  private final PreparedScan scan;
  private boolean hasMore;

  private ArrowScanner(
      PreparedScan scan,
      ArrowFields.Form form,
      ResourceMetrics metrics,
      BufferAllocator allocator) {
    this.metrics = metrics;
    this.scan = scan;
    dev.kudu4j.common.schema.Schema columns = scan.query().projection();
    this.schema = ArrowFields.schema(columns, form);
    this.allocator = allocator;
    this.batches =
        scan.batches(scan.query(), new ArrowDecoder(new CellLayout(columns), form, allocator));
    this.hasMore = !scan.query().intervals().isEmpty();
  }

  private static void checkTabletByTablet(ScanDescription described) {
    if (described.inKeyOrder()) {
      throw new IllegalArgumentException(
          "Arrow batches are not merged in key order, because each holds the rows of one response;"
              + " use a KuduScanner");
    }
  }

  static ArrowScanner open(ScanDescription described, BufferAllocator allocator) {
    if (described.isOrdered()) {
      throw new IllegalArgumentException(
          "Arrow batches are not sorted, because each holds the rows of one response; use a"
              + " KuduScanner");
    }
    checkTabletByTablet(described);
    return new ArrowScanner(
        indexOrTable(described), ArrowFields.Form.ARROW, new ResourceMetrics(), allocator);
  }

  /** Waits for the snapshot of an index, if the scan reads one. */
  private static PreparedScan indexOrTable(ScanDescription described) {
    return SnapshotProbe.indexOrTable(described.scan()).join();
  }

  static ParallelScan<VectorSchemaRoot> parallel(
      PreparedScan scan, PieceSize pieces, BufferAllocator allocator) {
    dev.kudu4j.common.schema.Schema columns = scan.query().projection();
    Schema schema = ArrowFields.schema(columns, ArrowFields.Form.ARROW);
    ArrowDecoder decoder =
        new ArrowDecoder(new CellLayout(columns), ArrowFields.Form.ARROW, allocator);
    return ParallelScan.of(
        scan,
        pieces,
        new BatchConverter<ArrowRecordBatch, VectorSchemaRoot>() {
          @Override
          public ArrowDecoder decoder() {
            return decoder;
          }

          @Override
          public VectorSchemaRoot give(FetchedBatch<ArrowRecordBatch> fetched, int rows) {
            return first(rows, root(fetched.rows(), schema, allocator));
          }
        });
  }

  /** The first {@code rows} rows of {@code batch}, which this method returns or closes. */
  private static VectorSchemaRoot first(int rows, VectorSchemaRoot batch) {
    if (rows == batch.getRowCount()) {
      return batch;
    }
    try (batch) {
      return batch.slice(0, rows);
    }
  }

  /**
   * Starts the scan that a builder describes; the builder may come from a scan token.
   *
   * @param allocator borrowed; close it after the scanner and all batches
   */
  public static ArrowScanner open(
      KuduScanner.KuduScannerBuilder builder, BufferAllocator allocator) {
    return open(builder.describe().withIndex(), allocator);
  }

  /**
   * Like {@link #open}, but without conversion of cells: booleans are 8-bit integers; decimals of
   * up to 9 digits are 32-bit and those of up to 18 digits 64-bit integers.
   */
  public static ArrowScanner openAsReceived(
      KuduScanner.KuduScannerBuilder builder, BufferAllocator allocator) {
    ScanDescription described = builder.describe().withIndex();
    checkTabletByTablet(described);
    return new ArrowScanner(
        indexOrTable(described), ArrowFields.Form.AS_RECEIVED, new ResourceMetrics(), allocator);
  }

  /** Returns the groups of an aggregation; see {@link KuduAggregate#openParts}. */
  static ArrowScanner ofParts(
      PreparedScan aggregation, ResourceMetrics metrics, BufferAllocator allocator) {
    ArrowScanner scanner =
        new ArrowScanner(aggregation, ArrowFields.Form.AS_RECEIVED, metrics, allocator);
    scanner.batches.scan().failFast(); // readers of parts can read them again
    return scanner;
  }

  /** A batch with a copy of rows. */
  static VectorSchemaRoot copy(
      ColumnarRows rows, dev.kudu4j.common.schema.Schema columns, BufferAllocator allocator) {
    ArrowDecoder decoder =
        new ArrowDecoder(new CellLayout(columns), ArrowFields.Form.ARROW, allocator);
    Schema schema = ArrowFields.schema(columns, ArrowFields.Form.ARROW);
    return root(decoder.copy(rows), schema, allocator);
  }

  /** The fields of every batch: the projected columns, in order. */
  public Schema schema() {
    return schema;
  }

  /** The metrics that servers reported for the batches returned so far. */
  public ResourceMetrics resourceMetrics() {
    return metrics;
  }

  /**
   * How servers have run the scan so far.
   *
   * @throws IllegalStateException if {@link AbstractKuduScannerBuilder#report} did not request it
   */
  public ScanReport scanReport() {
    return ScanReport.of(scan);
  }

  /** The tablet of the last batch; null if none. */
  public LocatedTablet currentTablet() {
    return LocatedTablet.orNull(batches.currentTablet());
  }

  /** Whether {@link #nextBatch} may return more rows. */
  public boolean hasMoreBatches() {
    return hasMore;
  }

  /**
   * Returns the next rows. The batch is empty only if no rows are left.
   *
   * @return a batch that the caller closes
   */
  public VectorSchemaRoot nextBatch() throws KuduException {
    ArrowRecordBatch rows = null;
    while (hasMore && rows == null) {
      FetchedBatch<ArrowRecordBatch> batch = KuduClient.join(batches.nextBatch());
      hasMore = batch.hasMore();
      rows = batch.rows();
      if (batch.metrics() != null) {
        metrics.add(batch.metrics());
      }
    }
    return root(rows, schema, allocator);
  }

  /**
   * @param rows closed by this method; null for an empty batch
   */
  private static VectorSchemaRoot root(
      ArrowRecordBatch rows, Schema schema, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    if (rows == null) {
      return root;
    }
    try (rows) {
      new VectorLoader(root).load(rows);
      return root;
    } catch (RuntimeException | Error e) {
      root.close();
      throw e;
    }
  }

  /** Keeps the server's scanner alive; servers drop scanners that are idle. */
  public void keepAlive() throws KuduException {
    KuduClient.join(batches.scan().keepAlive());
  }

  /** Ends the scan and frees the prefetched batch. A second close does nothing. */
  @Override
  public void close() throws KuduException {
    hasMore = false;
    KuduClient.join(batches.close());
  }
}
