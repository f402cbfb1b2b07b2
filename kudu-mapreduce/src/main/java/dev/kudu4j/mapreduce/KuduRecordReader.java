package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Reads the rows of one split, with its own client. It renews its scanner on the server in the
 * background, so a mapper may spend any time on a row. The same row object is reused for all rows.
 */
final class KuduRecordReader extends RecordReader<NullWritable, RowResult> {
  private KuduTableSplit split;
  private KuduClient client; // null before initialize and after close
  private KuduScanner scanner;
  private RowResultIterator batch = RowResultIterator.empty();
  private RowResult row;
  private long rowsRead;
  private boolean atEnd;

  @Override
  public void initialize(InputSplit given, TaskAttemptContext context) throws IOException {
    split = (KuduTableSplit) given;
    InputSettings settings = InputSettings.of(context.getConfiguration());
    client = TableConnection.connect(settings.cluster(), context.getCredentials());
    scanner =
        KuduScanToken.deserializeIntoScannerBuilder(split.token(), client)
            .scanRequestTimeout(settings.cluster().timeoutMillis())
            .build();
    scanner.setReuseRowResult(true);
    scanner.startKeepAlivePeriodically(settings.keepAliveMillis());
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    while (!batch.hasNext()) {
      if (!scanner.hasMoreRows()) {
        atEnd = true;
        row = null;
        return false;
      }
      batch = nextBatch();
    }
    row = batch.next();
    rowsRead++;
    return true;
  }

  private RowResultIterator nextBatch() throws IOException {
    try {
      RowResultIterator next = scanner.nextRows();
      return next == null ? RowResultIterator.empty() : next;
    } catch (IOException e) {
      throw new IOException(
          "Reading " + split + " failed after " + rowsRead + " rows: " + e.getMessage(), e);
    }
  }

  @Override
  public NullWritable getCurrentKey() {
    return NullWritable.get();
  }

  /** The current row, valid until {@link #nextKeyValue} is called again. */
  @Override
  public RowResult getCurrentValue() {
    return row;
  }

  /**
   * Progress relative to the expected number of rows of the split; 0 until the end if that number
   * is unknown.
   */
  @Override
  public float getProgress() {
    if (atEnd) {
      return 1;
    }
    long expected = split.expectedRows();
    return expected == 0 ? 0 : Math.min(0.99f, (float) rowsRead / expected);
  }

  @Override
  public void close() throws IOException {
    KuduClient open = client;
    client = null;
    if (open == null) {
      return;
    }
    try (open) {
      if (scanner != null) {
        scanner.close();
      }
    }
  }
}
