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
 * <p>A rejected row fails the task: at the next operation after the response, or when the writer is
 * closed, which waits for all responses.
 */
final class KuduRecordWriter extends RecordWriter<NullWritable, Operation> {
  private final OutputSettings settings;
  private final TableConnection connection; // owned
  private final String name;
  private final KuduSession session;
  private long rowsRefused;
  private boolean closed;

  /**
   * @param connection closed with this writer
   * @param name name of the table in {@link OpenTables}, removed on close
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
        + "'; create operations with the table that"
        + " KuduTableMapReduceUtil.getTableFromContext(context) returns in the task";
  }

  private void checkRows() throws IOException {
    if (session.countPendingErrors() > 0) {
      RowErrorsAndOverflowStatus refused = session.getPendingErrors();
      rowsRefused += refused.getRowErrors().length;
      throw new IOException(RefusedRows.message(settings, refused));
    }
  }

  /**
   * Waits until all operations are written.
   *
   * @throws IOException if rows were rejected
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
