package dev.kudu4j.itest.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.FormatMethod;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndexProgress;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.Ksck;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.workload.Findings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Servers are killed while orders change, global indexes are created, built and dropped, and
 * columns come and go. At many snapshots, each index has the rows that the table had; a consumer of
 * the change feed has seen every change once and in order.
 *
 * <p>{@code ./dev it GlobalIndexFaultsIT -Dglobals.kills=50 -Dglobals.seed=7}
 */
class GlobalIndexFaultsIT {
  private static final int KILLS = Integer.getInteger("globals.kills", 3);
  private static final long SEED = Long.getLong("globals.seed", System.nanoTime() % 1_000_000);
  private static final int CALL_MILLIS = 120_000; // longer than a killed server needs to come back
  private static final int FIRST_CHANGES = 4_000;
  private static final int CHANGES_PER_KILL = 1_500;
  private static final int SNAPSHOTS = 20;

  private final long start = System.nanoTime();
  private final Random random = new Random(SEED);
  private final Findings findings = new Findings();
  private final Deque<OrderWriters.Moment> moments = new ArrayDeque<>();

  private LocalCluster cluster;
  private KuduClient client;
  private OrderWriters writers;
  private GlobalIndexReads reads;
  private int columns;

  @Test
  void indexesHaveTheRowsOfTheirTableWhateverIsKilled() throws Exception {
    Path directory = Path.of("target", "global-index-faults", "seed-" + SEED).toAbsolutePath();
    Files.createDirectories(directory);
    say("-Dglobals.seed=%d -Dglobals.kills=%d, logs in %s", SEED, KILLS, directory);
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
      for (Daemon server : running.tabletServers()) {
        assertThat(server.output()).doesNotContain("AssertionError", "CORRUPTION");
      }
    }
    assertThat(findings.isEmpty()).as("seed %d, %s", SEED, findings).isTrue();
  }

  private KuduClient newClient() {
    return new KuduClient.KuduClientBuilder(cluster.masters())
        .defaultAdminOperationTimeoutMs(CALL_MILLIS)
        .defaultOperationTimeoutMs(CALL_MILLIS)
        .build();
  }

  private void suffer() throws Exception {
    KuduTable table = OrderTable.create(client);
    reads = new GlobalIndexReads(client, findings);
    writers = new OrderWriters(client, table, findings, random);
    try (OrderFollower follower = new OrderFollower(newClient(), findings);
        OrderWriters running = writers) {
      running.start();
      running.awaitChanges(FIRST_CHANGES);
      GlobalIndexReads.INDEXES.forEach(this::add);
      for (int kill = 0; kill < KILLS && findings.isEmpty(); kill++) {
        round(kill);
      }
      judge(follower);
    }
  }

  private void round(int number) throws KuduException {
    boolean altered = number > 0 && random.nextBoolean();
    if (altered) {
      alter();
    }
    writers.awaitChanges(1 + random.nextInt(CHANGES_PER_KILL));
    String victims = kill();
    writers.awaitChanges(CHANGES_PER_KILL);
    OrderWriters.Moment moment = writers.moment();
    moments.addLast(moment);
    if (moments.size() > SNAPSHOTS) {
      moments.removeFirst();
    }
    reads.compareAt(moment);
    say("killed %s%s; %s", victims, altered ? " after an alteration" : "", reads.summary());
  }

  /** Drops or creates an index, or adds or drops a column. */
  private void alter() throws KuduException {
    GlobalIndexReads.Index index =
        GlobalIndexReads.INDEXES.get(random.nextInt(GlobalIndexReads.INDEXES.size()));
    switch (random.nextInt(3)) {
      case 0 -> {
        if (reads.exists(index)) {
          change(new AlterTableOptions().dropIndex(index.name()));
        }
        add(index);
      }
      case 1 ->
          change(
              new AlterTableOptions()
                  .addColumn(
                      new ColumnSchemaBuilder("column_" + columns++, Type.INT32)
                          .nullable(true)
                          .build()));
      default -> {
        if (columns > 0) {
          change(new AlterTableOptions().dropColumn("column_" + --columns));
        }
      }
    }
  }

  private void add(GlobalIndexReads.Index index) {
    try {
      change(new AlterTableOptions().addIndex(index.definition()));
    } catch (KuduException e) {
      findings.add("index %s could not be created: %s", index.name(), e);
    }
  }

  private void change(AlterTableOptions options) throws KuduException {
    client.alterTable(OrderTable.NAME, options);
  }

  private String kill() {
    List<Daemon> victims = new ArrayList<>();
    switch (random.nextInt(5)) {
      case 0 -> victims.addAll(cluster.tabletServers());
      case 1 -> victims.add(cluster.master());
      default -> victims.add(cluster.tabletServers().get(random.nextInt(3)));
    }
    victims.forEach(Daemon::kill);
    victims.forEach(Daemon::launch);
    victims.forEach(Daemon::awaitPort);
    return victims.stream().map(Daemon::name).toList().toString();
  }

  private void judge(OrderFollower follower) throws Exception {
    await("all indexes are ready")
        .atMost(OrderWriters.PATIENCE)
        .ignoreExceptions()
        .until(
            () ->
                client.openTable(OrderTable.NAME).getIndexProgress().stream()
                    .filter(index -> reads.isGlobal(index.name()))
                    .allMatch(index -> index.state() == KuduIndexProgress.State.READY));
    writers.awaitChanges(CHANGES_PER_KILL);
    OrderWriters.Moment last = writers.moment();
    moments.addLast(last);
    long before = reads.count();
    moments.forEach(reads::compareAt);
    assertThat(reads.count()).as("comparisons at the end").isGreaterThan(before);
    writers.close();
    follower.compareWith(writers.moment());
    await("all replicas are healthy and hold the same")
        .atMost(OrderWriters.PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> Ksck.verifyEqualReplicas(cluster.masters()));
    say("%s", reads.summary());
  }

  @FormatMethod
  private void say(String format, Object... arguments) {
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "global index faults: %6.1f s  %s%n", seconds, String.format(format, arguments));
  }
}
