package dev.kudu4j.itest.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.FormatMethod;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.Ksck;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.workload.Findings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Servers are killed while orders change and indexes are created, built and dropped. At any time
 * and snapshot, and on each replica, a scan that must use indexes has the rows of one that must
 * not; no acknowledged change is lost; at the end all files are valid, which includes that each
 * index has the cells of its rows.
 *
 * <p>{@code ./dev it IndexFaultsIT -Dindexes.kills=50 -Dindexes.seed=7}
 */
class IndexFaultsIT {
  private static final int KILLS = Integer.getInteger("indexes.kills", 3);
  private static final long SEED = Long.getLong("indexes.seed", System.nanoTime() % 1_000_000);
  private static final int CALL_MILLIS = 120_000; // longer than a killed server needs to come back
  private static final int FIRST_CHANGES = 15_000;
  private static final int CHANGES_PER_INDEX = 6_000;
  private static final int COMPARED_AFTER_KILL = 8;
  private static final int COMPARED_AT_END = 8; // on each replica

  private final long start = System.nanoTime();
  private final Random random = new Random(SEED);
  private final Findings findings = new Findings();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> work = new ArrayList<>();
  private volatile boolean ended;

  private LocalCluster cluster;
  private Path directory;
  private KuduClient client;
  private OrderWriters writers;
  private IndexChanges indexes;
  private Comparisons atRest;
  private Comparisons meanwhile;
  private OrderWriters.Moment first;

  @Test
  void indexesHaveTheRowsWhateverIsKilled() throws Exception {
    directory = Path.of("target", "index-faults", "seed-" + SEED).toAbsolutePath();
    Files.createDirectories(directory);
    say("-Dindexes.seed=%d -Dindexes.kills=%d, logs in %s", SEED, KILLS, directory);
    cluster =
        new LocalCluster(
            directory,
            3,
            LocalCluster.SMALL_JVM,
            "--time_source=system_unsync",
            "--flush_threshold_secs=4",
            "--maintenance_manager_polling_interval_ms=50",
            "--memory_limit_hard_bytes=" + (600L << 20));
    try (LocalCluster running = cluster.start();
        KuduClient opened = newClient()) {
      client = opened;
      suffer();
      judge();
      verifyLogs(running);
    } finally {
      ended = true;
      threads.shutdownNow();
    }
    assertThat(findings.isEmpty()).as("seed %d, %s", SEED, findings).isTrue();
  }

  private KuduClient newClient() {
    return new KuduClient.KuduClientBuilder(cluster.masters())
        .defaultAdminOperationTimeoutMs(CALL_MILLIS)
        .defaultOperationTimeoutMs(CALL_MILLIS)
        .build();
  }

  // ---------------------------------------------------------------- kills

  private void suffer() throws Exception {
    KuduTable table = OrderTable.create(client);
    indexes = new IndexChanges(client, new Random(random.nextLong()));
    meanwhile = new Comparisons(client, table, findings, new Random(random.nextLong()));
    atRest = new Comparisons(client, table, findings, new Random(random.nextLong()));
    writers = new OrderWriters(client, table, findings, random);
    try (OrderWriters running = writers;
        Kills kills =
            new Kills(client, cluster.tabletServers(), directory, writers, indexes, random)) {
      running.start();
      running.awaitChanges(FIRST_CHANGES);
      first = running.moment();
      say("%d rows", first.rows().size());
      repeat("comparisons", this::compareMeanwhile);
      repeat("index changes", this::changeIndex);
      for (int kill = 0; kill < KILLS && findings.isEmpty(); kill++) {
        round(kills);
      }
      ended = true;
      for (Future<?> job : work) {
        job.get(OrderWriters.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Repeats the work in another thread until the kills are over. */
  private void repeat(String what, Callable<?> step) {
    work.add(
        threads.submit(
            () -> {
              try {
                while (!ended) {
                  step.call();
                }
              } catch (Exception | AssertionError e) {
                findings.add("%s ended with %s, %s", what, e, e.getCause());
              }
            }));
  }

  private Void compareMeanwhile() {
    meanwhile.compareBetween(first.timestamp(), client.getLastPropagatedTimestamp() + 1);
    return null;
  }

  private Void changeIndex() throws KuduException {
    indexes.changeOne();
    writers.awaitChanges(CHANGES_PER_INDEX);
    return null;
  }

  private void round(Kills kills) throws Exception {
    say("killed %s", kills.next());
    writers.awaitChanges(1_000);
    long compared = meanwhile.count() + 2;
    await("queries are answered")
        .atMost(OrderWriters.PATIENCE)
        .until(() -> meanwhile.count() >= compared || !findings.isEmpty());
    OrderWriters.Moment moment = writers.moment();
    for (int i = 0; i < COMPARED_AFTER_KILL; i++) {
      atRest.compareAt(moment);
    }
    say("%s", summary());
  }

  // ---------------------------------------------------------------- the end

  private void judge() throws Exception {
    OrderWriters.Moment last = writers.moment();
    indexes.complete(OrderTable.LASTING);
    for (Daemon server : cluster.tabletServers()) { // rows that came before the index
      await(server.name() + " flushes")
          .atMost(OrderWriters.PATIENCE)
          .untilAsserted(() -> AdminCalls.flush(server));
    }
    await("every replica answers with indexes")
        .atMost(OrderWriters.PATIENCE)
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              atRest.compareAt(last);
              return areAllCompared() || !findings.isEmpty();
            });
    await("all replicas are healthy and hold the same")
        .atMost(OrderWriters.PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> Ksck.verifyEqualReplicas(cluster.masters()));
    say("%s", summary());
  }

  private boolean areAllCompared() {
    Map<String, Integer> scans = atRest.indexedScans();
    return scans.size() == OrderTable.TABLETS * OrderTable.REPLICAS
        && scans.values().stream().allMatch(count -> count >= COMPARED_AT_END);
  }

  private void verifyLogs(LocalCluster running) {
    for (Daemon server : running.tabletServers()) {
      assertThat(server.output()).doesNotContain("AssertionError", "CORRUPTION");
    }
  }

  private String summary() {
    return String.format(
        "%d changes of rows, %d changes of indexes; at rest %s; meanwhile %s",
        writers.changes(), indexes.count(), atRest.summary(), meanwhile.summary());
  }

  @FormatMethod
  private void say(String format, Object... arguments) {
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("index faults: %6.1f s  %s%n", seconds, String.format(format, arguments));
  }
}
