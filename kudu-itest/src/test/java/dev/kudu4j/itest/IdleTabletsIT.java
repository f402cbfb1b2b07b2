package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.Insert;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.SessionConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cost of 300 idle tablets of three replicas on three servers: memory, threads, and the share of a
 * processor. Also the time until they serve again when all servers start at the same time. Needs an
 * otherwise idle machine.
 */
@Tag("nightly")
class IdleTabletsIT {
  private static final int TABLES = 6;
  private static final int BUCKETS = 50;
  private static final int SETTLE_SECONDS = Integer.getInteger("idle.settle", 300);
  private static final int MEASURE_SECONDS = Integer.getInteger("idle.measure", 30);
  private static final long MEMORY_OF_ALL_MEGABYTES = 3 << 10;
  private static final double SHARE_OF_A_CORE = 0.05;
  private static final int MAX_THREADS = 300;
  private static final int BACK_SECONDS = 120;
  private static final int ROWS = 10 * BUCKETS;
  private static final double TICKS_A_SECOND = 100; // USER_HZ, the same on every Linux

  @TempDir Path directory;

  @Test
  void threeHundredIdleTabletsCostLittleAndRestart() throws Exception {
    List<String> jvm =
        List.of("-Xmx512m", "-Xss512k", "-XX:MaxDirectMemorySize=512m", "-XX:+UseSerialGC");
    try (LocalCluster cluster =
            new LocalCluster(directory, 3, jvm, "--max_create_tablets_per_ts=" + BUCKETS);
        LocalCluster started = cluster.start();
        KuduClient client = new KuduClient.KuduClientBuilder(started.masters()).build()) {
      for (int i = 0; i < TABLES; i++) {
        create(client, "table" + i);
      }
      List<Daemon> servers = started.tabletServers();
      Processors processors = new Processors(servers);
      await(
              "every server takes less than %s of a core for %d s on end"
                  .formatted(SHARE_OF_A_CORE, MEASURE_SECONDS))
          .atMost(Duration.ofSeconds(SETTLE_SECONDS))
          .until(processors::areAtRest);
      long megabytes = 0;
      for (int i = 0; i < servers.size(); i++) {
        long resident = status(servers.get(i), "VmRSS") >> 10;
        megabytes += resident;
        assertThat(status(servers.get(i), "Threads")).isLessThan(MAX_THREADS);
        System.out.printf(
            "%s: %d replicas at rest, %.1f %% of a core, %d MB, %d threads%n",
            servers.get(i).name(),
            TABLES * BUCKETS,
            100 * processors.share(i),
            resident,
            status(servers.get(i), "Threads"));
      }
      assertThat(megabytes).isLessThan(MEMORY_OF_ALL_MEGABYTES);
      restart(servers, client);
    }
  }

  /**
   * Kills and starts all servers at the same time: every group needs an election, and at first has
   * no majority.
   */
  private static void restart(List<Daemon> servers, KuduClient client) throws Exception {
    servers.forEach(Daemon::kill);
    long start = System.nanoTime();
    servers.forEach(Daemon::launch);
    servers.forEach(Daemon::awaitPort);
    for (int i = 0; i < TABLES; i++) {
      writeToAllTablets(client, "table" + i);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    System.out.printf("All tablets took writes %d s after the start of all servers%n", seconds);
    assertThat(seconds).isLessThan(BACK_SECONDS);
  }

  private static void writeToAllTablets(KuduClient client, String name) throws Exception {
    KuduTable table = client.openTable(name);
    KuduSession session = client.newSession();
    session.setTimeoutMillis(2_000L * BACK_SECONDS);
    session.setFlushMode(SessionConfiguration.FlushMode.MANUAL_FLUSH);
    for (int id = 0; id < ROWS; id++) {
      Insert insert = table.newInsert();
      insert.getRow().addInt("id", id);
      session.apply(insert);
    }
    assertThat(session.flush()).hasSize(ROWS).noneMatch(OperationResponse::hasRowError);
    session.close();
  }

  private static void create(KuduClient client, String name) throws Exception {
    Schema schema =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build()));
    client.createTable(
        name,
        schema,
        new CreateTableOptions().addHashPartitions(List.of("id"), BUCKETS).setNumReplicas(3));
  }

  /** CPU time of the servers over the last seconds, sampled repeatedly. */
  private static final class Processors {
    private record Look(long nanos, long[] ticks) {}

    private final List<Daemon> servers;
    private final Deque<Look> looks = new ArrayDeque<>(); // a second apart

    Processors(List<Daemon> servers) throws IOException {
      this.servers = servers;
      looks.add(look());
    }

    /** Takes a sample; returns whether every sample of the measured period was below the bound. */
    boolean areAtRest() throws IOException {
      long now = System.nanoTime();
      if (now - looks.getLast().nanos < TimeUnit.SECONDS.toNanos(1)) {
        return false;
      }
      looks.add(look());
      if (looks.size() <= MEASURE_SECONDS) {
        return false;
      }
      while (looks.size() > MEASURE_SECONDS + 1) {
        looks.removeFirst();
      }
      return IntStream.range(0, servers.size()).allMatch(i -> share(i) < SHARE_OF_A_CORE);
    }

    /** Share of one core, from the first kept sample to the last. */
    double share(int server) {
      Look first = looks.getFirst();
      Look last = looks.getLast();
      double seconds = (last.nanos - first.nanos) / 1e9;
      return (last.ticks[server] - first.ticks[server]) / TICKS_A_SECOND / seconds;
    }

    /** Samples the time in user and kernel mode. */
    private Look look() throws IOException {
      long[] ticks = new long[servers.size()];
      for (int i = 0; i < ticks.length; i++) {
        String stat = Files.readString(proc(servers.get(i), "stat"), StandardCharsets.UTF_8);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        ticks[i] = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
      }
      return new Look(System.nanoTime(), ticks);
    }
  }

  private static long status(Daemon server, String field) throws IOException {
    return Files.readAllLines(proc(server, "status")).stream()
        .filter(line -> line.startsWith(field + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private static Path proc(Daemon server, String file) {
    return Path.of("/proc", Long.toString(server.pid()), file);
  }
}
