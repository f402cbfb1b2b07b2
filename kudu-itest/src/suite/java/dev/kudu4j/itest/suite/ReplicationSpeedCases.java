package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How long tables with three replicas take to be created, to elect another leader and to accept
 * rows. The times also depend on the machine, so they are checked only nightly; docs/faults.md.
 */
public abstract class ReplicationSpeedCases extends FaultCase {
  private static final int LEADER_KILLS = Integer.getInteger("faults.leaderKills", 1);
  private static final int WRITERS = 64;
  private static final long MEASURED_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final double MIN_GAIN = 8;
  private static final int TRIES = 3;

  @Test
  @Tag("nightly")
  void aTableWithThreeReplicasIsCreatedInASecond() throws Exception {
    create(tableName + "_first", 1);
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      long start = System.nanoTime();
      KuduTable table = create(tableName + i, 1);
      KuduSession session = client.newSession();
      assertThat(session.apply(insertOf(table, 1)).hasRowError()).isFalse();
      session.close();
      millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }
    System.out.println("faults: tables made and written to after ms " + millis);
    assertThat(median(millis)).as("ms to a table that takes writes").isLessThan(1_000);
  }

  @Test
  void writesContinueAfterALeaderIsKilled() throws Exception {
    killLeaders(LEADER_KILLS);
  }

  @Test
  @Tag("nightly")
  void writesContinueSoonInTheMedianOfTwentyKills() throws Exception {
    assertThat(median(killLeaders(20))).as("ms without a leader").isLessThan(3_000);
  }

  /**
   * Prints how long the tablet accepts no writes, and the latencies of writes to tablets with other
   * leaders.
   */
  private List<Long> killLeaders(int kills) throws Exception {
    LeaderKills measured = new LeaderKills(this);
    for (int kill = 0; kill < kills; kill++) {
      measured.killOnce();
    }
    List<Long> millis = measured.millisWithoutLeader();
    System.out.println("faults: writes went on after ms " + millis);
    System.out.println("faults: other tablets' writes, " + measured.otherTablets());
    measured.checkRows();
    return millis;
  }

  private static void written(OperationResponse response) {
    assertThat(response.hasRowError()).as("%s", response.getRowError()).isFalse();
  }

  private static long median(List<Long> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }

  @Test
  @Tag("nightly")
  void manyWritersShareReplicationRounds() throws Exception {
    KuduTable table = create(tableName, 1);
    AtomicLong nextKey = new AtomicLong();
    rowsPerSecond(table, WRITERS, nextKey);
    double best = 0;
    for (int i = 0; i < TRIES && best < MIN_GAIN; i++) { // a stall spoils a measurement
      double one = rowsPerSecond(table, 1, nextKey);
      double many = rowsPerSecond(table, WRITERS, nextKey);
      System.out.printf(
          "faults: %.0f rows/s with one writer, %.0f with %d: %.1f times%n",
          one, many, WRITERS, many / one);
      best = Math.max(best, many / one);
    }
    assertThat(best).as("rows/s of %d writers over one", WRITERS).isGreaterThanOrEqualTo(MIN_GAIN);
    holdsExactly(table, Math.toIntExact(nextKey.get()));
  }

  /** Writes single rows; each writer waits for the response to a row before it writes the next. */
  private double rowsPerSecond(KuduTable table, int writers, AtomicLong nextKey) throws Exception {
    long firstKey = nextKey.get();
    long start = System.nanoTime();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      Thread thread =
          new Thread(() -> writeUntil(start + MEASURED_NANOS, table, nextKey, failures));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    double seconds = (System.nanoTime() - start) / 1e9;
    return (nextKey.get() - firstKey) / seconds;
  }

  private void writeUntil(
      long endNanos, KuduTable table, AtomicLong nextKey, List<Throwable> failures) {
    try {
      KuduSession session = client.newSession();
      while (System.nanoTime() < endNanos) {
        written(session.apply(insertOf(table, nextKey.getAndIncrement())));
      }
      session.close();
    } catch (KuduException | RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }
}
