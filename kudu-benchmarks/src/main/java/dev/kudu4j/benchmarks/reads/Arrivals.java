package dev.kudu4j.benchmarks.reads;

import dev.kudu4j.benchmarks.mixed.Pace;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Inserts rows into some tables at a steady rate, until it is closed. */
final class Arrivals implements AutoCloseable {
  private static final int ROWS_OF_WRITE = 500;

  private final KuduClient client;
  private final List<EventTable> tables;
  private final Pace pace;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Future<?> writing;
  private volatile boolean ended;
  private volatile long written;

  /**
   * Begins.
   *
   * @param client borrowed
   * @param rowsPerSecond into each table
   * @param firstRow number of rows that have arrived before
   */
  Arrivals(KuduClient client, List<EventTable> tables, int rowsPerSecond, long firstRow) {
    this.client = client;
    this.tables = tables;
    this.pace = new Pace((double) rowsPerSecond / ROWS_OF_WRITE);
    this.writing = thread.submit(() -> write(firstRow));
  }

  private Void write(long firstRow) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(ROWS_OF_WRITE * tables.size());
    for (long next = firstRow; !ended; next += ROWS_OF_WRITE) {
      pace.awaitTurn();
      for (EventTable table : tables) {
        for (long row = next; row < next + ROWS_OF_WRITE; row++) {
          session.apply(table.arriving(row));
        }
      }
      for (OperationResponse response : session.flush()) {
        if (response.hasRowError()) {
          throw new IllegalStateException("A row was refused: " + response.getRowError());
        }
      }
      written = next + ROWS_OF_WRITE - firstRow;
    }
    session.close();
    return null;
  }

  /** Rows that have arrived in each table so far. */
  long written() {
    return written;
  }

  /** Ends; fails if a row was refused. */
  @Override
  public void close() {
    ended = true;
    try {
      writing.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Rows could not be inserted", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      thread.shutdownNow();
    }
  }
}
