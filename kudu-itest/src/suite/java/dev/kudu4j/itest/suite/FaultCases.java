package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Daemon;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Callers get no errors while servers are killed. */
public abstract class FaultCases extends FaultCase {
  private static final int KILLS = Integer.getInteger("faults.kills", 2);
  private static final int ROWS = Integer.getInteger("faults.rows", 100_000);
  private static final int LOAD_MILLIS = 600_000;
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

  /**
   * The load has one part for each kill. During a part, a server is killed at a random row and
   * restarted. The next part begins when the server's port answers, so that two servers are never
   * down at the same time.
   */
  @Test
  void aLoadSurvivesKills() throws Exception {
    System.out.printf("faults: %d rows, %d kills, -Dfaults.seed=%d%n", ROWS, KILLS, SEED);
    Random random = new Random(SEED);
    KuduTable table = create(tableName, 4);
    Semaphore parts = new Semaphore(0);
    AtomicInteger sent = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long start = System.nanoTime();
    Thread loader = new Thread(() -> loadInParts(table, parts, sent, failure), "loader");
    loader.start();
    for (int part = 0; part < KILLS; part++) {
      int rowsOfPart = ROWS / KILLS;
      int killAt = part * rowsOfPart + random.nextInt(rowsOfPart * 9 / 10);
      parts.release();
      await("row " + killAt + " is sent")
          .atMost(Duration.ofMillis(LOAD_MILLIS))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> sent.get() >= killAt || failure.get() != null);
      Daemon victim = cluster.tabletServers().get(random.nextInt(3));
      victim.kill();
      victim.start();
    }
    loader.join(LOAD_MILLIS);
    assertThat(loader.isAlive()).as("still loading").isFalse();
    assertThat(failure.get()).isNull();
    System.out.printf(
        "faults: loaded in %d s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
    holdsExactly(table, ROWS);
    awaitAgreement();
  }

  private void loadInParts(
      KuduTable table, Semaphore parts, AtomicInteger sent, AtomicReference<Throwable> failure) {
    try {
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      for (int k = 0; k < ROWS; k++) {
        if (k % (ROWS / KILLS) == 0) {
          parts.acquire();
        }
        session.apply(insertOf(table, k));
        sent.set(k);
      }
      session.flush();
      noErrors(session);
      session.close();
    } catch (Throwable e) {
      failure.set(e);
      sent.set(ROWS);
    }
  }

  @Test
  void aServerThatMissedWritesCatchesUpAndAnotherMayFail() throws Exception {
    KuduTable table = create(tableName, 2);
    Daemon late = cluster.tabletServers().get(2);
    load(table, 0, 10_000);
    cluster.flush();
    late.kill();
    for (int part = 1; part < 4; part++) {
      load(table, part * 10_000, (part + 1) * 10_000);
      AdminCalls.flush(cluster.tabletServers().get(0));
      AdminCalls.flush(cluster.tabletServers().get(1));
    }
    late.start();
    awaitAgreement();
    cluster.tabletServers().get(0).kill();
    load(table, 40_000, 50_000);
    holdsExactly(table, 50_000);
    cluster.tabletServers().get(0).start();
    cluster.tabletServers().get(1).kill();
    load(table, 50_000, 60_000);
    holdsExactly(table, 60_000);
    cluster.tabletServers().get(1).start();
    awaitAgreement();
  }
}
