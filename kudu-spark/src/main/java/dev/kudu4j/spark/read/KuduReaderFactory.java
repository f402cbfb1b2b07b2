package dev.kudu4j.spark.read;

import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner.KuduScannerBuilder;
import dev.kudu4j.spark.client.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Opens readers of splits on the executors.
 *
 * @param tabletIndex see {@link ReceivedColumns}
 * @param snapshot the hybrid time to read at. It is not in the splits, because Spark may plan them
 *     before the query begins.
 */
record KuduReaderFactory(
    String table,
    Connection connection,
    StructType columns,
    int tabletIndex,
    long snapshot,
    long keepAliveMillis)
    implements PartitionReaderFactory {
  @Override
  public boolean supportColumnarReads(InputPartition split) {
    return true;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition input) {
    KuduSplit split = (KuduSplit) input;
    KuduClient client = connection.client();
    BufferAllocator allocator = new RootAllocator();
    try {
      KuduScannerBuilder scan =
          KuduScanToken.deserializeIntoScannerBuilder(split.token(), client)
              .snapshotTimestampRaw(snapshot)
              .prefetching(true);
      return new KuduBatchReader(
          table,
          ArrowScanner.openAsReceived(scan, allocator),
          new ReceivedColumns(columns, tabletIndex, split.tablet()),
          allocator,
          keepAliveMillis);
    } catch (IOException e) {
      allocator.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      allocator.close();
      throw e;
    }
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition split) {
    throw new UnsupportedOperationException("Kudu's splits are read in columns only");
  }
}
