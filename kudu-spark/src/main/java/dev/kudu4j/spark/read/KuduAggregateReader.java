package dev.kudu4j.spark.read;

import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.ResourceMetrics;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.client.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Reads the groups of one tablet, which its server computes, in the memory of the responses.
 *
 * <p>If reading fails before the first groups have been returned, the client reads the tablet and
 * merges the groups: it survives the loss of a server, and aggregates rows itself where servers
 * cannot.
 */
final class KuduAggregateReader implements PartitionReader<ColumnarBatch> {
  private final String table; // for messages
  private final GroupCells cells;
  private final KuduAggregate aggregate; // null to return one row of nothing
  private final boolean merges; // whether each group must be returned only once
  private final BufferAllocator allocator = new RootAllocator();
  private ArrowScanner scanner; // null if the client merges
  private Iterator<InternalRow> rows = Collections.emptyIterator(); // returned before all else
  private ColumnarBatch batch; // null before the first and after the last
  private boolean started;
  private long count;
  private long waitedNanos;

  private KuduAggregateReader(
      String table, GroupCells cells, KuduAggregate aggregate, boolean merges) {
    this.table = table;
    this.cells = cells;
    this.aggregate = aggregate;
    this.merges = merges;
  }

  /**
   * Opens readers of splits on the executors.
   *
   * @param columns see {@link PushedAggregates}
   * @param merges whether Spark does not merge the rows of a task
   */
  record Factory(
      String table, Connection connection, StructType columns, int groupColumns, boolean merges)
      implements PartitionReaderFactory {
    @Override
    public boolean supportColumnarReads(InputPartition split) {
      return true;
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition split) {
      GroupCells cells = new GroupCells(columns, groupColumns);
      try {
        KuduAggregate aggregate =
            ((KuduSplit) split).isNothing()
                ? null
                : KuduScanToken.deserializeIntoAggregate(
                    ((KuduSplit) split).token(), connection.client());
        return new KuduAggregateReader(table, cells, aggregate, merges);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition split) {
      throw new UnsupportedOperationException("Groups are read in columns only");
    }
  }

  @Override
  public boolean next() {
    release();
    try {
      if (!started) {
        start();
      }
      while (batch == null && !rows.hasNext() && scanner != null && scanner.hasMoreBatches()) {
        receive();
      }
      if (batch == null && rows.hasNext()) {
        batch = RowVector.batch(rows, cells.columns());
      }
    } catch (KuduException e) {
      throw ClusterErrors.of("Table " + table + " cannot be aggregated", e);
    }
    count += batch == null ? 0 : batch.numRows();
    return batch != null;
  }

  private void start() throws KuduException {
    started = true;
    if (aggregate == null) {
      rows = List.of(AggregateRows.ofNothing(cells.columns())).iterator();
    } else if (merges || !aggregate.hasParts()) {
      merge();
    } else {
      scanner = aggregate.openParts(allocator);
    }
  }

  private void merge() throws KuduException {
    long startNanos = System.nanoTime();
    rows = cells.rows(aggregate.execute());
    waitedNanos += System.nanoTime() - startNanos;
  }

  private void receive() throws KuduException {
    long startNanos = System.nanoTime();
    VectorSchemaRoot received;
    try {
      received = scanner.nextBatch();
    } catch (KuduException e) {
      if (count > 0) {
        throw e;
      }
      closeScanner();
      merge();
      return;
    } finally {
      waitedNanos += System.nanoTime() - startNanos;
    }
    if (received.getRowCount() == 0) {
      received.close();
      return;
    }
    Optional<ColumnarBatch> inPlace = cells.inPlace(received);
    if (inPlace.isPresent()) {
      batch = inPlace.get();
    } else {
      rows = cells.rows(received);
    }
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    ResourceMetrics server =
        aggregate == null ? new ResourceMetrics() : aggregate.getResourceMetrics();
    return ReadMetrics.valuesOfGroups(count, waitedNanos, server);
  }

  private void release() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  private void closeScanner() throws KuduException {
    if (scanner != null) {
      scanner.close();
      scanner = null;
    }
  }

  @Override
  public void close() {
    release();
    try {
      closeScanner();
    } catch (KuduException e) {
      throw ClusterErrors.of("A scanner of table " + table + " cannot be closed", e);
    } finally {
      allocator.close();
    }
  }
}
