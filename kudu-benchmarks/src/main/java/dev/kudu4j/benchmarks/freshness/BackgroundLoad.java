package dev.kudu4j.benchmarks.freshness;

import dev.kudu4j.benchmarks.mixed.Pace;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Fills the table, then inserts rows and updates random ones at a constant rate. */
final class BackgroundLoad implements AutoCloseable {
  private static final int ROWS_OF_FIRST_BATCHES = 5_000;
  private static final int MAX_ROWS_OF_BATCH = 1 << 20;
  private static final int BATCHES_PER_SECOND = 20;

  private final KuduTable table;
  private final KuduSession session;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final SplittableRandom random = new SplittableRandom(1);
  private long inserted;
  private volatile boolean ending;

  BackgroundLoad(KuduClient client, KuduTable table) {
    this.table = table;
    this.session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(MAX_ROWS_OF_BATCH);
  }

  /** Inserts the rows that exist before the measurement starts. */
  void fill(long rows) throws KuduException {
    while (inserted < rows) {
      write((int) Math.min(ROWS_OF_FIRST_BATCHES, rows - inserted), 0);
    }
  }

  /**
   * Starts to write.
   *
   * @param rowsPerSecond inserts and updates together
   * @param updatePercent the share of the updates
   * @param acknowledged gets the number of inserted rows after each batch
   * @return completed when the load was {@link #stop}ped or has failed
   */
  Future<?> start(int rowsPerSecond, int updatePercent, Acknowledged acknowledged) {
    int batch = Math.max(1, rowsPerSecond / BATCHES_PER_SECOND);
    int updates = batch * updatePercent / 100;
    return thread.submit(
        () -> {
          Pace pace = new Pace(rowsPerSecond / (double) batch);
          while (!ending) {
            pace.awaitTurn();
            write(batch - updates, updates);
            acknowledged.add(batch - updates, System.nanoTime());
          }
          return null;
        });
  }

  private void write(int inserts, int updates) throws KuduException {
    long before = inserted;
    for (int i = 0; i < inserts; i++) {
      Operation insert = table.newInsert();
      FreshnessTable.fill(insert.getRow(), inserted++);
      session.apply(insert);
    }
    for (int i = 0; i < updates; i++) {
      Operation update = table.newUpdate();
      FreshnessTable.update(update.getRow(), random.nextLong(before), random.nextInt(1 << 20));
      session.apply(update);
    }
    List<RowError> errors = OperationResponse.collectErrors(session.flush());
    if (!errors.isEmpty()) {
      throw new IllegalStateException("A write failed: " + errors.get(0));
    }
  }

  /** Ends the load after the current batch. */
  void stop(Future<?> running) throws Exception {
    ending = true;
    running.get(1, TimeUnit.MINUTES);
  }

  @Override
  public void close() throws KuduException {
    ending = true;
    thread.shutdownNow();
    session.close();
  }
}
