package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowErrorsAndOverflowStatus;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.PublishedTool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three tablet server processes and tables of three replicas, for cases that kill servers.
 *
 * <p>The values of row k of a table are computed from k, so that a row can be checked without a
 * record of the writes.
 */
@SuppressWarnings("deprecation") // getTabletsLocations, in the published client
abstract class FaultCase {
  private static final int CALL_MILLIS = 120_000;
  private static final Duration CATCH_UP = Duration.ofMinutes(4);

  @TempDir Path directory;
  LocalCluster cluster;
  KuduClient client;
  String tableName;

  @BeforeEach
  void start(TestInfo test) {
    cluster = new LocalCluster(directory, 3, "--time_source=system_unsync");
    cluster.start();
    client = newClient();
    tableName = test.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void stop() throws KuduException {
    try {
      if (client != null) {
        client.close();
      }
    } finally {
      cluster.close();
    }
  }

  /** A client whose timeouts are longer than a slow machine takes to restart servers. */
  private KuduClient newClient() {
    return new KuduClient.KuduClientBuilder(cluster.masters())
        .defaultAdminOperationTimeoutMs(CALL_MILLIS)
        .defaultOperationTimeoutMs(CALL_MILLIS)
        .build();
  }

  KuduTable create(String name, int tabletCount) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("k", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("v", Type.INT64).build(),
                new ColumnSchemaBuilder("s", Type.STRING).nullable(true).build()));
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(3);
    if (tabletCount == 1) {
      options.setRangePartitionColumns(List.of());
    } else {
      options.addHashPartitions(List.of("k"), tabletCount);
    }
    return client.createTable(name, schema, options);
  }

  // Rows

  static Operation insertOf(KuduTable table, long k) {
    Operation insert = table.newInsert();
    PartialRow row = insert.getRow();
    row.addLong("k", k);
    row.addLong("v", valueOf(k));
    if (k % 10 == 0) {
      row.setNull("s");
    } else {
      row.addString("s", textOf(k));
    }
    return insert;
  }

  private static long valueOf(long k) {
    return k * 0x9E3779B97F4A7C15L;
  }

  private static String textOf(long k) {
    return "row " + k;
  }

  /**
   * Checks that the table contains the rows with keys from 0 to {@code count - 1}, once each and
   * with their values, and no other rows.
   */
  void holdsExactly(KuduTable table, int count) throws KuduException {
    BitSet seen = new BitSet(count);
    KuduScanner scanner = client.newScannerBuilder(table).build();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        long k = row.getLong(0);
        if (k < 0 || k >= count || seen.get((int) k)) {
          throw new AssertionError("Row " + k + " is there twice, or nobody wrote it");
        }
        boolean right =
            row.getLong(1) == valueOf(k)
                && (k % 10 == 0 ? row.isNull(2) : textOf(k).equals(row.getString(2)));
        if (!right) {
          throw new AssertionError("Row " + k + " holds " + row.rowToString());
        }
        seen.set((int) k);
      }
    }
    assertThat(seen.nextClearBit(0)).as("first row that is missing").isEqualTo(count);
  }

  static void noErrors(KuduSession session) {
    RowErrorsAndOverflowStatus errors = session.getPendingErrors();
    assertThat(errors.getRowErrors()).as("errors at the caller").isEmpty();
    assertThat(errors.isOverflowed()).isFalse();
  }

  /** Sends the rows from {@code from} to {@code to} in the background; none may fail. */
  void load(KuduTable table, int from, int to) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int k = from; k < to; k++) {
      session.apply(insertOf(table, k));
    }
    session.flush();
    noErrors(session);
    session.close();
  }

  // Servers

  /** The server that leads the table's first tablet. */
  Daemon leaderOf(KuduTable table) {
    int port =
        await("the leader of " + table.getName() + " is known")
            .atMost(Duration.ofMinutes(1))
            .until(() -> toldLeader(table.getName()), Objects::nonNull)
            .getRpcPort();
    return cluster.tabletServers().stream()
        .filter(server -> server.port() == port)
        .findFirst()
        .orElseThrow();
  }

  /** What the master reports: a client without cached locations asks it. */
  private LocatedTablet.Replica toldLeader(String table) throws Exception {
    try (KuduClient asking = newClient()) {
      return asking.openTable(table).getTabletsLocations(CALL_MILLIS).get(0).getLeaderReplica();
    }
  }

  /** Waits until the published tool reports that all replicas run and have the same content. */
  void awaitAgreement() {
    PublishedTool tool = PublishedTool.find();
    await("all replicas are healthy and hold the same")
        .atMost(CATCH_UP)
        .untilAsserted(
            () -> {
              PublishedTool.Result check =
                  tool.run(
                      120,
                      "cluster",
                      "ksck",
                      cluster.masters(),
                      "--checksum_scan",
                      "--tables=" + tableName);
              assertThat(check.exitCode()).as("%s", check.output()).isZero();
              assertThat(check.output()).contains(tableName);
            });
  }
}
