package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Metrics;
import dev.kudu4j.itest.support.TestJvm;
import dev.kudu4j.server.memory.MemoryBudget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with little memory that gets writes faster than it can flush, and more scans than its
 * scan memory allows: it slows its clients down, and does not fail, lose rows or run out of memory.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MemoryLimitIT {
  private static final int WRITERS = 3;
  private static final int PAYLOAD_CHARS = 1_000;
  private static final int TABLETS = 4;
  private static final int HEAP_MEGABYTES = 192;
  private static final long LIMIT_BYTES = 384L << 20;
  private static final MemoryBudget BUDGET =
      MemoryBudget.of(LIMIT_BYTES, (long) HEAP_MEGABYTES << 20);

  /** One and a half times the memory limit of the server. */
  private static final int ROWS_PER_WRITER =
      (int) (BUDGET.rowsBytes() * 3 / 2 / PAYLOAD_CHARS / WRITERS);

  private static final List<String> JVM =
      Stream.concat(
              Stream.of(
                  "-Xms64m",
                  "-Xmx" + HEAP_MEGABYTES + "m",
                  "-XX:MaxDirectMemorySize=96m",
                  "-XX:+UseG1GC",
                  "-XX:+ExitOnOutOfMemoryError"),
              TestJvm.compilers().stream())
          .toList();

  @TempDir private Path directory;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private LocalCluster cluster;
  private KuduClient client;
  private KuduTable table;
  private long extraId = -1; // of rows besides those of the writers

  @AfterEach
  void stop() throws Exception {
    threads.shutdownNow();
    if (client != null) {
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private void start(String... flags) throws KuduException {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--memory_limit_hard_bytes=" + LIMIT_BYTES);
    cluster = new LocalCluster(directory, 1, JVM, all.toArray(String[]::new)).start();
    client =
        new KuduClient.KuduClientBuilder(cluster.masters())
            .defaultOperationTimeoutMs(120_000)
            .build();
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("payload", Type.STRING).build()));
    table =
        client.createTable(
            "storm",
            schema,
            new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(1));
  }

  @Test
  void writersWaitWhileMemoryIsFullAndContinueAfterAFlush() throws Exception {
    start("--enable_maintenance_manager=false");
    List<Future<?>> writers = startWriters();
    await("the soft limit rejects writes").atMost(Duration.ofMinutes(2)).until(() -> refused() > 0);
    await("few further writes are accepted")
        .atMost(Duration.ofMinutes(2))
        .until(() -> rowsUsed() > BUDGET.rowsSoftBytes());
    await("a client that does not wait gets an error") // if the server answers in its time
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> assertThat(insertWithin(1_500)).contains("memory for rows is nearly full"));
    assertThat(count()).isPositive();
    while (!writers.stream().allMatch(Future::isDone)) {
      assertThat(rowsUsed()).isLessThan(BUDGET.dataBytes());
      AdminCalls.flush(cluster.tabletServer());
    }
    assertEverythingIsThere(writers);
  }

  @Test
  void theServerSurvivesManyWritesAndLargeScans() throws Exception {
    start("--flush_threshold_mb=16");
    AtomicBoolean ended = new AtomicBoolean();
    List<Future<?>> writers = startWriters();
    List<Future<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      readers.add(threads.submit(() -> readUntil(ended)));
    }
    for (Future<?> writer : writers) {
      writer.get(240, TimeUnit.SECONDS);
    }
    ended.set(true);
    for (Future<Integer> reader : readers) {
      assertThat(reader.get(120, TimeUnit.SECONDS)).isPositive();
    }
    assertEverythingIsThere(writers);
  }

  private List<Future<?>> startWriters() {
    List<Future<?>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      long first = (long) i * ROWS_PER_WRITER;
      writers.add(threads.submit(() -> insertAll(first)));
    }
    return writers;
  }

  /** Fails if a row was not acknowledged. */
  private Void insertAll(long first) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long id = first; id < first + ROWS_PER_WRITER; id++) {
      session.apply(insert(id));
    }
    session.close();
    assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    return null;
  }

  private Operation insert(long id) {
    Operation insert = table.newInsert();
    insert.getRow().addLong(0, id);
    insert.getRow().addString(1, payload(id));
    return insert;
  }

  private static String payload(long id) {
    return Long.toString(id * 0x9E3779B97F4A7C15L, 36)
        .repeat(PAYLOAD_CHARS)
        .substring(0, PAYLOAD_CHARS);
  }

  /** The error that a client with this time-out gets. */
  private String insertWithin(long millis) throws KuduException {
    KuduSession session = client.newSession();
    session.setTimeoutMillis(millis);
    StringBuilder told = new StringBuilder();
    for (int i = 0; told.isEmpty() && i < 50; i++) { // below the hard limit some writes pass
      OperationResponse answer = session.apply(insert(extraId--));
      if (answer.hasRowError()) {
        told.append(answer.getRowError());
      }
    }
    return told.toString();
  }

  private int readUntil(AtomicBoolean ended) throws KuduException {
    int scans = 0;
    do {
      count();
      scans++;
    } while (!ended.get());
    return scans;
  }

  /** Reads all rows and cells; fails if one is wrong. */
  private int count() throws KuduException {
    KuduScanner scanner =
        client.newScannerBuilder(table).batchSizeBytes(8 << 20).scanRequestTimeout(120_000).build();
    int rows = 0;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        if (!row.getString(1).equals(payload(row.getLong(0)))) {
          throw new AssertionError("Row " + row.getLong(0) + " holds " + row.getString(1));
        }
        rows++;
      }
    }
    scanner.close();
    return rows;
  }

  private double refused() throws Exception {
    return metrics().sum("kudu_writes_refused_memory_total", "");
  }

  private double rowsUsed() throws Exception {
    return metrics().sum("kudu_memory_used_bytes", "pool=\"data\"");
  }

  private Metrics metrics() throws Exception {
    return Metrics.of(cluster.tabletServer());
  }

  private void assertEverythingIsThere(List<Future<?>> writers) throws Exception {
    for (Future<?> writer : writers) {
      writer.get();
    }
    assertThat(count()).isGreaterThanOrEqualTo(WRITERS * ROWS_PER_WRITER);
    assertThat(metrics().sum("kudu_replicas_failed", "")).isZero();
    cluster.tabletServer().kill();
    cluster.tabletServer().start();
    assertThat(count()).isGreaterThanOrEqualTo(WRITERS * ROWS_PER_WRITER);
    assertThat(cluster.tabletServer().starts()).isEqualTo(2);
    assertThat(cluster.tabletServer().output()).doesNotContain("OutOfMemory", "OutOfDirectMemory");
  }
}
