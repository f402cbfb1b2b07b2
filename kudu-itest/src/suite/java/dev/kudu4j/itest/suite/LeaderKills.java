package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.itest.support.Daemon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Repeatedly kills the leader of a tablet during writes, and measures how long the tablet accepts
 * no writes. Meanwhile single rows are written to tablets with other leaders; their latencies are
 * recorded separately for the seconds before and after a kill.
 */
final class LeaderKills {
  private static final int WRITERS = 4;
  private static final int OTHER_TABLES = 6;
  private static final long BEFORE_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final Duration WAIT = Duration.ofMinutes(2); // as long as a call may take

  private final FaultCase servers;
  private final KuduTable table;
  private final List<KuduTable> others = new ArrayList<>();
  private final AtomicInteger nextKey = new AtomicInteger();
  private final AtomicInteger nextOtherKey = new AtomicInteger();
  private final List<Long> millisWithoutLeader = new ArrayList<>();
  private final List<Long> before = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> after = Collections.synchronizedList(new ArrayList<>());
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

  LeaderKills(FaultCase servers) throws KuduException {
    this.servers = servers;
    this.table = servers.create(servers.tableName, 1);
    for (int i = 0; i < OTHER_TABLES; i++) {
      others.add(servers.create(servers.tableName + "_other" + i, 1));
    }
  }

  /** Kills the leader, and restarts it when writes succeed again. */
  void killOnce() throws Exception {
    Daemon leader = servers.leaderOf(table);
    List<KuduTable> elsewhere = new ArrayList<>();
    for (KuduTable other : others) {
      if (servers.leaderOf(other) != leader) {
        elsewhere.add(other);
      }
    }
    AtomicBoolean ended = new AtomicBoolean();
    AtomicBoolean killed = new AtomicBoolean();
    AtomicInteger writtenSince = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < WRITERS; w++) {
      threads.add(start(() -> load(ended, killed, writtenSince)));
    }
    for (KuduTable other : elsewhere) {
      threads.add(start(() -> watch(other, ended, killed)));
    }
    long begin = System.nanoTime();
    await("rows flow").atMost(WAIT).until(() -> System.nanoTime() - begin > BEFORE_NANOS);
    leader.kill();
    killed.set(true);
    long dead = System.nanoTime();
    await("writes go on")
        .atMost(WAIT)
        .pollInterval(Duration.ofMillis(5)) // short, because the wait is measured
        .until(() -> writtenSince.get() > 0 || !failures.isEmpty());
    millisWithoutLeader.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - dead));
    ended.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    leader.start();
    assertThat(failures).isEmpty();
  }

  private Thread start(Writer writer) {
    Thread thread =
        new Thread(
            () -> {
              try {
                writer.write();
              } catch (KuduException | RuntimeException | AssertionError e) {
                failures.add(e);
              }
            });
    thread.start();
    return thread;
  }

  @FunctionalInterface
  private interface Writer {
    void write() throws KuduException;
  }

  private void load(AtomicBoolean ended, AtomicBoolean killed, AtomicInteger writtenSince)
      throws KuduException {
    KuduSession session = servers.client.newSession();
    while (!ended.get()) {
      boolean begunSince = killed.get();
      written(session.apply(FaultCase.insertOf(table, nextKey.getAndIncrement())));
      if (begunSince) {
        writtenSince.incrementAndGet();
      }
    }
    session.close();
  }

  private void watch(KuduTable other, AtomicBoolean ended, AtomicBoolean killed)
      throws KuduException {
    KuduSession session = servers.client.newSession();
    while (!ended.get()) {
      boolean begunSince = killed.get();
      long start = System.nanoTime();
      written(session.apply(FaultCase.insertOf(other, nextOtherKey.getAndIncrement())));
      (begunSince ? after : before).add(System.nanoTime() - start);
    }
    session.close();
  }

  private static void written(OperationResponse response) {
    assertThat(response.hasRowError()).as("%s", response.getRowError()).isFalse();
  }

  List<Long> millisWithoutLeader() {
    return millisWithoutLeader;
  }

  /** The latencies of the writes to the other tablets, as text. */
  String otherTablets() {
    return "before a kill " + quantiles(before) + "; after it " + quantiles(after);
  }

  private static String quantiles(List<Long> nanos) {
    List<Long> sorted = nanos.stream().sorted().toList();
    if (sorted.isEmpty()) {
      return "none";
    }
    return String.format(
        "%d writes, p50 %.1f ms, p99 %.1f ms",
        sorted.size(),
        sorted.get(sorted.size() / 2) / 1e6,
        sorted.get((int) (sorted.size() * 0.99)) / 1e6);
  }

  void checkRows() throws KuduException {
    servers.holdsExactly(table, nextKey.get());
  }
}
