package dev.kudu4j.itest.hostile;

import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A normal client that repeatedly writes a row and reads it back. Every operation must succeed
 * within its time-out, whatever other clients do to the servers.
 */
final class Bystander implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final long PAUSE_NANOS = 5_000_000;

  private final KuduClient client;
  private final KuduTable table;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::run, "bystander");
  private volatile boolean closed;

  Bystander(String masters, String tableName) throws KuduException {
    client =
        new KuduClient.KuduClientBuilder(masters).defaultOperationTimeoutMs(TIMEOUT_MILLIS).build();
    table = client.openTable(tableName);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    for (long key = 0; !closed; key++) {
      long began = System.nanoTime();
      try {
        write(key);
        read(key);
        done.incrementAndGet();
      } catch (KuduException | RuntimeException e) {
        if (!closed) {
          failures.add("row " + key + ": " + e);
        }
      }
      longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void write(long key) throws KuduException {
    KuduSession session = client.newSession();
    try {
      Operation insert = table.newInsert();
      insert.getRow().addLong(0, key);
      insert.getRow().addString(1, "row " + key);
      OperationResponse answer = session.apply(insert);
      if (answer.hasRowError()) {
        throw new IllegalStateException(answer.getRowError().toString());
      }
    } finally {
      session.close();
    }
  }

  private void read(long key) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumnByIndex(0), KuduPredicate.ComparisonOp.EQUAL, key))
            .build();
    int rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    scanner.close();
    if (rows != 1) {
      throw new IllegalStateException(rows + " rows where one was written");
    }
  }

  /** Waits until a few more operations are complete. */
  void awaitProgress() {
    long before = done.get();
    await("a normal client continues")
        .atMost(Duration.ofMillis(2 * TIMEOUT_MILLIS))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> done.get() > before + 2 || !failures.isEmpty());
  }

  List<String> failures() {
    return failures;
  }

  String summary() {
    return String.format(
        "%d operations, the longest took %d ms", done.get(), longestNanos.get() / 1_000_000);
  }

  @Override
  public void close() throws KuduException {
    closed = true;
    try {
      thread.join(2L * TIMEOUT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}
