package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.PublishedTool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tablet server dies permanently during inserts: its tablets get new replicas on other servers.
 */
class ReReplicationIT {
  private static final int WAIT_MILLIS = 120_000;

  @TempDir Path directory;

  @Test
  void tabletsOfALostServerGetThreeReplicasAndNoRowIsLost() throws Exception {
    try (LocalCluster cluster =
            new LocalCluster(
                    directory,
                    4,
                    "--follower_unavailable_considered_failed_sec=5",
                    "--raft_heartbeat_interval_ms=1500") // test machines are slow
                .start();
        KuduClient client =
            new KuduClient.KuduClientBuilder(cluster.masters())
                .defaultOperationTimeoutMs(WAIT_MILLIS)
                .defaultAdminOperationTimeoutMs(WAIT_MILLIS)
                .build()) {
      KuduTable table = create(client);
      Load load = Load.start(client, table);
      try (load) {
        await("rows are inserted")
            .atMost(Duration.ofMillis(WAIT_MILLIS))
            .failFast("the load has failed", () -> load.failed())
            .until(() -> load.written() > 1_000);
        Daemon lost = cluster.tabletServers().get(0);
        lost.kill();
        await("every tablet has three replicas on live servers")
            .atMost(Duration.ofMillis(WAIT_MILLIS))
            .until(() -> isWholeWithout(client, lost));
      }
      assertThat(count(client, table)).isEqualTo(load.written());
      PublishedTool.Result report =
          PublishedTool.find().run(120, "cluster", "rebalance", "--report_only", cluster.masters());
      assertThat(report.output()).contains("Per-server replica distribution summary");
    }
  }

  private static KuduTable create(KuduClient client) throws KuduException {
    Schema schema =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build()));
    return client.createTable(
        "loaded",
        schema,
        new CreateTableOptions().addHashPartitions(List.of("id"), 4).setNumReplicas(3));
  }

  private static boolean isWholeWithout(KuduClient client, Daemon lost) throws KuduException {
    return client.openTable("loaded").getTabletsLocations(WAIT_MILLIS).stream()
        .allMatch(
            tablet ->
                tablet.getReplicas().size() == 3
                    && tablet.getReplicas().stream()
                        .noneMatch(replica -> replica.getRpcPort() == lost.port()));
  }

  private static long count(KuduClient client, KuduTable table) throws KuduException {
    long rows = 0;
    KuduScanner scanner = client.newScannerBuilder(table).build();
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    return rows;
  }

  /** Inserts rows one at a time until it is closed; an error of one ends the test. */
  @SuppressWarnings("try") // an interrupt ends the test
  private static final class Load implements AutoCloseable {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile int written;
    private final Thread thread;

    private Load(KuduClient client, KuduTable table) {
      thread =
          new Thread(
              () -> {
                try {
                  insert(client, table);
                } catch (KuduException | AssertionError e) {
                  failure.set(e);
                }
              },
              "load");
    }

    static Load start(KuduClient client, KuduTable table) {
      Load load = new Load(client, table);
      load.thread.start();
      return load;
    }

    private void insert(KuduClient client, KuduTable table) throws KuduException {
      KuduSession session = client.newSession();
      for (int id = 0; !stopped.get(); id++) {
        var insert = table.newInsert();
        insert.getRow().addInt("id", id);
        assertThat(session.apply(insert).hasRowError()).isFalse();
        written = id + 1;
      }
      session.close();
    }

    int written() {
      return written;
    }

    boolean failed() {
      return failure.get() != null;
    }

    @Override
    public void close() throws InterruptedException {
      stopped.set(true);
      thread.join(2 * WAIT_MILLIS); // an insert may take as long as one of these
      assertThat(thread.isAlive()).as("still inserting").isFalse();
      assertThat(failure.get()).isNull();
    }
  }
}
