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
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the groups of one tablet, which its server computes, in the memory of the responses.
 *
 * <p>It returns the first of them when it has received all, or {@link #MAX_HELD_BYTES} of them. If
 * reading fails before, the client reads the tablet and merges the groups: it survives the loss of
 * a server, and aggregates rows itself where servers cannot. If reading fails later, the task
 * fails, and Spark repeats it.
 */
final class KuduAggregateReader implements PartitionReader<ColumnarBatch> {
  private static final Logger LOG = LoggerFactory.getLogger(KuduAggregateReader.class);

  /** Received groups are held until they are complete or take this much memory. */
  private static final long MAX_HELD_BYTES = 64 << 20;

  private final String table; // for messages
  private final GroupCells cells;
  private final KuduAggregate aggregate; // null to return one row of nothing
  private final boolean merges; // whether each group must be returned only once
  private final BufferAllocator allocator = new RootAllocator();
  private ArrowScanner scanner; // null if the client merges
  private final Queue<VectorSchemaRoot> held = new ArrayDeque<>();
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
      while (!rows.hasNext() && (!held.isEmpty() || mayReceive())) {
        if (held.isEmpty()) {
          receive();
        } else if (take(held.remove())) {
          break;
        }
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

  private boolean mayReceive() {
    return scanner != null && scanner.hasMoreBatches();
  }

  /** Receives the rest of the tablet, or as much of it as may be held, but at least one batch. */
  private void receive() throws KuduException {
    long startNanos = System.nanoTime();
    try {
      do {
        hold(scanner.nextBatch());
      } while (scanner.hasMoreBatches() && allocator.getAllocatedMemory() < MAX_HELD_BYTES);
    } catch (KuduException e) {
      if (count > 0) {
        throw e;
      }
      LOG.info("The groups of a tablet of table {} are read again by its client", table, e);
      dropHeld();
      forgetScanner();
      merge();
      return;
    }
    waitedNanos += System.nanoTime() - startNanos;
  }

  private void hold(VectorSchemaRoot received) {
    if (received.getRowCount() > 0) {
      held.add(received);
    } else {
      received.close();
    }
  }

  /** Makes received groups the next batch, or returns false and makes them rows. */
  private boolean take(VectorSchemaRoot received) {
    Optional<ColumnarBatch> inPlace = cells.inPlace(received);
    if (inPlace.isEmpty()) {
      rows = cells.rows(received);
      return false;
    }
    batch = inPlace.get();
    return true;
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

  private void dropHeld() {
    held.forEach(VectorSchemaRoot::close);
    held.clear();
  }

  /** Closes the scanner, which its server also drops after some time. */
  private void forgetScanner() {
    try {
      if (scanner != null) {
        scanner.close();
      }
    } catch (KuduException e) {
      LOG.debug("A scanner of table {} could not be closed", table, e);
    }
    scanner = null;
  }

  @Override
  public void close() {
    release();
    dropHeld();
    forgetScanner();
    allocator.close();
  }
}
