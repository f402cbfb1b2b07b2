package dev.kudu4j.itest.pages;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Delete;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Update;
import dev.kudu4j.client.Upsert;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.logging.RecentLines;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A cluster of three tablet servers with web pages, a replicated table of flights, and a table
 * whose name would be a script on a page without escaping. It can be put under load: two writers
 * and a slow reader.
 */
@SuppressWarnings("try") // an interrupt ends the test
final class BusyCluster implements AutoCloseable {
  static final String FLIGHTS = "flights";
  static final String HOSTILE = "<script>alert('owned')</script>&\"";
  static final String QUERY_ID = "nightly-report-17";
  static final String SECRET = "Schneewittchen";
  static final int TABLETS = 6;

  private static final int ROWS_BETWEEN_FLUSHES = 200;

  private final EmbeddedCluster cluster;
  private final KuduTable flights;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * @param flags of the tablet servers
   */
  BusyCluster(String... flags) throws KuduException {
    EmbeddedCluster.Builder builder =
        EmbeddedCluster.builder()
            .tabletServers(3)
            .webPages(true)
            .recentLog(RecentLines.attach())
            .memoryPerServerBytes(192L << 20);
    for (String flag : flags) {
      builder.tabletServerFlag(flag);
    }
    cluster = builder.start();
    flights = createFlights();
    createHostile();
  }

  private KuduTable createFlights() throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("carrier", Type.STRING).comment("IATA's code").build(),
                new ColumnSchemaBuilder("passenger", Type.STRING)
                    .nullable(true)
                    .defaultValue(SECRET)
                    .build(),
                new ColumnSchemaBuilder("delay", Type.DOUBLE).nullable(true).build(),
                new ColumnSchemaBuilder("cancelled", Type.BOOL).defaultValue(false).build()));
    PartialRow middle = schema.newPartialRow();
    middle.addLong("id", 1_000_000);
    CreateTableOptions options =
        new CreateTableOptions()
            .addHashPartitions(List.of("id"), TABLETS / 2)
            .setRangePartitionColumns(List.of("id"))
            .addRangePartition(schema.newPartialRow(), middle)
            .addRangePartition(middle, schema.newPartialRow())
            .setComment("Departures from New York City")
            .setNumReplicas(3);
    return client().createTable(FLIGHTS, schema, options);
  }

  private void createHostile() throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("<b>key</b>", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("v", Type.STRING)
                    .nullable(true)
                    .comment("<img src=x onerror=alert(1)>")
                    .build()));
    KuduTable table =
        client()
            .createTable(
                HOSTILE,
                schema,
                new CreateTableOptions()
                    .addHashPartitions(List.of("<b>key</b>"), 2)
                    .setComment("</td></table><script>alert(2)</script>")
                    .setNumReplicas(1));
    KuduSession session = client().newSession();
    Insert insert = table.newInsert();
    insert.getRow().addInt(0, 1);
    session.apply(insert);
    session.close();
  }

  KuduClient client() {
    return cluster.client();
  }

  KuduTable flights() {
    return flights;
  }

  /** The addresses of all web UIs, the master's first: {@code http://127.0.0.1:8051}. */
  List<String> sites() {
    return cluster.webAddresses().stream().map(address -> "http://" + address).toList();
  }

  /** Inserts new rows. */
  void insert(long firstId, int count) throws KuduException {
    KuduSession session = client().newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(ROWS_BETWEEN_FLUSHES);
    for (int i = 0; i < count; i++) {
      Insert insert = flights.newInsert();
      fill(insert.getRow(), firstId + i);
      session.apply(insert);
      if (i % ROWS_BETWEEN_FLUSHES == ROWS_BETWEEN_FLUSHES - 1) {
        checkAll(session);
      }
    }
    checkAll(session);
    session.close();
  }

  private static void checkAll(KuduSession session) throws KuduException {
    session
        .flush()
        .forEach(
            response -> {
              if (response.hasRowError()) {
                throw new AssertionError(response.getRowError());
              }
            });
  }

  private static void fill(PartialRow row, long id) {
    row.addLong("id", id);
    row.addString("carrier", id % 3 == 0 ? "UA" : id % 3 == 1 ? "B6" : "EV");
    row.addString("passenger", "Passenger " + id);
    row.addDouble("delay", id % 120 - 20.0);
  }

  /**
   * Updates {@code count} of the rows that {@link #insert} wrote, upserts the next {@code count},
   * and deletes the next {@code count}.
   */
  void change(long firstId, int count) throws KuduException {
    KuduSession session = client().newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(3 * count);
    for (int i = 0; i < count; i++) {
      Update update = flights.newUpdate();
      update.getRow().addLong("id", firstId + i);
      update.getRow().addDouble("delay", 0);
      session.apply(update);
      Upsert upsert = flights.newUpsert();
      fill(upsert.getRow(), firstId + count + i);
      session.apply(upsert);
      Delete delete = flights.newDelete();
      delete.getRow().addLong("id", firstId + 2L * count + i);
      session.apply(delete);
    }
    checkAll(session);
    session.close();
  }

  /** An open scan of all flights of a passenger whose name must not be shown. */
  KuduScanner openSecretScan() throws KuduException {
    KuduScanner scanner =
        client()
            .newScannerBuilder(flights)
            .setProjectedColumnNames(List.of("id", "carrier", "delay"))
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    flights.getSchema().getColumn("passenger"),
                    KuduPredicate.ComparisonOp.LESS_EQUAL,
                    SECRET))
            .batchSizeBytes(1_000)
            .setQueryId(QUERY_ID)
            .build();
    scanner.nextRows();
    return scanner;
  }

  /** Starts a load, which ends when the cluster is closed. */
  void beginLoad() {
    for (int writer = 0; writer < 2; writer++) {
      AtomicLong next = new AtomicLong((1 + writer) * 10_000_000L);
      start("writer " + writer, () -> write(next.getAndAdd(1_000)));
    }
    start("reader", this::read);
  }

  private interface Work {
    void run() throws Exception;
  }

  private void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!ended.get()) {
                  work.run();
                  rounds.incrementAndGet();
                }
              } catch (Exception e) {
                if (!ended.get()) {
                  failure.compareAndSet(null, e);
                }
              }
            },
            name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void write(long id) throws KuduException {
    insert(id, 600);
    change(id, 100);
  }

  private void read() throws KuduException {
    KuduScanner scanner = openSecretScan();
    while (scanner.hasMoreRows() && !ended.get()) {
      scanner.nextRows();
    }
    scanner.close();
  }

  /** How often a writer or the reader has completed a round. */
  int rounds() {
    if (failure.get() != null) {
      throw new AssertionError("The load failed", failure.get());
    }
    return rounds.get();
  }

  @Override
  public void close() throws Exception {
    ended.set(true);
    for (Thread thread : threads) {
      thread.join(30_000);
    }
    cluster.close();
  }
}
