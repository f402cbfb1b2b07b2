package dev.kudu4j.tools.demo;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.common.status.StatusCode;
import java.util.List;

/** Writes many rows in the background; if a row is rejected, the demo fails. Not thread-safe. */
final class RowWriter implements AutoCloseable {
  private static final int BUFFERED_ROWS = 2_000;

  private final KuduSession session;

  RowWriter(KuduClient client) {
    this.session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(BUFFERED_ROWS, 8L << 20);
    session.setTimeoutMillis(60_000);
  }

  void write(Operation operation) throws KuduException {
    session.apply(operation);
  }

  /** Waits until all rows are acknowledged. */
  void finish() throws KuduException {
    session.flush();
    if (session.countPendingErrors() > 0) {
      List<RowError> errors = List.of(session.getPendingErrors().getRowErrors());
      throw new dev.kudu4j.common.status.KuduException(
          StatusCode.RUNTIME_ERROR,
          errors.size() + " rows were not written; the first: " + errors.get(0));
    }
  }

  @Override
  public void close() throws KuduException {
    session.close();
  }
}
