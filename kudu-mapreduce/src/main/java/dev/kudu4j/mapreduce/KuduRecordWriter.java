package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowErrorsAndOverflowStatus;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Writes a task's operations in the background, in batches.
 *
 * <p>A row that the cluster refuses fails the task: at the next operation after the answer is here,
 * or when the writer is closed, which waits for all answers.
 */
final class KuduRecordWriter extends RecordWriter<NullWritable, Operation> {
  private final OutputSettings settings;
  private final TableConnection connection; // owned
  private final String name;
  private final KuduSession session;
  private long rowsRefused;
  private boolean closed;

  /**
   * @param connection taken over
   * @param name of the table in {@link OpenTables}, removed when closed
   */
  KuduRecordWriter(OutputSettings settings, TableConnection connection, String name) {
    this.settings = settings;
    this.connection = connection;
    this.name = name;
    this.session = connection.client().newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(settings.bufferRows());
    session.setErrorCollectorSpace(settings.bufferRows());
    session.setTimeoutMillis(settings.cluster().timeoutMillis());
    session.setIgnoreAllDuplicateRows(settings.ignoreDuplicates());
    session.setIgnoreAllNotFoundRows(settings.ignoreMissing());
  }

  @Override
  public void write(NullWritable key, Operation operation) throws IOException {
    if (operation == null || operation.getTable() != connection.table()) {
      throw new IOException(notOfThisTable(operation));
    }
    session.apply(operation);
    checkRows();
  }

  private String notOfThisTable(Operation operation) {
    return (operation == null
            ? "A task emitted null"
            : "A task emitted an operation of another table or client, " + operation + ",")
        + " to table '"
        + settings.table()
        + "'; make operations of the table that KuduTableMapReduceUtil.getTableFromContext(context)"
        + " gives to the task";
  }

  private void checkRows() throws IOException {
    if (session.countPendingErrors() > 0) {
      RowErrorsAndOverflowStatus refused = session.getPendingErrors();
      rowsRefused += refused.getRowErrors().length;
      throw new IOException(RefusedRows.message(settings, refused));
    }
  }

  /**
   * Waits until all is written.
   *
   * @throws IOException when rows were refused
   */
  @Override
  public void close(TaskAttemptContext task) throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    OpenTables.remove(name);
    try (connection) {
      session.close();
      checkRows();
    } finally {
      if (rowsRefused > 0) {
        task.getCounter(KuduTableOutputFormat.Counters.ROWS_WITH_ERRORS).increment(rowsRefused);
      }
    }
  }
}
