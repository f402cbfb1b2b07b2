package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.ResourceMetrics;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.client.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;

/** Reads the groups of one tablet, which its server computes. */
final class KuduAggregateReader implements PartitionReader<InternalRow> {
  private final Iterator<InternalRow> rows;
  private final ResourceMetrics server;
  private final long waitedNanos;
  private InternalRow row;
  private long count;

  private KuduAggregateReader(
      Iterator<InternalRow> rows, ResourceMetrics server, long waitedNanos) {
    this.rows = rows;
    this.server = server;
    this.waitedNanos = waitedNanos;
  }

  /**
   * Opens readers of splits on the executors.
   *
   * @param columns see {@link PushedAggregates}
   */
  record Factory(String table, Connection connection, StructType columns, int groupColumns)
      implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition split) {
      if (((KuduSplit) split).isNothing()) {
        return new KuduAggregateReader(
            List.of(AggregateRows.ofNothing(columns)).iterator(), new ResourceMetrics(), 0);
      }
      try {
        KuduAggregate aggregate =
            KuduScanToken.deserializeIntoAggregate(
                ((KuduSplit) split).token(), connection.client());
        long started = System.nanoTime();
        RowResultIterator groups = aggregate.execute();
        return new KuduAggregateReader(
            new AggregateRows(groups, columns, groupColumns),
            aggregate.getResourceMetrics(),
            System.nanoTime() - started);
      } catch (KuduException e) {
        throw ClusterErrors.of("Table " + table + " cannot be aggregated", e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public boolean next() {
    row = rows.hasNext() ? rows.next() : null;
    count += row == null ? 0 : 1;
    return row != null;
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return ReadMetrics.valuesOfGroups(count, waitedNanos, server);
  }

  @Override
  public void close() {}
}
