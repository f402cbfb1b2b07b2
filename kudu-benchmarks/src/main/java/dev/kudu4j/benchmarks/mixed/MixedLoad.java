package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clients of a mixed run: one thread inserts rows, one updates rows, one looks up rows, and one
 * scans. Every result is checked; a wrong result ends the run. Closing interrupts the calls in
 * flight.
 */
final class MixedLoad implements AutoCloseable {
  /** Number of hot rows; every fifth update changes one of them. */
  private static final int HOT_ROWS = 1_000;

  private static final int HOT_EVERY = 5;

  private final KuduClient client;
  private final KuduTable table;
  private final Settings settings;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> jobs = new ArrayList<>();
  private final LatencyLog inserts = new LatencyLog();
  private final LatencyLog updates = new LatencyLog();
  private final LatencyLog lookUps = new LatencyLog();
  private final LatencyLog scans = new LatencyLog();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile boolean ending;

  /** The repeated operation of a thread. */
  private interface Job {
    void run() throws KuduException;
  }

  MixedLoad(KuduClient client, KuduTable table, Settings settings) {
    this.client = client;
    this.table = table;
    this.settings = settings;
  }

  LatencyLog inserts() {
    return inserts;
  }

  LatencyLog updates() {
    return updates;
  }

  LatencyLog lookUps() {
    return lookUps;
  }

  LatencyLog scans() {
    return scans;
  }

  /** Number of acknowledged rows. */
  long rows() {
    return acknowledged.get();
  }

  /** Inserts the rows that exist before the measurement starts. */
  void insertFirst() throws KuduException {
    KuduSession session = session();
    while (acknowledged.get() < settings.rowsBefore()) {
      insertBatch(session);
    }
    session.close();
    inserts.take();
  }

  void start() {
    double insertCalls = (double) settings.insertsPerSecond() / Settings.ROWS_OF_WRITE;
    double updateCalls = (double) settings.updatesPerSecond() / Settings.ROWS_OF_WRITE;
    KuduSession inserting = session();
    KuduSession updating = session();
    Random updated = new Random(1);
    Random wanted = new Random(2);
    Random scanned = new Random(3);
    repeat(insertCalls, inserts, () -> insertBatch(inserting));
    repeat(updateCalls, updates, () -> updateBatch(updating, updated));
    repeat(settings.lookUpsPerSecond(), lookUps, () -> lookUp(wanted));
    repeat(settings.scansPerSecond(), scans, () -> scan(scanned));
  }

  private void repeat(double perSecond, LatencyLog log, Job job) {
    jobs.add(
        threads.submit(
            () -> {
              Pace pace = new Pace(perSecond);
              while (!ending) {
                pace.awaitTurn();
                long start = System.nanoTime();
                job.run();
                log.add(System.nanoTime() - start);
              }
              return null;
            }));
  }

  private KuduSession session() {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    return session;
  }

  private void insertBatch(KuduSession session) throws KuduException {
    long first = acknowledged.get();
    for (long sequence = first; sequence < first + Settings.ROWS_OF_WRITE; sequence++) {
      Operation insert = table.newInsert();
      MixedTable.fill(insert.getRow(), sequence);
      session.apply(insert);
    }
    flush(session);
    acknowledged.addAndGet(Settings.ROWS_OF_WRITE);
  }

  private void updateBatch(KuduSession session, Random random) throws KuduException {
    for (int i = 0; i < Settings.ROWS_OF_WRITE; i++) {
      long rows = i % HOT_EVERY == 0 ? HOT_ROWS : acknowledged.get();
      Operation update = table.newUpdate();
      MixedTable.update(
          update.getRow(), (long) (random.nextDouble() * rows), 1 + random.nextInt(1 << 20));
      session.apply(update);
    }
    flush(session);
  }

  private static void flush(KuduSession session) throws KuduException {
    List<RowError> errors = OperationResponse.collectErrors(session.flush());
    if (!errors.isEmpty()) {
      throw new IllegalStateException("A write failed: " + errors.get(0));
    }
  }

  private void lookUp(Random random) throws KuduException {
    long sequence = (long) (random.nextDouble() * acknowledged.get());
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(key(ComparisonOp.EQUAL, MixedTable.idOf(sequence)))
            .build();
    long found = -1;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        found = row.getLong(MixedTable.SEQUENCE);
      }
    }
    scanner.close();
    if (found != sequence) {
      throw new IllegalStateException("Looked for row " + sequence + ", found " + found);
    }
  }

  /**
   * Scans a random key range, which is made smaller as the table grows, so that every scan reads
   * about the same number of rows.
   */
  private void scan(Random random) throws KuduException {
    long rows = acknowledged.get();
    double part = Math.min(1, (double) Settings.ROWS_OF_SCAN / rows);
    long width = (long) (part * MixedTable.KEYS);
    long lower = (long) (random.nextDouble() * (MixedTable.KEYS - width));
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setProjectedColumnNames(List.of("amount", "category", "updates"))
            .addPredicate(key(ComparisonOp.GREATER_EQUAL, lower))
            .addPredicate(key(ComparisonOp.LESS, lower + width))
            .build();
    scanner.setRowDataFormat(RowDataFormat.COLUMNAR);
    long found = 0;
    double sum = 0;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        sum += row.getDouble(0);
        found++;
      }
    }
    scanner.close();
    if (found < part * rows / 2 || Double.isNaN(sum)) {
      throw new IllegalStateException(
          "Expected about "
              + (long) (part * rows)
              + " rows from key "
              + lower
              + " on, found "
              + found);
    }
  }

  private KuduPredicate key(ComparisonOp op, long value) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumnByIndex(MixedTable.ID), op, value);
  }

  /** Throws the failure that ended a client, if any. */
  void check() throws Exception {
    for (Future<?> job : jobs) {
      if (job.isDone()) {
        job.get();
      }
    }
  }

  /** Counts the rows of the table by reading them. */
  long countRows() throws KuduException {
    KuduScanner scanner =
        client.newScannerBuilder(table).setProjectedColumnNames(List.of("id")).build();
    long found = 0;
    while (scanner.hasMoreRows()) {
      found += scanner.nextRows().getNumRows();
    }
    scanner.close();
    return found;
  }

  /** Stops the clients, and waits up to a minute for their last calls. */
  void stop() throws Exception {
    ending = true;
    for (Future<?> job : jobs) {
      job.get(1, TimeUnit.MINUTES);
    }
  }

  @Override
  public void close() {
    ending = true;
    threads.shutdownNow();
  }
}
