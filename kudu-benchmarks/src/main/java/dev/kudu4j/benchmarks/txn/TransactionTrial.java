package dev.kudu4j.benchmarks.txn;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.common.transaction.StatusTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One cluster's tables, and the clients that write to them. */
final class TransactionTrial implements AutoCloseable {
  private static final long LONGEST_NANOS = 60_000_000_000L;
  private static final long DEATH_NANOS = 20_000_000_000L;

  /** Rows of a transaction for each tablet. The keys are random, so nearly all tablets get some. */
  private static final int ROWS_PER_TABLET = 4;

  private final KuduClient client;
  private final int replicas;
  private final AtomicLong keys = new AtomicLong();
  private final ExecutorService workers = Executors.newCachedThreadPool();

  TransactionTrial(String masters, int replicas) {
    this.client = new KuduClient.KuduClientBuilder(masters).build();
    this.replicas = replicas;
  }

  /**
   * The result of one load.
   *
   * @param nanos durations, from the beginning of a transaction to its commit, or of a plain write
   */
  record Load(double perSecond, Histogram nanos) {
    double millis(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e6;
    }
  }

  KuduTable table(String name, int tablets) throws KuduException {
    Schema schema =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder("k", Type.INT64).key(true).build()));
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(replicas);
    return client.createTable(
        name,
        schema,
        tablets == 1
            ? options.setRangePartitionColumns(List.of())
            : options.addHashPartitions(List.of("k"), tablets));
  }

  /** Clients that commit transactions, one after the other, for some seconds. */
  Load transactions(KuduTable table, int tablets, int clients, double seconds) throws Exception {
    return load(clients, seconds, () -> commit(table, tablets));
  }

  private void commit(KuduTable table, int tablets) throws KuduException {
    try (KuduTransaction transaction = client.newTransaction()) {
      KuduSession session = transaction.newKuduSession();
      session.setFlushMode(FlushMode.MANUAL_FLUSH);
      for (int i = 0; i < ROWS_PER_TABLET * tablets; i++) {
        session.apply(insert(table));
      }
      for (OperationResponse response : session.close()) {
        if (response.hasRowError()) {
          throw new IllegalStateException("A row was refused: " + response.getRowError());
        }
      }
      transaction.commit();
    }
  }

  private Insert insert(KuduTable table) {
    Insert insert = table.newInsert();
    insert.getRow().addLong(0, keys.incrementAndGet());
    return insert;
  }

  /**
   * One client that inserts row by row, beside a number of transactions a second.
   *
   * @param commitsPerSecond 0 for none
   */
  Load plainWrites(KuduTable table, int tablets, int commitsPerSecond, double seconds)
      throws Exception {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    Future<?> beside =
        workers.submit(
            () -> {
              long interval = commitsPerSecond == 0 ? 0 : 1_000_000_000L / commitsPerSecond;
              long next = System.nanoTime();
              while (commitsPerSecond > 0 && System.nanoTime() - end < 0) {
                commit(table, tablets);
                next += interval;
                while (System.nanoTime() - next < 0) {
                  LockSupport.parkNanos(next - System.nanoTime());
                }
              }
              return null;
            });
    KuduSession session = client.newSession();
    Load load = load(1, seconds, () -> write(session, table));
    session.close();
    beside.get();
    return load;
  }

  /**
   * Kills the server that coordinates transactions, and starts it again, while one client commits
   * and another one inserts rows. Returns milliseconds: the longest time between two commits, and
   * the longest plain insert. The server may also lead tablets that are written to.
   */
  Map<String, Double> deathOfTheCoordinator(Cluster cluster, KuduTable table, int tablets)
      throws Exception {
    int port = coordinatorPort();
    long end = System.nanoTime() + DEATH_NANOS;
    Future<Double> commits = workers.submit(() -> longestPause(end, () -> commit(table, tablets)));
    KuduSession session = client.newSession();
    Future<Double> writes = workers.submit(() -> longestPause(end, () -> write(session, table)));
    LockSupport.parkNanos(DEATH_NANOS / 8);
    for (int i = 0; i < cluster.tabletServers().size(); i++) {
      if (cluster.tabletServers().get(i).address().getPort() == port) {
        cluster.killAndRestart(i);
      }
    }
    Map<String, Double> pauses = new LinkedHashMap<>();
    pauses.put("pause of commits", commits.get());
    pauses.put("plain insert", writes.get());
    session.close();
    return pauses;
  }

  private int coordinatorPort() throws Exception {
    return client
        .openTable(StatusTable.NAME)
        .getTabletsLocations(TimeUnit.SECONDS.toMillis(30))
        .get(0)
        .getLeaderReplica()
        .getRpcPort();
  }

  /** Repeats a step, also after failures; returns the longest time between two successes. */
  private static double longestPause(long end, Step step) {
    long last = System.nanoTime();
    long longest = 0;
    while (last - end < 0) {
      try {
        step.run();
      } catch (KuduException | IllegalStateException e) {
        continue; // the server is dead, or the transaction with it
      }
      long now = System.nanoTime();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return longest / 1e6;
  }

  private void write(KuduSession session, KuduTable table) throws KuduException {
    if (session.apply(insert(table)).hasRowError()) {
      throw new IllegalStateException("A row was refused");
    }
  }

  private interface Step {
    void run() throws KuduException;
  }

  private Load load(int clients, double seconds, Step step)
      throws InterruptedException, ExecutionException {
    Histogram nanos = new ConcurrentHistogram(LONGEST_NANOS, 3);
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * 1e9);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      running.add(
          workers.submit(
              () -> {
                while (System.nanoTime() - end < 0) {
                  long started = System.nanoTime();
                  step.run();
                  nanos.recordValue(System.nanoTime() - started);
                }
                return null;
              }));
    }
    for (Future<?> client : running) {
      client.get();
    }
    return new Load(nanos.getTotalCount() / ((System.nanoTime() - begin) / 1e9), nanos);
  }

  @Override
  public void close() throws KuduException {
    workers.shutdownNow();
    client.close();
  }
}
