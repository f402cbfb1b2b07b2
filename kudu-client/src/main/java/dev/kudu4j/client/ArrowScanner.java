package dev.kudu4j.client;

import dev.kudu4j.client.arrow.ArrowDecoder;
import dev.kudu4j.client.arrow.ArrowFields;
import dev.kudu4j.client.parallel.BatchConverter;
import dev.kudu4j.client.parallel.PieceSize;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.stream.BatchStream;
import dev.kudu4j.client.stream.PreparedScan;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads a table as batches of Arrow vectors, waiting for each. Most vectors are the memory of the
 * servers' answers; none is made row by row.
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
 * <p>Each batch belongs to the caller, who closes it; the scanner's own memory is given back when
 * it is closed. For one thread at a time. Arrow's own requirement holds: the JVM needs no flag with
 * {@code arrow-memory-unsafe}.
 */
public final class ArrowScanner implements AutoCloseable {
  private final Schema schema;
  private final BufferAllocator allocator;
  private final BatchStream<ArrowRecordBatch> batches;
  private final ResourceMetrics metrics = new ResourceMetrics();
  private boolean hasMore;

  private ArrowScanner(
      ScanDescription described, ArrowFields.Form form, BufferAllocator allocator) {
    checkTabletByTablet(described);
    PreparedScan scan = described.scan();
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
          "Arrow batches are what each server sent; rows of several tablets in the order of the key"
              + " need a KuduScanner");
    }
  }

  static ArrowScanner open(ScanDescription described, BufferAllocator allocator) {
    return new ArrowScanner(described, ArrowFields.Form.ARROW, allocator);
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

  /** The first rows of a batch, which is taken. */
  private static VectorSchemaRoot first(int rows, VectorSchemaRoot batch) {
    if (rows == batch.getRowCount()) {
      return batch;
    }
    try (batch) {
      return batch.slice(0, rows);
    }
  }

  /**
   * Begins the scan that a builder describes, which may be that of a scan token.
   *
   * @param allocator borrowed: to be closed after the scanner and all batches
   */
  public static ArrowScanner open(
      KuduScanner.KuduScannerBuilder builder, BufferAllocator allocator) {
    return open(builder.describe(), allocator);
  }

  /**
   * As {@link #open}, but no cell is converted: booleans come as integers of 8 bits, decimals of up
   * to 9 and 18 digits as integers of 32 and 64.
   */
  public static ArrowScanner openAsReceived(
      KuduScanner.KuduScannerBuilder builder, BufferAllocator allocator) {
    return new ArrowScanner(builder.describe(), ArrowFields.Form.AS_RECEIVED, allocator);
  }

  /** The fields of every batch: the columns of the scan, in its order. */
  public Schema schema() {
    return schema;
  }

  /** What the servers reported so far about the batches that were given out. */
  public ResourceMetrics resourceMetrics() {
    return metrics;
  }

  /** The tablet of the last batch; null when there is none. */
  public LocatedTablet currentTablet() {
    return LocatedTablet.orNull(batches.currentTablet());
  }

  /** Whether {@link #nextBatch} may bring more rows. */
  public boolean hasMoreBatches() {
    return hasMore;
  }

  /**
   * The next rows; without any at the end of a tablet that has no more, and when there is no more
   * batch.
   *
   * @return to be closed by the caller
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
   * @param rows taken; null for none
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

  /** Renews the life of the scanner at the server, which forgets one that nobody asks. */
  public void keepAlive() throws KuduException {
    KuduClient.join(batches.scan().keepAlive());
  }

  /** Ends the scan and gives back what was fetched ahead. A second close does nothing. */
  @Override
  public void close() throws KuduException {
    hasMore = false;
    KuduClient.join(batches.close());
  }
}
