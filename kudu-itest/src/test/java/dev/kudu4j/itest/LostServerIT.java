package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.FormatMethod;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.Latencies;
import dev.kudu4j.itest.support.LocalCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tablet server with data dies permanently. Its tablets get back to three replicas on the others,
 * and concurrent writers and readers hardly notice the copies.
 *
 * <pre>
 *   warm-up | before |  elections, no copy has started    |  copies  |
 *                    ^ death                              ^ begun    ^ every tablet has 3 voters
 * </pre>
 *
 * <p>{@code ./dev lost}; docs/faults.md.
 */
@Tag("nightly")
class LostServerIT {
  private static final int MEGABYTES = Integer.getInteger("lost.megabytes", 200);
  private static final int BEFORE_SECONDS = Integer.getInteger("lost.seconds", 30);
  private static final double MAX_TIMES =
      Double.parseDouble(System.getProperty("lost.mostTimes", "5"));

  private static final int TABLETS = 8;
  private static final int WRITERS = 4;
  private static final int READERS = 2;
  private static final int TEXT_BYTES = 1_000;
  private static final int FAILED_SECONDS = 10;
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final int WAIT_MILLIS = 600_000;

  @TempDir Path directory;
  private final long filled = MEGABYTES * 1_000_000L / TEXT_BYTES;
  private final AtomicLong nextKey = new AtomicLong(filled);
  private final Latencies writes = new Latencies();
  private final Latencies reads = new Latencies();
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean ended;

  @Test
  void tabletsOfALostServerAreReplicatedAgainUnderLoad() throws Exception {
    try (LocalCluster cluster = cluster();
        KuduClient client =
            new KuduClient.KuduClientBuilder(cluster.masters())
                .defaultOperationTimeoutMs(60_000)
                .build()) {
      KuduTable table = create(client);
      fill(client, table);
      List<Thread> load = startLoad(client, table);
      try {
        lose(cluster, client);
      } finally {
        ended = true;
        for (Thread thread : load) {
          thread.join();
        }
      }
      assertThat(failures).isEmpty();
      assertThat(count(client, table)).as("rows").isEqualTo(nextKey.get());
    }
  }

  private LocalCluster cluster() {
    return new LocalCluster(
            directory,
            4,
            "--time_source=system_unsync",
            "--follower_unavailable_considered_failed_sec=" + FAILED_SECONDS,
            "--auto_rebalancing_enabled=false") // copies are caused only by the death
        .start();
  }

  private static KuduTable create(KuduClient client) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("text", Type.STRING).build()));
    return client.createTable(
        "loaded",
        schema,
        new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(3));
  }

  // The load

  /** Incompressible text, so a copy transfers its full size. */
  private static String text(Random random) {
    byte[] bytes = new byte[TEXT_BYTES * 3 / 4];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static Operation insert(KuduTable table, long id, Random random) {
    Operation insert = table.newInsert();
    insert.getRow().addLong(0, id);
    insert.getRow().addString(1, text(random));
    return insert;
  }

  private void fill(KuduClient client, KuduTable table) throws KuduException {
    Random random = new Random(1);
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long id = 0; id < filled; id++) {
      session.apply(insert(table, id, random));
    }
    session.flush();
    assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    session.close();
  }

  private interface Step {
    void take(Random random) throws KuduException;
  }

  private List<Thread> startLoad(KuduClient client, KuduTable table) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      KuduSession session = client.newSession();
      threads.add(start(writes, i, random -> write(session, table, random)));
    }
    for (int i = 0; i < READERS; i++) {
      threads.add(start(reads, WRITERS + i, random -> read(client, table, random)));
    }
    return threads;
  }

  private Thread start(Latencies latencies, int number, Step step) {
    Thread thread = new Thread(() -> work(latencies, new Random(number), step), "load-" + number);
    thread.start();
    return thread;
  }

  private void work(Latencies latencies, Random random, Step step) {
    try {
      while (!ended) {
        long begin = System.nanoTime();
        step.take(random);
        latencies.add(begin, System.nanoTime());
        LockSupport.parkNanos(REST_NANOS);
      }
    } catch (KuduException | RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }

  private void write(KuduSession session, KuduTable table, Random random) throws KuduException {
    var response = session.apply(insert(table, nextKey.getAndIncrement(), random));
    assertThat(response.hasRowError()).as("%s", response.getRowError()).isFalse();
  }

  private void read(KuduClient client, KuduTable table, Random random) throws KuduException {
    long id = random.nextLong(filled);
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumnByIndex(0), KuduPredicate.ComparisonOp.EQUAL, id))
            .build();
    assertThat(rows(scanner)).as("rows with id %s", id).isEqualTo(1);
  }

  private static long rows(KuduScanner scanner) throws KuduException {
    long rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    return rows;
  }

  private static long count(KuduClient client, KuduTable table) throws KuduException {
    return rows(client.newScannerBuilder(table).setProjectedColumnNames(List.of("id")).build());
  }

  // The death

  private void lose(LocalCluster cluster, KuduClient client) {
    awaitSeconds(BEFORE_SECONDS); // code is compiled, files are flushed
    long before = System.nanoTime();
    awaitSeconds(BEFORE_SECONDS);

    Daemon lost = cluster.tabletServers().get(0);
    List<Daemon> alive = cluster.tabletServers().subList(1, cluster.tabletServers().size());
    int missing = AdminCalls.tabletIds(lost).size();
    int left = replicas(alive);
    lost.kill();
    long death = System.nanoTime();
    eventually("a copy begins").until(() -> replicas(alive) > left);
    long begun = System.nanoTime();
    eventually("every tablet has three replicas on live servers")
        .until(() -> isWhole(client, lost));
    long whole = System.nanoTime();

    say("%d MB in %d tablets, %d replicas lost", MEGABYTES, TABLETS, missing);
    say(
        "copies begin %d ms after the death, take %d ms",
        millis(death, begun), millis(begun, whole));
    judge("writes", writes, before, death, begun, whole);
    judge("reads", reads, before, death, begun, whole);
  }

  private void judge(
      String what, Latencies latencies, long before, long death, long begun, long whole) {
    Latencies.Quantiles normal = latencies.between(before, death);
    Latencies.Quantiles copying = latencies.between(begun, whole);
    say("%s before:          %s", what, normal);
    say("%s until the copy:  %s", what, latencies.between(death, begun));
    say("%s during the copy: %s", what, copying);
    double times = copying.p99Millis() / normal.p99Millis();
    say("%s: p99 during the copy is %.1f times normal", what, times);
    assertThat(times).as("p99 of %s during the copy, times normal", what).isLessThan(MAX_TIMES);
  }

  private static long millis(long from, long to) {
    return TimeUnit.NANOSECONDS.toMillis(to - from);
  }

  private static int replicas(List<Daemon> servers) {
    return servers.stream().mapToInt(server -> AdminCalls.tabletIds(server).size()).sum();
  }

  private static boolean isWhole(KuduClient client, Daemon lost) throws KuduException {
    return client.openTable("loaded").getTabletsLocations(WAIT_MILLIS).stream()
        .allMatch(
            tablet ->
                tablet.getReplicas().size() == 3
                    && tablet.getReplicas().stream()
                        .noneMatch(
                            replica ->
                                replica.getRpcPort() == lost.port()
                                    || replica.getRole().equals("LEARNER")));
  }

  private void awaitSeconds(int seconds) {
    long begin = System.nanoTime();
    eventually("the load runs")
        .until(() -> System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Polls seldom, because polling is load too. Ends when the load has failed. */
  private ConditionFactory eventually(String description) {
    return await(description)
        .atMost(Duration.ofMillis(WAIT_MILLIS))
        .pollInterval(LOOK)
        .failFast("the load has failed", () -> assertThat(failures).isEmpty());
  }

  @FormatMethod
  private static void say(String format, Object... arguments) {
    System.out.printf("lost server: %s%n", String.format(format, arguments));
  }
}
