package dev.kudu4j.itest.stall;

import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AsyncKuduSession;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PleaseThrottleException;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowErrorsAndOverflowStatus;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.itest.support.Standstill;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One client, four writing threads: two in the background, through two sessions each, and two that
 * send single operations and do not wait for their answers. First to a running server, then to a
 * stopped one, then again to a running one.
 */
final class StalledLoad {
  private static final int THREADS = 4;
  private static final int SESSIONS = 2;
  private static final int BUFFER = 5_000;
  private static final int KEYS_OF_A_ROUND = 10_000_000;
  private static final int PATIENT_MILLIS = 120_000;
  private static final String TEXT = "some text, so that a row has some bytes";

  private final KuduClient client;
  private final KuduTable table;

  private StalledLoad(KuduClient client) throws Exception {
    this.client = client;
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("k", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("s", Type.STRING).build()));
    this.table =
        client.createTable(
            "stalled",
            schema,
            new CreateTableOptions().addHashPartitions(List.of("k"), 4).setNumReplicas(1));
  }

  /** Arguments: masters, the server's process id and address, operations, their time-out in ms. */
  public static void main(String[] arguments) throws Exception {
    long pid = Long.parseLong(arguments[1]);
    int operations = Integer.parseInt(arguments[3]);
    int timeoutMillis = Integer.parseInt(arguments[4]);
    try (KuduClient client = new KuduClient.KuduClientBuilder(arguments[0]).build()) {
      StalledLoad load = new StalledLoad(client);
      int some = Math.max(20_000, operations / 5);
      load.run("warming up", some, 0, PATIENT_MILLIS, new Account());
      double before = load.run("before", some, 1, PATIENT_MILLIS, new Account());

      Standstill.begin(pid);
      Account stalled =
          new Account("Write to tablet ", " of table stalled ", arguments[2], " ms, its time-out");
      load.run("while it stands still", operations, 2, timeoutMillis, stalled);
      check(stalled.failedCount() == operations, "A server that stands still wrote rows");
      check(stalled.shortestMillis() >= timeoutMillis, "An operation failed before its time");
      System.out.println("stalled server: " + stalled.example());

      Standstill.end(pid);
      load.run("catching up", some, 3, PATIENT_MILLIS, new Account()); // with what it was sent
      double after = load.run("after", some, 4, PATIENT_MILLIS, new Account());
      System.out.printf("stalled server: after it %.2f of the rate before%n", after / before);
      for (int round : new int[] {0, 1, 3, 4}) {
        check(load.rows(round) == some, "Rows are missing");
      }
    }
    System.out.println("stalled server: all is accounted for");
  }

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  /** Applies operations, waits for their outcomes, and returns the operations per second. */
  private double run(String name, int operations, int round, int timeoutMillis, Account account)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      long start = System.nanoTime();
      int each = operations / THREADS;
      List<Future<Void>> parts = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        long from = (long) round * KEYS_OF_A_ROUND + (long) t * each;
        Callable<Void> part =
            t % 2 == 0
                ? () -> inBackground(from, from + each, timeoutMillis, account)
                : () -> oneByOne(from, from + each, timeoutMillis, account);
        parts.add(threads.submit(part));
      }
      for (Future<Void> part : parts) {
        part.get();
      }
      double rate = operations / ((System.nanoTime() - start) / 1e9);
      System.out.printf("stalled server: %s: %.0f a second; %s%n", name, rate, account);
      await("every operation has its answer or its error") // the last callbacks may still run
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> account.check(operations));
      return rate;
    } finally {
      threads.shutdownNow();
    }
  }

  private int rows(int round) throws Exception {
    ColumnSchema key = table.getSchema().getColumn("k");
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setProjectedColumnNames(List.of())
            .addPredicate(from(key, (long) round * KEYS_OF_A_ROUND, ComparisonOp.GREATER_EQUAL))
            .addPredicate(from(key, (round + 1L) * KEYS_OF_A_ROUND, ComparisonOp.LESS))
            .build();
    int rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    return rows;
  }

  private static KuduPredicate from(ColumnSchema key, long value, ComparisonOp op) {
    return KuduPredicate.newComparisonPredicate(key, op, value);
  }

  private Insert insert(long k) {
    Insert insert = table.newInsert();
    insert.getRow().addLong(0, k);
    insert.getRow().addString(1, TEXT);
    return insert;
  }

  private Void inBackground(long from, long to, int timeoutMillis, Account account)
      throws Exception {
    List<KuduSession> sessions = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      session.setMutationBufferSpace(BUFFER);
      session.setErrorCollectorSpace(4 * BUFFER);
      session.setTimeoutMillis(timeoutMillis);
      sessions.add(session);
    }
    int failed = 0;
    for (long k = from; k < to; k++) {
      KuduSession session = sessions.get((int) (k % SESSIONS));
      session.apply(insert(k));
      account.applied();
      if (session.countPendingErrors() >= BUFFER) {
        failed += collect(session, account);
      }
    }
    for (KuduSession session : sessions) {
      session.close();
      failed += collect(session, account);
    }
    for (long written = to - from - failed; written > 0; written--) {
      account.written();
    }
    return null;
  }

  private static int collect(KuduSession session, Account account) {
    RowErrorsAndOverflowStatus errors = session.getPendingErrors();
    check(!errors.isOverflowed(), "Errors were dropped");
    for (RowError error : errors.getRowErrors()) {
      account.failed(error);
    }
    return errors.getRowErrors().length;
  }

  private Void oneByOne(long from, long to, int timeoutMillis, Account account) throws Exception {
    AsyncKuduSession session = client.asyncClient().newSession();
    session.setTimeoutMillis(timeoutMillis);
    for (long k = from; k < to; k++) {
      Insert insert = insert(k);
      while (!applied(session, insert, account)) {
        account.waited();
      }
      account.applied();
    }
    session.close().get();
    return null;
  }

  private static boolean applied(AsyncKuduSession session, Insert insert, Account account)
      throws Exception {
    try {
      long start = System.nanoTime();
      session
          .apply(insert)
          .thenAccept(
              answer -> {
                account.took(System.nanoTime() - start);
                if (answer.hasRowError()) {
                  account.failed(answer.getRowError());
                } else {
                  account.written();
                }
              });
      return true;
    } catch (PleaseThrottleException full) {
      full.getDeferred().get();
      return false;
    }
  }
}
