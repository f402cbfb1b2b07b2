package dev.kudu4j.client;

import dev.kudu4j.client.arrow.ArrowDecoder;
import dev.kudu4j.client.arrow.ArrowFields;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.ScanSpec;
import dev.kudu4j.client.scan.TableScan;
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
 * try (ArrowScanner scanner = ArrowScanner.open(client.newScannerBuilder(table), allocator)) {
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
  private final ArrowDecoder decoder;
  private final BatchStream<ArrowRecordBatch> batches;
  private final ResourceMetrics metrics = new ResourceMetrics();
  private boolean hasMore;

  private ArrowScanner(
      AbstractKuduScannerBuilder<?, ?> builder, ArrowFields.Form form, BufferAllocator allocator) {
    dev.kudu4j.Schema projection = builder.projection();
    ScanSpec spec = builder.spec(projection);
    this.schema = ArrowFields.schema(projection.toCommon(), form);
    this.allocator = allocator;
    this.decoder = new ArrowDecoder(new CellLayout(projection.toCommon()), form, allocator);
    this.batches =
        new BatchStream<>(
            new TableScan<>(builder.client.cluster(), builder.table.tablets(), spec, decoder),
            decoder,
            builder.prefetching);
    this.hasMore = !spec.intervals().isEmpty();
  }

  /**
   * Begins the scan that a builder describes, which may be that of a scan token.
   *
   * @param allocator borrowed: to be closed after the scanner and all batches
   */
  public static ArrowScanner open(
      KuduScanner.KuduScannerBuilder builder, BufferAllocator allocator) {
    return new ArrowScanner(builder, ArrowFields.Form.ARROW, allocator);
  }

  /**
   * As {@link #open}, but no cell is converted: booleans come as integers of 8 bits, decimals of up
   * to 9 and 18 digits as integers of 32 and 64.
   */
  public static ArrowScanner openAsReceived(
      KuduScanner.KuduScannerBuilder builder, BufferAllocator allocator) {
    return new ArrowScanner(builder, ArrowFields.Form.AS_RECEIVED, allocator);
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
  public RemoteTablet currentTablet() {
    return batches.currentTablet();
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
    return root(rows);
  }

  /**
   * @param rows taken; null for none
   */
  private VectorSchemaRoot root(ArrowRecordBatch rows) {
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
