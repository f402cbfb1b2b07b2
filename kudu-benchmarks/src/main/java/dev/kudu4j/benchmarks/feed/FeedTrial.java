package dev.kudu4j.benchmarks.feed;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.mixed.Pace;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.KuduChangeFeed;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** One table, one writer, one consumer. */
final class FeedTrial implements AutoCloseable {
  private static final int TABLETS = 4;
  private static final int BATCHES_PER_SECOND = 100;
  private static final int ROWS_OF_LOAD = 5_000;
  private static final Duration POLL = Duration.ofMillis(200);
  private static final String NOTE = "a row of about a hundred bytes, most of which are this text";

  private final KuduClient client;
  private final KuduTable table;
  private final SplittableRandom random = new SplittableRandom(5);
  private long rows;

  FeedTrial(String masters, int replicas) throws KuduException {
    this.client = new KuduClient.KuduClientBuilder(masters).build();
    this.table =
        client.createTable(
            "feed",
            new Schema(
                List.of(
                    new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                    new ColumnSchemaBuilder("written", Type.INT64).build(),
                    new ColumnSchemaBuilder("note", Type.STRING).build())),
            new CreateTableOptions()
                .addHashPartitions(List.of("id"), TABLETS)
                .setNumReplicas(replicas));
  }

  private KuduSession session() {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(1 << 20);
    return session;
  }

  /** Inserts rows, and then updates a tenth of them. */
  void fill(long count) throws KuduException {
    KuduSession session = session();
    while (rows < count) {
      write(session, (int) Math.min(ROWS_OF_LOAD, count - rows), 0);
    }
    for (long updates = 0; updates < count / 10; updates += ROWS_OF_LOAD) {
      write(session, 0, ROWS_OF_LOAD);
    }
    session.close();
  }

  private void write(KuduSession session, int inserts, int updates) throws KuduException {
    long now = System.nanoTime();
    long before = Math.max(1, rows);
    for (int i = 0; i < inserts + updates; i++) {
      Operation write = i < inserts ? table.newInsert() : table.newUpsert();
      PartialRow row = write.getRow();
      row.addLong(0, i < inserts ? rows++ : random.nextLong(before));
      row.addLong(1, now);
      row.addString(2, NOTE);
      session.apply(write);
    }
    if (!OperationResponse.collectErrors(session.flush()).isEmpty()) {
      throw new IllegalStateException("A write failed");
    }
  }

  /** Reads all rows, and returns rows a second. */
  double scan() throws KuduException {
    long started = System.nanoTime();
    long count = 0;
    KuduScanner scanner = client.newScannerBuilder(table).build();
    while (scanner.hasMoreRows()) {
      count += scanner.nextRows().getNumRows();
    }
    return count / seconds(started);
  }

  /** Reads all changes from the beginning, and returns changes a second. */
  double catchUp() throws KuduException {
    long now = client.newReadSession(Duration.ZERO).advance(table);
    long started = System.nanoTime();
    long count = 0;
    KuduChangeFeed feed = table.changes().fromBeginning().until(now).build();
    while (!feed.isOver()) {
      count += feed.poll(POLL).size();
    }
    return count / seconds(started);
  }

  private static double seconds(long startedNanos) {
    return (System.nanoTime() - startedNanos) / 1e9;
  }

  /**
   * What a consumer has seen of a load.
   *
   * @param written rows a second that were written
   * @param lag nanoseconds from before the write of a row until the consumer had its change
   */
  record Followed(int wanted, double written, Histogram lag) {
    double lagMillis(double percentile) {
      return lag.getValueAtPercentile(percentile) / 1e6;
    }
  }

  /**
   * Writes rows, half of them updates, and follows them.
   *
   * @param rowsPerSecond the rate that is wanted
   */
  Followed follow(int rowsPerSecond, double seconds) throws Exception {
    Histogram lag = new Histogram(3);
    KuduChangeFeed feed = table.changes().columns(List.of("written")).build();
    feed.poll(POLL);
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<Double> load = writer.submit(() -> load(rowsPerSecond, seconds));
      boolean over = false;
      while (!over) {
        boolean written = load.isDone(); // what is behind then is read, too
        List<KuduChange> changes = feed.poll(POLL);
        for (KuduChange change : changes) {
          // Rows of the fill and of earlier loads are before the feed.
          lag.recordValue(Math.max(0, System.nanoTime() - change.row().getLong(1)));
        }
        over = written && changes.isEmpty();
      }
      return new Followed(rowsPerSecond, load.get(1, TimeUnit.MINUTES), lag);
    } finally {
      writer.shutdownNow();
    }
  }

  /** Returns the rows a second that were written. */
  private double load(int rowsPerSecond, double seconds) throws KuduException {
    int batch = Math.max(2, rowsPerSecond / BATCHES_PER_SECOND);
    Pace pace = new Pace(rowsPerSecond / (double) batch);
    KuduSession session = session();
    long started = System.nanoTime();
    long written = 0;
    while (seconds(started) < seconds) {
      pace.awaitTurn();
      write(session, batch / 2, batch - batch / 2);
      written += batch;
    }
    double rate = written / seconds(started);
    session.close();
    return rate;
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
