package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.Iterator;

/** The writes of one thread, with a session that flushes in the background. */
public final class BackgroundWrites {
  private static final int BUFFERED_ROWS = 10_000;
  private static final long BUFFERED_BYTES = 16 << 20;

  private BackgroundWrites() {}

  /**
   * Applies all operations, and returns their number when the last one is acknowledged; fails if a
   * row is rejected.
   */
  public static long apply(KuduClient client, Iterator<? extends Operation> operations)
      throws KuduException {
    return apply(client.newSession(), operations);
  }

  /** Applies all operations in a session, such as one of a transaction, and closes it. */
  public static long apply(KuduSession session, Iterator<? extends Operation> operations)
      throws KuduException {
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(BUFFERED_ROWS, BUFFERED_BYTES);
    long count = 0;
    while (operations.hasNext()) {
      session.apply(operations.next());
      count++;
    }
    session.close();
    if (session.countPendingErrors() > 0) {
      throw new IllegalStateException(
          "Rows were rejected, the first: " + session.getPendingErrors().getRowErrors()[0]);
    }
    return count;
  }
}
