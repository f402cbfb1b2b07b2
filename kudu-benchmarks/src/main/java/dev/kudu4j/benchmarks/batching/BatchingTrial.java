package dev.kudu4j.benchmarks.batching;

import dev.kudu4j.benchmarks.workload.ours.BackgroundWrites;
import dev.kudu4j.benchmarks.workload.ours.TabletServers;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.InsertIgnore;
import dev.kudu4j.client.KuduBatch;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduProducer;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/** Two tables of four tablets each, and one client that writes rows to both in turn. */
final class BatchingTrial implements AutoCloseable {
  private static final int TABLETS = 4;
  private static final long TIMEOUT_MILLIS = 600_000;
  private static final long LONGEST_NANOS = 3_600_000_000_000L;

  private final KuduClient client;
  private final int replicas;
  private final Messages messages = new Messages();
  private final List<KuduTable> tables = new ArrayList<>();
  private final KuduProducer producer;
  private long nextId;

  BatchingTrial(String masters, int replicas) throws KuduException {
    this.client =
        new KuduClient.KuduClientBuilder(masters).defaultOperationTimeoutMs(TIMEOUT_MILLIS).build();
    this.replicas = replicas;
    this.producer = client.newProducer();
    TabletServers.await(client, replicas);
  }

  /**
   * What one way of writing has done.
   *
   * @param rows number of rows of one batch
   * @param batches number of batches
   * @param seconds duration of all of them
   * @param commits nanoseconds of batches or inserts, rows included; empty for a plain load
   * @param visible nanoseconds from the beginning of a batch until a scan has returned its last row
   */
  record Load(int rows, long batches, double seconds, Histogram commits, Histogram visible) {
    double rowsPerSecond() {
      return rows * batches / seconds;
    }

    double commitMillis(double percentile) {
      return millis(commits, percentile);
    }

    double visibleMillis(double percentile) {
      return millis(visible, percentile);
    }

    private static double millis(Histogram nanos, double percentile) {
      return nanos.getTotalCount() == 0 ? Double.NaN : nanos.getValueAtPercentile(percentile) / 1e6;
    }
  }

  /** Begins with empty tables, so that every load finds the same. */
  void newTables() throws KuduException {
    for (KuduTable table : tables) {
      client.deleteTable(table.getName());
    }
    tables.clear();
    for (String name : List.of("messages", "replies")) {
      tables.add(
          client.createTable(
              name,
              Messages.schema(),
              new CreateTableOptions()
                  .addHashPartitions(List.of("id"), TABLETS)
                  .setNumReplicas(replicas)));
    }
  }

  /** Commits batches, one after the other, for some seconds or up to a number of rows. */
  Load batches(int rows, double seconds, long maxRows) throws KuduException {
    return load(rows, seconds, maxRows, firstId -> batch(firstId, rows).commit());
  }

  /**
   * Commits batches without waiting for the one before, and returns the rows a second until the
   * last one is committed.
   */
  double flow(int rows, double seconds, long maxRows) throws Exception {
    long started = System.nanoTime();
    long written = 0;
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    while (written == 0
        || (System.nanoTime() - started < seconds * 1e9 && written + rows <= maxRows)) {
      commits.add(batch(nextId, rows).commitAsync());
      nextId += rows;
      written += rows;
    }
    for (CompletableFuture<Void> commit : commits) {
      commit.get();
    }
    return written / ((System.nanoTime() - started) / 1e9);
  }

  private KuduBatch batch(long firstId, int rows) {
    KuduBatch batch = producer.newBatch();
    for (long id = firstId; id < firstId + rows; id++) {
      InsertIgnore insert = table(id).newInsertIgnore();
      messages.fill(insert.getRow(), id);
      batch.add(insert);
    }
    return batch;
  }

  /** The same rows without batches: one session sends them in the background, until it is over. */
  Load plainLoad(double seconds, long maxRows) throws KuduException {
    long firstId = nextId;
    long started = System.nanoTime();
    BackgroundWrites.apply(client, insertsFor(seconds, maxRows));
    long nanos = System.nanoTime() - started;
    awaitVisible(nextId - 1);
    Histogram visible = new Histogram(LONGEST_NANOS, 3);
    visible.recordValue(System.nanoTime() - started);
    return new Load(
        (int) (nextId - firstId), 1, nanos / 1e9, new Histogram(LONGEST_NANOS, 3), visible);
  }

  private Iterator<Insert> insertsFor(double seconds, long maxRows) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    long endId = nextId + maxRows;
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return nextId < endId && System.nanoTime() - end < 0;
      }

      @Override
      public Insert next() {
        return insert(nextId++);
      }
    };
  }

  /** Inserts row by row without a transaction. */
  Load singleInserts(double seconds, long maxRows) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    try {
      return load(
          1,
          seconds,
          maxRows,
          id -> {
            if (session.apply(insert(id)).hasRowError()) {
              throw new IllegalStateException("A row was refused");
            }
          });
    } finally {
      session.close();
    }
  }

  private interface Way {
    /** Writes rows with the ids from this one on. */
    void write(long firstId) throws KuduException;
  }

  /** The scan for the last row is no part of the throughput. */
  private Load load(int rows, double seconds, long maxRows, Way way) throws KuduException {
    Histogram commits = new Histogram(LONGEST_NANOS, 3);
    Histogram visible = new Histogram(LONGEST_NANOS, 3);
    long wholeNanos = 0;
    long count = 0;
    while (count == 0 || (wholeNanos < seconds * 1e9 && (count + 1) * rows <= maxRows)) {
      long firstId = nextId;
      nextId += rows;
      long started = System.nanoTime();
      way.write(firstId);
      long nanos = System.nanoTime() - started;
      wholeNanos += nanos;
      commits.recordValue(nanos);
      awaitVisible(nextId - 1);
      visible.recordValue(System.nanoTime() - started);
      count++;
    }
    return new Load(rows, count, wholeNanos / 1e9, commits, visible);
  }

  private KuduTable table(long id) {
    return tables.get((int) (id % tables.size()));
  }

  private Insert insert(long id) {
    Insert insert = table(id).newInsert();
    messages.fill(insert.getRow(), id);
    return insert;
  }

  private void awaitVisible(long id) throws KuduException {
    long end = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000;
    while (!isVisible(id)) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("Row " + id + " does not become visible");
      }
    }
  }

  private boolean isVisible(long id) throws KuduException {
    KuduTable table = table(id);
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .setProjectedColumnIndexes(List.of(Messages.ID))
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumnByIndex(Messages.ID), ComparisonOp.EQUAL, id))
            .build();
    int rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    scanner.close();
    return rows == 1;
  }

  @Override
  public void close() throws KuduException {
    producer.close();
    client.close();
  }
}
