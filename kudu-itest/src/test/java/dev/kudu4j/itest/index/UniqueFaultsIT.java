package dev.kudu4j.itest.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.Ksck;
import dev.kudu4j.itest.support.LocalCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kudu.ColumnSchema.ColumnSchemaBuilder;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.SessionConfiguration.FlushMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Published clients race for values of a unique index while servers are killed: each value goes to
 * exactly one row, whose writer is told so, and replicas have equal rows. Some rows are deleted,
 * and other writers get their values. The index is created on a table that is being written.
 *
 * <p>{@code ./dev it UniqueFaultsIT -Dunique.kills=30 -Dunique.seed=7}
 */
class UniqueFaultsIT {
  private static final int KILLS = Integer.getInteger("unique.kills", 2);
  private static final long SEED = Long.getLong("unique.seed", System.nanoTime() % 1_000_000);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int CALL_MILLIS = 120_000; // longer than a killed server needs to come back
  private static final int WRITERS = 4;
  private static final int VALUES_AT_ONCE = 50;
  private static final int VALUES_PER_KILL = 500;
  private static final int VALUES_TO_PASS_ON = 5;
  private static final String TABLE = "races";
  private static final String INDEX = "kudu4j.index.by_value";

  private final Random random = new Random(SEED);
  private final Map<Integer, Integer> owners = new ConcurrentHashMap<>();
  private final Queue<Integer> freed = new ConcurrentLinkedQueue<>();
  private final List<String> findings = new ArrayList<>();
  private final AtomicLong tried = new AtomicLong();
  private volatile boolean enforced;
  private volatile boolean ended;

  private KuduClient client;
  private KuduTable table;

  /** How the index is enforced. */
  enum Kind {
    /** By the only tablet. */
    LOCAL("UNIQUE (value)", new CreateTableOptions().setRangePartitionColumns(List.of())),
    /** By claims, of the rows of several tablets. */
    GLOBAL(
        "UNIQUE GLOBAL (value)",
        new CreateTableOptions().addHashPartitions(List.of("writer", "number"), 3));

    private final String definition;
    private final CreateTableOptions options;

    Kind(String definition, CreateTableOptions options) {
      this.definition = definition;
      this.options = options;
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachValueHasOneRowWhateverIsKilled(Kind kind) throws Exception {
    Path directory =
        Path.of("target", "unique-faults", kind.name() + "-seed-" + SEED).toAbsolutePath();
    Files.createDirectories(directory);
    System.out.printf("unique faults: -Dunique.seed=%d, logs in %s%n", SEED, directory);
    LocalCluster configured =
        new LocalCluster(
            directory,
            3,
            LocalCluster.SMALL_JVM,
            "--time_source=system_unsync",
            "--flush_threshold_secs=3",
            "--maintenance_manager_polling_interval_ms=50");
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (LocalCluster cluster = configured.start();
        KuduClient opened =
            new KuduClient.KuduClientBuilder(cluster.masters())
                .defaultAdminOperationTimeoutMs(CALL_MILLIS)
                .defaultOperationTimeoutMs(CALL_MILLIS)
                .build()) {
      client = opened;
      create(kind.options);
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        Callable<Void> race = () -> race(writer);
        writers.add(threads.submit(race));
      }
      awaitTried(2_000, writers);
      client.alterTable(
          TABLE, new AlterTableOptions().alterExtraConfigs(Map.of(INDEX, kind.definition)));
      awaitReady(cluster.masters());
      for (int kill = 0; kill < KILLS; kill++) {
        awaitTried(random.nextInt(VALUES_PER_KILL), writers);
        restart(cluster);
        awaitTried(VALUES_PER_KILL, writers);
      }
      ended = true;
      for (Future<?> writer : writers) {
        writer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      }
      verifyRows();
      if (kind == Kind.GLOBAL) {
        verifyClaims(cluster.masters());
      }
      await("all replicas are healthy and hold the same")
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(() -> Ksck.verifyEqualReplicas(cluster.masters()));
    } finally {
      ended = true;
      threads.shutdownNow();
    }
  }

  private void create(CreateTableOptions options) throws Exception {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("writer", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("number", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("value", Type.INT32).build()));
    table = client.createTable(TABLE, schema, options.setNumReplicas(3));
  }

  private void awaitTried(int more, List<Future<?>> writers) {
    long enough = tried.get() + more;
    await("rows are written")
        .atMost(PATIENCE)
        .until(() -> tried.get() >= enough || writers.stream().anyMatch(Future::isDone));
    assertThat(findings).as("seed %d", SEED).isEmpty();
  }

  /** Until then, all writers have values of their own, so that the index can be created. */
  private void awaitReady(String masters) throws Exception {
    try (OurView ours = new OurView(masters)) {
      await("the index is ready")
          .atMost(PATIENCE)
          .until(() -> ours.states(TABLE), states -> states.equals(List.of("READY")));
    }
    enforced = true;
  }

  private Operation row(int writer, int number, int value) {
    Operation insert = table.newInsert();
    insert.getRow().addInt("writer", writer);
    insert.getRow().addInt("number", number);
    insert.getRow().addInt("value", value);
    return insert;
  }

  /** Writes value after value, which all writers try once the index is enforced. */
  private Void race(int writer) throws Exception {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setTimeoutMillis(CALL_MILLIS);
    int shared = 1 << 24;
    int number = 0;
    while (!ended) {
      List<Integer> values = new ArrayList<>();
      boolean together = enforced;
      for (int i = 0; i < VALUES_AT_ONCE; i++, number++) {
        int value = together ? shared++ : writer << 20 | number;
        values.add(value);
        session.apply(row(writer, number, value));
      }
      List<OperationResponse> responses = session.flush();
      for (int i = 0; i < VALUES_AT_ONCE; i++) {
        note(writer, values.get(i), responses.get(i));
      }
      if (together) {
        number = takeFreed(session, writer, number);
        number = free(session, writer, number);
      }
      tried.addAndGet(VALUES_AT_ONCE);
    }
    session.close();
    return null;
  }

  /** Writes values of rows that others have deleted: nobody else tries to, so they are free. */
  private int takeFreed(KuduSession session, int writer, int firstNumber) throws Exception {
    List<Integer> values = new ArrayList<>();
    Integer value = freed.poll();
    while (value != null) {
      session.apply(row(writer, firstNumber + values.size(), value));
      values.add(value);
      value = values.size() < VALUES_TO_PASS_ON ? freed.poll() : null;
    }
    List<OperationResponse> responses = session.flush();
    checkAllDone("freed value", responses);
    for (int i = 0; i < values.size(); i++) {
      note(writer, values.get(i), responses.get(i));
    }
    return firstNumber + values.size();
  }

  /** Writes rows with values that nobody else tries, deletes them, and passes the values on. */
  private int free(KuduSession session, int writer, int firstNumber) throws Exception {
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < VALUES_TO_PASS_ON; i++) {
      int number = firstNumber + i;
      values.add(-(writer << 20 | number));
      session.apply(row(writer, number, values.get(i)));
    }
    checkAllDone("insertion", session.flush());
    for (int i = 0; i < VALUES_TO_PASS_ON; i++) {
      Operation delete = table.newDelete();
      delete.getRow().addInt("writer", writer);
      delete.getRow().addInt("number", firstNumber + i);
      session.apply(delete);
    }
    checkAllDone("deletion", session.flush());
    freed.addAll(values);
    return firstNumber + VALUES_TO_PASS_ON;
  }

  private void checkAllDone(String what, List<OperationResponse> responses) {
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        find(what + ": " + response.getRowError());
      }
    }
  }

  private void note(int writer, int value, OperationResponse response) {
    if (!response.hasRowError()) {
      Integer other = owners.putIfAbsent(value, writer);
      if (other != null) {
        find("value " + value + " was given to writers " + other + " and " + writer);
      }
    } else if (!response.getRowError().getErrorStatus().isAlreadyPresent()
        || !response.getRowError().toString().contains("unique index by_value")) {
      find("value " + value + ": " + response.getRowError());
    }
  }

  private void find(String text) {
    synchronized (findings) {
      findings.add(text);
    }
  }

  private void restart(LocalCluster cluster) {
    List<Daemon> servers = cluster.tabletServers();
    List<Daemon> victims =
        random.nextInt(3) == 0 ? servers : List.of(servers.get(random.nextInt(servers.size())));
    victims.forEach(Daemon::kill);
    victims.forEach(Daemon::launch);
    victims.forEach(Daemon::awaitPort);
  }

  /** The value of each row is claimed for it. */
  private static void verifyClaims(String masters) throws Exception {
    try (OurView ours = new OurView(masters)) {
      assertThat(ours.differences(TABLE, "by_value")).as("seed %d", SEED).isEmpty();
    }
  }

  private void verifyRows() throws Exception {
    Map<Integer, Integer> found = new ConcurrentHashMap<>();
    KuduScanner scanner = client.newScannerBuilder(table).build();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        Integer other = found.put(row.getInt("value"), row.getInt("writer"));
        assertThat(other).as("seed %d, value %d", SEED, row.getInt("value")).isNull();
      }
    }
    assertThat(findings).as("seed %d", SEED).isEmpty();
    assertThat(found).as("seed %d", SEED).isEqualTo(owners);
    assertThat(owners.keySet()).as("values that all writers tried").anyMatch(v -> v >= 1 << 24);
  }
}
