package dev.kudu4j.spark.read;

import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.ResourceMetrics;
import dev.kudu4j.spark.client.ClusterErrors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Reads the batches of one split. The next batch is fetched while Spark processes the current one.
 * The memory of a batch, which is that of the server's response, is released when Spark requests
 * the next one.
 */
final class KuduBatchReader implements PartitionReader<ColumnarBatch> {
  private final String table; // for messages
  private final ArrowScanner scanner;
  private final BufferAllocator allocator; // owned
  private final KeepAlive keepAlive;
  private final ReceivedColumns columns;
  private ColumnarBatch batch; // null before the first and after the last
  private long rows;
  private long batches;
  private long waitedNanos;

  /**
   * @param scanner closed with this reader
   * @param allocator closed with this reader
   */
  KuduBatchReader(
      String table,
      ArrowScanner scanner,
      ReceivedColumns columns,
      BufferAllocator allocator,
      long keepAliveMillis) {
    this.table = table;
    this.scanner = scanner;
    this.columns = columns;
    this.allocator = allocator;
    this.keepAlive = KeepAlive.of(scanner, keepAliveMillis);
  }

  @Override
  public boolean next() {
    release();
    try {
      while (scanner.hasMoreBatches()) {
        long started = System.nanoTime();
        VectorSchemaRoot received = scanner.nextBatch();
        waitedNanos += System.nanoTime() - started;
        if (received.getRowCount() > 0) {
          batch = new ColumnarBatch(columns.wrap(received), received.getRowCount());
          batches++;
          rows += received.getRowCount();
          return true;
        }
        received.close();
      }
      return false;
    } catch (KuduException e) {
      throw ClusterErrors.of("Table " + table + " cannot be read", e);
    }
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    ResourceMetrics server = scanner.resourceMetrics();
    return ReadMetrics.values(rows, batches, waitedNanos, server);
  }

  private void release() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  @Override
  public void close() {
    release();
    keepAlive.close();
    try {
      scanner.close();
    } catch (KuduException e) {
      throw ClusterErrors.of("A scanner of table " + table + " cannot be closed", e);
    } finally {
      allocator.close();
    }
  }
}
