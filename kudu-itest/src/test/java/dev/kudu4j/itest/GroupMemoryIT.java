package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Metrics;
import dev.kudu4j.itest.support.TestJvm;
import dev.kudu4j.server.memory.MemoryBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * 64 aggregations at a time, with far more groups than the server has memory for: the server stays
 * in its limits, and every sum is right.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class GroupMemoryIT {
  private static final int QUERIES = 64;
  private static final int TABLETS = 2;

  /** Each group has a row in the first half of the table, and one in the second half. */
  private static final int ROWS_OF_GROUP = 2;

  private static final long LIMIT_BYTES = 320L << 20;
  private static final long HEAP_BYTES = MemoryBudget.heapFor(LIMIT_BYTES);
  private static final MemoryBudget BUDGET = MemoryBudget.of(LIMIT_BYTES, HEAP_BYTES);
  private static final long GROUPS_LIMIT_BYTES = HEAP_BYTES / 4;

  /**
   * The memory that a JVM takes besides the heap, direct memory and Arrow's memory: code, stacks,
   * classes.
   */
  private static final long JVM_MARGIN_BYTES = 256L << 20;

  private static final List<String> JVM =
      Stream.concat(
              Stream.of(
                  "-Xms64m",
                  "-Xmx" + (HEAP_BYTES >> 20) + "m",
                  "-XX:MaxDirectMemorySize=128m",
                  "-Xss512k",
                  "-XX:+UseG1GC",
                  "-XX:+ExitOnOutOfMemoryError"),
              TestJvm.compilers().stream())
          .toList();

  @TempDir private Path directory;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean ended = new AtomicBoolean();
  private LocalCluster cluster;
  private KuduClient client;
  private KuduTable table;
  private int groups;

  /**
   * Totals over all partial results of one query. Each group's count and sum are multiplied by a
   * weight that depends on the group, so a value in the wrong group changes the total.
   */
  private record Totals(long rows, long weightedRows, long weightedSum, long received) {}

  /** The largest values seen. */
  private record Peaks(long tracked, long groups, long data, long scans, long resident) {}

  @AfterEach
  void stop() throws Exception {
    ended.set(true);
    threads.shutdownNow();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    if (client != null) {
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void sixtyFourAggregationsShareTheMemory() throws Exception {
    run(50_000);
  }

  @Tag("nightly")
  @Test
  void sixtyFourAggregationsOfAMillionGroupsShareTheMemory() throws Exception {
    run(1_000_000);
  }

  private void run(int groupCount) throws Exception {
    start(groupCount);
    Future<Peaks> peaks = threads.submit(this::watch);
    long start = System.nanoTime();
    List<Future<Totals>> queries = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      int kind = i % 3;
      queries.add(threads.submit(() -> totals(query(kind), kind)));
    }
    long received = 0;
    Totals expected = expected();
    for (Future<Totals> query : queries) {
      Totals totals = query.get(12, TimeUnit.MINUTES);
      assertThat(totals.rows()).isEqualTo(expected.rows());
      assertThat(totals.weightedRows()).isEqualTo(expected.weightedRows());
      assertThat(totals.weightedSum()).isEqualTo(expected.weightedSum());
      received += totals.received();
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    ended.set(true);
    Peaks highest = peaks.get(1, TimeUnit.MINUTES);
    System.out.printf(
        "%d aggregations of %,d groups in %,d ms, %,d parts of groups; limit %,d: tracked %,d,"
            + " groups %,d of %,d, data %,d of %,d, scans %,d of %,d, resident %,d%n",
        QUERIES,
        groups,
        millis,
        received,
        LIMIT_BYTES,
        highest.tracked(),
        highest.groups(),
        GROUPS_LIMIT_BYTES,
        highest.data(),
        BUDGET.dataBytes(),
        highest.scans(),
        BUDGET.scansBytes(),
        highest.resident());
    assertThat(received).as("partial groups were returned").isGreaterThan(groups * 3L / 2);
    assertThat(highest.groups())
        .as("a good part of the memory was used")
        .isGreaterThan(GROUPS_LIMIT_BYTES / 8);
    assertThat(highest.groups()).isLessThanOrEqualTo(GROUPS_LIMIT_BYTES);
    assertThat(highest.data()).isLessThanOrEqualTo(BUDGET.dataBytes());
    assertThat(highest.scans()).isLessThanOrEqualTo(BUDGET.scansBytes());
    assertThat(highest.tracked()).isLessThanOrEqualTo(LIMIT_BYTES);
    assertThat(highest.resident()).isLessThanOrEqualTo(LIMIT_BYTES + JVM_MARGIN_BYTES);
    assertOneWholeAnswer();
    assertNothingIsHeld();
  }

  /** More open aggregations than fit at all, which nobody reads on: the next one says why. */
  @Test
  void anAggregationThatFindsNoMemoryFailsWithTheReason() throws Exception {
    start(50_000);
    List<ArrowScanner> idle = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      try {
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < GROUPS_LIMIT_BYTES / (64 << 10); i++) {
                    KuduAggregate one =
                        builder(2).batchSizeBytes(1).scanRequestTimeout(5_000).build();
                    idle.add(one.openParts(allocator));
                    try (VectorSchemaRoot batch = idle.get(i).nextBatch()) {
                      assertThat(batch.getRowCount()).isPositive();
                    }
                  }
                })
            .isInstanceOf(KuduException.class)
            .hasMessageContaining("open aggregations take")
            .hasMessageContaining("of at most " + GROUPS_LIMIT_BYTES)
            .hasMessageContaining("--memory_limit_hard_bytes");
        assertThat(pool("groups")).isGreaterThanOrEqualTo(GROUPS_LIMIT_BYTES);
        assertThat(pool("root")).isLessThan(LIMIT_BYTES);
      } finally {
        for (ArrowScanner scanner : idle) {
          scanner.close();
        }
      }
    }
    assertOneWholeAnswer();
    assertNothingIsHeld();
  }

  private void start(int groupCount) throws Exception {
    groups = groupCount;
    cluster =
        new LocalCluster(directory, 1, JVM, "--memory_limit_hard_bytes=" + LIMIT_BYTES).start();
    client =
        new KuduClient.KuduClientBuilder(cluster.masters())
            .defaultOperationTimeoutMs(120_000)
            .build();
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("number", Type.INT64).build(),
                new ColumnSchemaBuilder("name", Type.STRING).build(),
                new ColumnSchemaBuilder("value", Type.INT64).build()));
    table =
        client.createTable(
            "groups",
            schema,
            new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(1));
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(10_000, 16 << 20);
    for (long id = 0; id < (long) ROWS_OF_GROUP * groups; id++) {
      Operation insert = table.newInsert();
      insert.getRow().addLong(0, id);
      insert.getRow().addLong(1, id % groups);
      insert.getRow().addString(2, name(id % groups));
      insert.getRow().addLong(3, value(id));
      session.apply(insert);
    }
    session.close();
    assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    AdminCalls.flush(cluster.tabletServer());
  }

  private static String name(long group) {
    return "the group of the rows with number " + group;
  }

  private static long value(long id) {
    return weight(id) % 1_000_000;
  }

  /** Different for each group, so that no two wrong sums cancel each other out. */
  private static long weight(long group) {
    long mixed = (group + 1) * 0x9E3779B97F4A7C15L;
    return mixed ^ mixed >>> 29;
  }

  private Totals expected() {
    long weightedRows = 0;
    long weightedSum = 0;
    long rows = (long) ROWS_OF_GROUP * groups;
    for (long id = 0; id < rows; id++) {
      weightedRows += weight(id % groups);
      weightedSum += weight(id % groups) * value(id);
    }
    return new Totals(rows, weightedRows, weightedSum, 0);
  }

  private KuduAggregateBuilder builder(int kind) {
    KuduAggregateBuilder builder =
        switch (kind) {
          case 0 -> table.aggregate().groupBy("number");
          case 1 -> table.aggregate().groupBy("name");
          default -> table.aggregate().groupBy("number", "name");
        };
    builder.count("rows").sum("sum", "value");
    return kind == 0 ? builder.max("name", "name").min("least", "value") : builder;
  }

  private KuduAggregate query(int kind) {
    return builder(kind).scanRequestTimeout(300_000).build();
  }

  private static Totals totals(KuduAggregate aggregate, int kind) throws KuduException {
    Totals all = new Totals(0, 0, 0, 0);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowScanner scanner = aggregate.openParts(allocator)) {
      while (scanner.hasMoreBatches()) {
        try (VectorSchemaRoot batch = scanner.nextBatch()) {
          all = plus(all, batch, kind);
        }
      }
    }
    return all;
  }

  /** Parts have the columns of {@link #builder} in its order. */
  private static Totals plus(Totals before, VectorSchemaRoot batch, int kind) {
    int groupColumns = kind == 2 ? 2 : 1;
    BigIntVector numbers = kind == 1 ? null : (BigIntVector) batch.getVector(0);
    VarCharVector names = (VarCharVector) batch.getVector(kind == 0 ? 3 : groupColumns - 1);
    BigIntVector counts = (BigIntVector) batch.getVector(groupColumns);
    DecimalVector sums = (DecimalVector) batch.getVector(groupColumns + 1);
    long rows = before.rows();
    long weightedRows = before.weightedRows();
    long weightedSum = before.weightedSum();
    for (int row = 0; row < batch.getRowCount(); row++) {
      String name = new String(names.get(row), StandardCharsets.UTF_8);
      long group = Long.parseLong(name.substring(name.lastIndexOf(' ') + 1));
      if (numbers != null && numbers.get(row) != group) {
        throw new AssertionError("Number " + numbers.get(row) + " is in the group " + name);
      }
      rows += counts.get(row);
      weightedRows += weight(group) * counts.get(row);
      weightedSum += weight(group) * sums.getObject(row).longValueExact();
    }
    return new Totals(rows, weightedRows, weightedSum, before.received() + batch.getRowCount());
  }

  /** Samples the memory of the server until the end. */
  private Peaks watch() throws Exception {
    Peaks highest = new Peaks(0, 0, 0, 0, 0);
    while (!ended.get()) {
      Metrics metrics = Metrics.of(cluster.tabletServer());
      highest =
          new Peaks(
              Math.max(highest.tracked(), pool(metrics, "root")),
              Math.max(highest.groups(), pool(metrics, "groups")),
              Math.max(highest.data(), pool(metrics, "data")),
              Math.max(highest.scans(), pool(metrics, "data/scans")),
              maxResident(cluster.tabletServer()));
    }
    return highest;
  }

  private long pool(String name) throws IOException {
    return pool(Metrics.of(cluster.tabletServer()), name);
  }

  private static long pool(Metrics metrics, String name) {
    return (long) metrics.sum("kudu_memory_used_bytes", "pool=\"" + name + "\"");
  }

  /** The largest resident size that the process has had. */
  private static long maxResident(Daemon daemon) throws IOException {
    Path status = Path.of("/proc", Long.toString(daemon.pid()), "status");
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findAny()
        .orElseThrow();
  }

  /** The client merges the parts of the groups. */
  private void assertOneWholeAnswer() throws KuduException {
    long seen = 0;
    for (RowResult row : query(1).execute()) {
      String name = row.getString("name");
      long group = Long.parseLong(name.substring(name.lastIndexOf(' ') + 1));
      if (row.getLong("rows") != ROWS_OF_GROUP
          || row.getLong("sum") != value(group) + value(group + groups)) {
        throw new AssertionError(row.rowToString());
      }
      seen++;
    }
    assertThat(seen).isEqualTo(groups);
  }

  private void assertNothingIsHeld() {
    await("the groups of all scans are released")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(pool("groups")).isZero());
    assertThat(cluster.tabletServer().starts()).isEqualTo(1);
    assertThat(cluster.tabletServer().output()).doesNotContain("OutOfMemory", "OutOfDirectMemory");
  }
}
