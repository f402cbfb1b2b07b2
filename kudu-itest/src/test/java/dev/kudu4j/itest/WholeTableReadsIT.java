package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Delete;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.common.proto.tserver.QuiesceTabletServerRequestPB;
import dev.kudu4j.common.proto.tserver.QuiesceTabletServerResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.PublishedCluster;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads of whole tables, in key order and by several concurrent scanners, from our servers and from
 * Apache Kudu's.
 */
@Timeout(300)
class WholeTableReadsIT {
  private static final int ROWS = 1_500;
  private static final int BATCH_BYTES = 3_000;
  private static final List<String> HOSTS = List.of("", "a", "a\0", "b", "mm", "n", "zebra", "é");

  @TempDir private Path directory;

  /** A key of the tables. Keys are ordered by their encoded bytes: hosts as UTF-8, then times. */
  private record Key(String host, long time) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::host).thenComparing(Key::time); // these hosts: as their bytes

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  @Test
  void wholeTablesAreReadFromOurServers() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServers(3).replicationFactor(1).start()) {
      verify(cluster.masterAddresses());
      verifyNothingStaysOpen(cluster);
      verifyLossOfAServer(cluster);
    }
  }

  @Test
  void wholeTablesAreReadFromPublishedServers() throws Exception {
    try (PublishedCluster cluster = new PublishedCluster(directory).start()) {
      verify(cluster.masters());
    }
  }

  private static void verify(String masters) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(masters).build()) {
      new Case(client, "ranges_follow_keys", "m").verify();
      new Case(client, "ranges_lie_across", 500L).verify();
      new Case(client, "no_ranges", null).verify();
    }
  }

  /** A table with random rows, and the expected content. */
  private static final class Case {
    private final Random random = new Random(7);
    private final KuduClient client;
    private final KuduTable table;
    private final TreeMap<Key, Long> model = new TreeMap<>();

    /**
     * @param border of two ranges, of hosts or times; null for no ranges
     */
    Case(KuduClient client, String name, Object border) throws Exception {
      this.client = client;
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("host", Type.STRING).key(true).build(),
                  new ColumnSchemaBuilder("time", Type.INT64).key(true).build(),
                  new ColumnSchemaBuilder("value", Type.INT64).nullable(true).build(),
                  new ColumnSchemaBuilder("text", Type.STRING).build()));
      CreateTableOptions options =
          new CreateTableOptions()
              .setNumReplicas(1)
              .addHashPartitions(List.of(border instanceof String ? "host" : "time"), 3);
      if (border != null) {
        String column = border instanceof String ? "host" : "time";
        PartialRow split = schema.newPartialRow();
        split.addObject(column, border);
        options
            .setRangePartitionColumns(List.of(column))
            .addRangePartition(schema.newPartialRow(), split)
            .addRangePartition(split, schema.newPartialRow());
      }
      this.table = client.createTable(name, schema, options);
    }

    void verify() throws Exception {
      long before = insert();
      assertThat(read(scan())).isEqualTo(new ArrayList<>(model.keySet()));
      assertThat(read(scan().limit(700))).isEqualTo(model.keySet().stream().limit(700).toList());
      verifyPredicates();
      verifyHiddenKey();
      verifyParallel();
      verifyDifferences(before);
    }

    private KuduScanner.KuduScannerBuilder scan() {
      return client.newScannerBuilder(table).inKeyOrder(true).batchSizeBytes(BATCH_BYTES);
    }

    /**
     * @return a time at which all rows existed
     */
    private long insert() throws KuduException {
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      while (model.size() < ROWS) {
        Key key = new Key(HOSTS.get(random.nextInt(HOSTS.size())), random.nextInt(1_000));
        long value = random.nextInt(100);
        if (model.putIfAbsent(key, value) == null) {
          Insert insert = table.newInsert();
          set(insert.getRow(), key);
          insert.getRow().addLong("value", value);
          insert.getRow().addString("text", "row " + key.time());
          session.apply(insert);
        }
      }
      session.close();
      assertThat(session.countPendingErrors()).isZero();
      return client.getLastPropagatedTimestamp() + 1;
    }

    private static void set(PartialRow row, Key key) {
      row.addString("host", key.host());
      row.addLong("time", key.time());
    }

    private static List<Key> read(KuduScanner.KuduScannerBuilder scan) {
      List<Key> keys = new ArrayList<>();
      for (RowResult row : scan.build()) {
        Key key = new Key(row.getString("host"), row.getLong("time"));
        assertThat(row.getString("text")).isEqualTo("row " + key.time());
        keys.add(key);
      }
      return keys;
    }

    private void verifyPredicates() {
      PartialRow from = table.getSchema().newPartialRow();
      set(from, new Key("a", 300));
      assertThat(
              read(
                  scan()
                      .lowerBound(from)
                      .addPredicate(
                          KuduPredicate.newComparisonPredicate(
                              table.getSchema().getColumn("value"), ComparisonOp.LESS, 40L))))
          .isEqualTo(
              model.tailMap(new Key("a", 300)).entrySet().stream()
                  .filter(row -> row.getValue() < 40)
                  .map(row -> row.getKey())
                  .toList());
    }

    private void verifyHiddenKey() {
      List<Long> values = new ArrayList<>();
      for (RowResult row : scan().setProjectedColumnNames(List.of("value")).build()) {
        assertThat(row.getSchema().getColumnCount()).isEqualTo(1);
        values.add(row.getLong(0));
      }
      assertThat(values).isEqualTo(new ArrayList<>(model.values()));
    }

    private void verifyParallel() throws Exception {
      ConcurrentSkipListSet<Key> found = new ConcurrentSkipListSet<>();
      client
          .newScanTokenBuilder(table)
          .batchSizeBytes(BATCH_BYTES)
          .setSplitSizeBytes(10_000)
          .setProjectedColumnNames(List.of("time", "host"))
          .parallel()
          .forEachBatch(
              rows ->
                  rows.forEachRemaining(
                      row ->
                          assertThat(found.add(new Key(row.getString(1), row.getLong(0))))
                              .isTrue()),
              ForkJoinPool.commonPool())
          .get();
      assertThat(found).isEqualTo(model.keySet());
      long[] sum = new long[1];
      try (BufferAllocator allocator = new RootAllocator()) {
        client
            .newScanTokenBuilder(table)
            .setProjectedColumnNames(List.of("value"))
            .parallelArrow(allocator)
            .forEachBatch(
                batch -> {
                  try (batch) {
                    BigIntVector values = (BigIntVector) batch.getVector(0);
                    for (int i = 0; i < batch.getRowCount(); i++) {
                      sum[0] += values.get(i);
                    }
                  }
                });
      }
      assertThat(sum[0]).isEqualTo(model.values().stream().mapToLong(Long::longValue).sum());
    }

    /**
     * Deletes every fifth row: a diff scan also returns changes in key order, with the key not
     * projected.
     */
    private void verifyDifferences(long before) throws KuduException {
      List<Key> deleted = new ArrayList<>();
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      int index = 0;
      for (Key key : model.keySet()) {
        if (index++ % 5 == 0) {
          deleted.add(key);
          Delete delete = table.newDelete();
          set(delete.getRow(), key);
          session.apply(delete);
        }
      }
      session.close();
      assertThat(session.countPendingErrors()).isZero();
      long after = client.getLastPropagatedTimestamp() + 1;
      List<Long> times = new ArrayList<>();
      for (RowResult row :
          scan().diffScan(before, after).setProjectedColumnNames(List.of("time")).build()) {
        assertThat(row.isDeleted()).isTrue();
        times.add(row.getLong("time"));
      }
      assertThat(times).isEqualTo(deleted.stream().map(Key::time).toList());
    }
  }

  /** A scan that is not read to its end is closed on the servers. */
  private static void verifyNothingStaysOpen(EmbeddedCluster cluster) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      KuduTable table = client.openTable("no_ranges");
      KuduScanner scanner =
          client.newScannerBuilder(table).inKeyOrder(true).batchSizeBytes(BATCH_BYTES).build();
      scanner.nextRows();
      assertThat(openScanners(cluster)).isPositive();
      scanner.close();
      await("the scanner is closed")
          .atMost(Duration.ofMinutes(1))
          .until(() -> openScanners(cluster) == 0);
      CompletableFuture<Void> all =
          client
              .newScanTokenBuilder(table)
              .batchSizeBytes(BATCH_BYTES)
              .parallel()
              .batches(2)
              .forEachBatch(rows -> {}, task -> {}); // no consumer
      await("tablets are being read")
          .atMost(Duration.ofMinutes(1))
          .until(() -> openScanners(cluster) > 0);
      all.cancel(false);
      await("nothing is read any more")
          .atMost(Duration.ofMinutes(1))
          .until(() -> openScanners(cluster) == 0);
    }
  }

  private static int openScanners(EmbeddedCluster cluster) throws Exception {
    int open = 0;
    try (RpcClient rpc = new RpcClient(RpcClientOptions.defaults())) {
      for (int i = 0; i < cluster.tabletServerCount(); i++) {
        var address = cluster.tabletServerAddress(i);
        try (var answer =
            rpc.call(
                    new InetSocketAddress(address.host(), address.port()),
                    "kudu.tserver.TabletServerAdminService",
                    "Quiesce",
                    QuiesceTabletServerRequestPB.newBuilder().setReturnStats(true).build(),
                    QuiesceTabletServerResponsePB.parser(),
                    RpcCallOptions.timeoutMillis(60_000))
                .get()) {
          open += answer.message().getNumActiveScanners();
        }
      }
    }
    return open;
  }

  /**
   * An ordered scan of a table with three replicas continues after a server with some leaders
   * stops.
   */
  private static void verifyLossOfAServer(EmbeddedCluster cluster) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("k", Type.INT32).key(true).build(),
                  new ColumnSchemaBuilder("text", Type.STRING).build()));
      KuduTable table =
          client.createTable(
              "replicated",
              schema,
              new CreateTableOptions().addHashPartitions(List.of("k"), 4).setNumReplicas(3));
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      for (int k = 0; k < ROWS; k++) {
        Insert insert = table.newInsert();
        insert.getRow().addInt("k", k);
        insert.getRow().addString("text", "some text of row " + k);
        session.apply(insert);
      }
      session.close();
      KuduScanner scanner =
          client.newScannerBuilder(table).inKeyOrder(true).batchSizeBytes(BATCH_BYTES).build();
      int next = 0;
      for (RowResult row : scanner) {
        assertThat(row.getInt("k")).isEqualTo(next++);
        if (next == 200) {
          cluster.stopTabletServer(leaderOf("replicated", cluster));
        }
      }
      assertThat(next).isEqualTo(ROWS);
    }
  }

  /** The server that leads the first tablet. */
  private static int leaderOf(String table, EmbeddedCluster cluster) {
    int port =
        await("the leader is known")
            .atMost(Duration.ofMinutes(1))
            .until(() -> toldLeader(table, cluster), Objects::nonNull)
            .getRpcPort();
    return IntStream.range(0, cluster.tabletServerCount())
        .filter(i -> cluster.tabletServerAddress(i).port() == port)
        .findFirst()
        .orElseThrow();
  }

  /** The leader according to the master: a client with an empty cache asks it. */
  private static LocatedTablet.Replica toldLeader(String table, EmbeddedCluster cluster)
      throws KuduException {
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      return client.openTable(table).getTabletsLocations(60_000).get(0).getLeaderReplica();
    }
  }
}
