package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.itest.support.Daemon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The only master or tablet server is killed and restarted, or paused, during reads and writes.
 * Cases with several replicas are in {@link FaultCases}.
 */
@Timeout(240)
abstract class ServerFaultCases extends ClientCase {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int PAUSE_MILLIS = 1_500;
  private static final int ROWS = 5_000;
  private static final int ROWS_BEFORE_AND_AFTER = 30;

  private Daemon tabletServer;
  private Daemon master;
  private ExecutorService threads;

  @BeforeEach
  void findServers() {
    tabletServer = cluster.tabletServer();
    master = cluster.master();
    threads = Executors.newCachedThreadPool();
  }

  @AfterEach
  void mendServers() {
    threads.shutdownNow();
    for (Daemon server : List.of(master, tabletServer)) {
      if (server.isAlive()) {
        server.resume();
      } else {
        server.start();
      }
    }
    cluster.awaitTabletServers();
  }

  // Scans

  private KuduTable createLarge() throws KuduException {
    KuduTable table = create(keyAndValue(), oneTablet());
    insert(table, rows(0, ROWS));
    return table;
  }

  /** A scan that has read some rows and is far from its end. */
  private KuduScanner begin(KuduTable table, boolean faultTolerant, List<Integer> keys)
      throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setFaultTolerant(faultTolerant)
            .batchSizeBytes(400)
            .scanRequestTimeout(PATIENCE_MILLIS)
            .build();
    while (keys.isEmpty()) {
      read(scanner, keys);
    }
    return scanner;
  }

  private static void read(KuduScanner scanner, List<Integer> keys) throws KuduException {
    for (RowResult row : scanner.nextRows()) {
      keys.add(row.getInt(0));
    }
  }

  private static void readToTheEnd(KuduScanner scanner, List<Integer> keys) throws KuduException {
    while (scanner.hasMoreRows()) {
      read(scanner, keys);
    }
    scanner.close();
  }

  private static void isWhole(List<Integer> keys) {
    assertThat(keys).hasSize(ROWS).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void anOrderedScanContinuesAfterARestartAndAnUnorderedScanFails() throws Exception {
    KuduTable table = createLarge();
    List<Integer> ordered = new ArrayList<>();
    List<Integer> unordered = new ArrayList<>();
    KuduScanner tolerant = begin(table, true, ordered);
    KuduScanner plain = begin(table, false, unordered);
    tabletServer.kill();
    tabletServer.start();
    readToTheEnd(tolerant, ordered);
    isWhole(ordered);
    refused(() -> readToTheEnd(plain, unordered), "Not found", "canner");
    assertThat(unordered).doesNotHaveDuplicates().hasSizeLessThan(ROWS);
  }

  @Test
  void scansWaitForAPausedServer() throws Exception {
    KuduTable table = createLarge();
    List<Integer> ordered = new ArrayList<>();
    List<Integer> unordered = new ArrayList<>();
    KuduScanner tolerant = begin(table, true, ordered);
    KuduScanner plain = begin(table, false, unordered);
    tabletServer.pause();
    Future<?> first = threads.submit(() -> call(() -> readToTheEnd(tolerant, ordered)));
    Future<?> second = threads.submit(() -> call(() -> readToTheEnd(plain, unordered)));
    passTime();
    tabletServer.resume();
    first.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    second.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    isWhole(ordered);
    isWhole(unordered);
  }

  private static Void call(Attempt attempt) throws Exception {
    attempt.run();
    return null;
  }

  private static void passTime() {
    long start = System.nanoTime();
    eventually("time passes")
        .until(() -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
  }

  @Test
  void anUnreachableServerEndsAScanInTime() throws Exception {
    KuduTable table = createLarge();
    tabletServer.pause();
    KuduScanner scanner = client.newScannerBuilder(table).scanRequestTimeout(1_000).build();
    refused(scanner::nextRows, "Timed out");
    tabletServer.resume();
    assertThat(scan(table)).hasSize(ROWS);
  }

  // Writes

  /** Writes rows in one flush mode until it is stopped. */
  private final class Writer {
    private final KuduTable table;
    private final FlushMode mode;
    private final int firstKey;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger flushed = new AtomicInteger();
    private final Future<?> future;

    Writer(KuduTable table, FlushMode mode, int firstKey) {
      this.table = table;
      this.mode = mode;
      this.firstKey = firstKey;
      this.future = threads.submit(() -> call(this::write));
    }

    private void write() throws KuduException {
      KuduSession session = session(mode);
      session.setTimeoutMillis(2L * PATIENCE_MILLIS);
      for (int k = firstKey; !ended.get(); k++) {
        OperationResponse answer = session.apply(op(table.newInsert(), "k", k, "v", k));
        if (mode == FlushMode.AUTO_FLUSH_SYNC) {
          written(answer);
        } else if (k % 10 == 9) {
          session.flush().forEach(Writer::written);
        } else {
          continue;
        }
        flushed.set(k + 1 - firstKey);
      }
      session.close().forEach(Writer::written);
      assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    }

    private static void written(OperationResponse answer) {
      assertThat(answer.hasRowError()).as("%s", answer.getRowError()).isFalse();
    }

    void awaitMore() {
      int before = flushed.get();
      await(mode + " writes rows")
          .atMost(Duration.ofMillis(2 * PATIENCE_MILLIS))
          .until(() -> flushed.get() >= before + ROWS_BEFORE_AND_AFTER || future.isDone());
    }
  }

  @Test
  void writesInAllFlushModesSurviveARestart() throws Exception {
    writeDuring(
        () -> {
          tabletServer.kill();
          tabletServer.start();
        });
  }

  @Test
  void writesInAllFlushModesSurviveAPause() throws Exception {
    writeDuring(
        () -> {
          tabletServer.pause();
          passTime();
          tabletServer.resume();
        });
  }

  private void writeDuring(Attempt fault) throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    List<Writer> writers = new ArrayList<>();
    for (FlushMode mode : FlushMode.values()) {
      writers.add(new Writer(table, mode, mode.ordinal() * 10_000_000));
    }
    writers.forEach(Writer::awaitMore);
    fault.run();
    writers.forEach(Writer::awaitMore);
    writers.forEach(writer -> writer.ended.set(true));
    for (Writer writer : writers) {
      writer.future.get(2 * PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
    int[] rows = new int[writers.size()];
    for (RowResult row : client.newScannerBuilder(table).build()) {
      Writer writer = writers.get(row.getInt(0) / 10_000_000);
      assertThat(row.getInt(1)).isEqualTo(row.getInt(0));
      rows[writers.indexOf(writer)]++;
    }
    for (Writer writer : writers) {
      assertThat(rows[writers.indexOf(writer)])
          .as("rows written with %s", writer.mode)
          .isGreaterThanOrEqualTo(writer.flushed.get())
          .isGreaterThanOrEqualTo(2 * ROWS_BEFORE_AND_AFTER);
    }
  }

  @Test
  void writesToAPausedServerFailInTime() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    tabletServer.pause();
    KuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setTimeoutMillis(1_000);
    for (int[] row : rows(10, 20)) {
      session.apply(op(table.newInsert(), "k", row[0], "v", row[1]));
    }
    session.flush();
    assertThat(session.getPendingErrors().getRowErrors())
        .hasSize(10)
        .allMatch(error -> error.getErrorStatus().isTimedOut());
    session.close();
    tabletServer.resume();
    insert(table, new int[] {2, 2});
    // Read once: requests that were sent during the pause may be executed between two scans.
    assertThat(drain(client.newScannerBuilder(table).build())).contains("1 1", "2 2");
  }

  // Masters

  @Test
  void rowsAreWrittenWithoutAMasterAndTableChangesWaitForIt() throws Exception {
    KuduTable table = createWith(rows(0, 10));
    master.kill();
    insert(table, rows(10, 20));
    assertThat(scan(table)).hasSize(20);
    Future<List<String>> tables =
        threads.submit(() -> client.getTablesList(tableName).getTablesList());
    master.start();
    assertThat(tables.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).containsExactly(tableName);
    assertThat(scan(client.openTable(tableName))).hasSize(20);
  }

  @Test
  void tableChangesWaitForAPausedMaster() throws Exception {
    createWith(rows(0, 10));
    master.pause();
    Future<KuduTable> opened = threads.submit(() -> client.openTable(tableName));
    passTime();
    assertThat(opened.isDone()).isFalse();
    master.resume();
    assertThat(scan(opened.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))).hasSize(10);
  }
}
