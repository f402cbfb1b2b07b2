package dev.kudu4j.tools.table;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.console.Counter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Copies rows between tables with the same columns, tablet by tablet, several tablets in parallel.
 * Each batch of a scan is written and acknowledged before the next batch is read. The first failure
 * ends the copy; the rows written so far stay.
 */
final class TableCopy {
  private static final int MAX_ROWS_UNSENT = 8_000;

  /** The write operation. */
  enum Write {
    /** An existing key is an error. */
    INSERT,
    /** An existing row is overwritten. */
    UPSERT
  }

  private final KuduClient from;
  private final KuduClient to;
  private final KuduTable target;
  private final Write write;
  private final AtomicLong copied = new AtomicLong();

  TableCopy(KuduClient from, KuduClient to, KuduTable target, Write write) {
    this.from = from;
    this.to = to;
    this.target = target;
    this.write = write;
  }

  /** Number of rows that were copied. */
  long copied() {
    return copied.get();
  }

  /**
   * Checks that rows with the source's schema can be written to the target.
   *
   * @throws KuduException INVALID_ARGUMENT with the first column that differs
   */
  static void checkSameColumns(Schema source, Schema target, String targetName) {
    int count = Math.max(source.getColumnCount(), target.getColumnCount());
    for (int i = 0; i < count; i++) {
      String wanted = i < source.getColumnCount() ? text(source.getColumnByIndex(i)) : "nothing";
      String found = i < target.getColumnCount() ? text(target.getColumnByIndex(i)) : "nothing";
      if (!wanted.equals(found)) {
        throw KuduException.invalidArgument(
            "Column %d of table %s is %s, but %s in the source; the columns must be the same",
            i + 1, targetName, found, wanted);
      }
    }
  }

  /** Time zones are left out, since cells are the same with and without. */
  private static String text(ColumnSchema column) {
    return column.getName()
        + " "
        + column.toCommon().toBuilder().withoutTimeZone(false).build().typeText()
        + (column.isKey() ? " KEY" : "")
        + (column.isAutoIncrementing() ? " AUTO_INCREMENTING" : "");
  }

  /** Copies the rows of all tokens. */
  void run(List<KuduScanToken> tokens, int threads) throws IOException {
    ExecutorService workers =
        Executors.newFixedThreadPool(
            threads,
            run -> {
              Thread thread = new Thread(run, "copy");
              thread.setDaemon(true);
              return thread;
            });
    try (Counter counter = Counter.rows("copy")) {
      ExecutorCompletionService<Void> done = new ExecutorCompletionService<>(workers);
      tokens.forEach(token -> done.submit(copying(token, counter)));
      for (int i = 0; i < tokens.size(); i++) {
        done.take().get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof KuduException failure) {
        throw failure;
      }
      throw new KuduException(StatusCode.RUNTIME_ERROR, String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KuduException(StatusCode.ABORTED, "Interrupted", e);
    } finally {
      workers.shutdownNow();
    }
  }

  private Callable<Void> copying(KuduScanToken token, Counter counter) {
    return () -> {
      KuduSession session = to.newSession();
      session.setFlushMode(FlushMode.MANUAL_FLUSH);
      session.setMutationBufferSpace(MAX_ROWS_UNSENT, Long.MAX_VALUE);
      KuduScanner scanner = token.intoScanner(from);
      try {
        while (scanner.hasMoreRows()) {
          copy(scanner.nextRows(), session);
          synchronized (counter) {
            counter.at(copied.get());
          }
        }
      } finally {
        scanner.close();
        session.close();
      }
      return null;
    };
  }

  private void copy(RowResultIterator rows, KuduSession session) throws IOException {
    int unsent = 0;
    while (rows.hasNext()) {
      session.apply(operation(rows.next()));
      unsent++;
      if (unsent == MAX_ROWS_UNSENT) {
        flush(session, unsent);
        unsent = 0;
      }
    }
    flush(session, unsent);
  }

  private Operation operation(RowResult row) {
    Operation operation = write == Write.INSERT ? target.newInsert() : target.newUpsert();
    PartialRow cells = operation.getRow();
    List<ColumnSchema> columns = target.getSchema().getColumns();
    for (int i = 0; i < columns.size(); i++) {
      if (row.isNull(i)) {
        cells.setNull(i);
      } else if (!columns.get(i).isAutoIncrementing() || write == Write.UPSERT) {
        cells.addObject(
            i, row.getObject(i)); // inserts omit the auto-incrementing column: the server sets it
      }
    }
    return operation;
  }

  private void flush(KuduSession session, int rows) throws IOException {
    List<RowError> errors = OperationResponse.collectErrors(session.flush());
    copied.addAndGet(rows - errors.size());
    if (errors.isEmpty()) {
      return;
    }
    RowError first = errors.get(0);
    String key = first.getOperation().getRow().stringifyRowKey();
    if (first.getErrorStatus().isAlreadyPresent()) {
      throw KuduException.alreadyPresent(
          "Table %s already has a row with key %s; --write_type=upsert overwrites it",
          target.getName(), key);
    }
    throw new KuduException(
        StatusCode.ABORTED,
        String.format(
            "Table %s rejected the row with key %s: %s",
            target.getName(), key, first.getErrorStatus()));
  }

  /** The tokens of the given tablets; all tokens if no tablets are given. */
  static List<KuduScanToken> ofTablets(List<KuduScanToken> tokens, List<String> tablets) {
    List<KuduScanToken> wanted = new ArrayList<>();
    for (KuduScanToken token : tokens) {
      String id = new String(token.getTablet().getTabletId(), StandardCharsets.UTF_8);
      if (tablets.isEmpty() || tablets.contains(id)) {
        wanted.add(token);
      }
    }
    return wanted;
  }
}
