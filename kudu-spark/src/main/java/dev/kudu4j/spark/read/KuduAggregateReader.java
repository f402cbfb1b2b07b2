package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.client.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;

/** Reads the groups of one tablet, which its server computes. */
final class KuduAggregateReader implements PartitionReader<InternalRow> {
  private final Iterator<InternalRow> rows;
  private InternalRow row;

  private KuduAggregateReader(Iterator<InternalRow> rows) {
    this.rows = rows;
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
        return new KuduAggregateReader(List.of(AggregateRows.ofNothing(columns)).iterator());
      }
      try {
        return new KuduAggregateReader(
            new AggregateRows(
                KuduScanToken.deserializeIntoAggregate(
                        ((KuduSplit) split).token(), connection.client())
                    .execute(),
                columns,
                groupColumns));
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
    return row != null;
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public void close() {}
}
