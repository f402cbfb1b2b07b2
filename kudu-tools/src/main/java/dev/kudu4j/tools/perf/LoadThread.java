package dev.kudu4j.tools.perf;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * One thread of {@code loadgen}: writes its own part of the sequence of rows through one session.
 */
final class LoadThread implements Callable<LoadThread.Outcome> {
  /**
   * Limit of the operations in a session's buffer. It is never reached, since the buffer is also
   * limited in bytes.
   */
  private static final int OPERATIONS = 100_000_000;

  /**
   * Limit of the errors that a session keeps. It is higher than the number of errors between two
   * calls of {@link #collectErrors}.
   */
  private static final int ERROR_SPACE = 1_000_000;

  private static final int ROWS_BETWEEN_LOOKS = 1_000;

  private final KuduClient client;
  private final KuduTable table;
  private final LoadOperation operation;
  private final LoadgenOptions options;
  private final long seed;
  private final LongAdder progress;
  private final List<String> shown = new ArrayList<>();
  private long rows;
  private long errors;

  /**
   * The result of a thread.
   *
   * @param rows rows passed to the session
   * @param errors rejected rows
   * @param shown the first errors, up to the requested number
   * @param failure the reason why the thread ended early; null if it did not
   */
  record Outcome(long rows, long errors, List<String> shown, IOException failure) {}

  /**
   * @param progress counts the rows of all threads
   */
  LoadThread(
      KuduClient client,
      KuduTable table,
      LoadOperation operation,
      LoadgenOptions options,
      int index,
      LongAdder progress) {
    this.client = client;
    this.table = table;
    this.operation = operation;
    this.options = options;
    this.seed =
        options.sequenceStart + index * options.span(table.getSchema().getPrimaryKeyColumnCount());
    this.progress = progress;
  }

  @Override
  public Outcome call() {
    KuduSession session = client.newSession();
    try {
      prepare(session);
      write(session);
      return new Outcome(rows, errors, shown, null);
    } catch (IOException e) {
      return new Outcome(rows, errors, shown, e);
    }
  }

  private void prepare(KuduSession session) {
    boolean byRows = options.flushRows > 0;
    session.setFlushMode(byRows ? FlushMode.MANUAL_FLUSH : FlushMode.AUTO_FLUSH_BACKGROUND);
    if (byRows) {
      session.setMutationBufferSpace(options.flushRows);
    } else {
      session.setMutationBufferSpace(OPERATIONS, options.flushBytes());
      session.setErrorCollectorSpace(ERROR_SPACE);
    }
  }

  private void write(KuduSession session) throws KuduException {
    RowGenerator generator =
        new RowGenerator(
            table.getSchema(),
            ValueGenerator.of(options.randomKeys(), seed, options.textLength),
            ValueGenerator.of(options.randomValues(), seed, options.textLength),
            options.fixedText);
    while (!options.hasEnd() || rows < options.rowsPerThread) {
      session.apply(operation.operation(table, generator));
      rows++;
      progress.increment();
      if (options.flushRows > 0 && rows % options.flushRows == 0) {
        countRefused(session.flush());
      } else if (rows % ROWS_BETWEEN_LOOKS == 0) {
        collectErrors(session);
      }
    }
    List<OperationResponse> last = session.close();
    if (options.flushRows > 0) {
      countRefused(last);
    }
    collectErrors(session);
  }

  private void countRefused(List<OperationResponse> responses) {
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        count(response.getRowError());
      }
    }
  }

  /** Collects the errors of background flushes. */
  private void collectErrors(KuduSession session) {
    if (session.countPendingErrors() > 0) {
      for (RowError error : session.getPendingErrors().getRowErrors()) {
        count(error);
      }
    }
  }

  private void count(RowError error) {
    errors++;
    if (shown.size() < options.shownErrors) {
      shown.add(error.getErrorStatus().toString());
    }
  }
}
