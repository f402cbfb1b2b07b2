package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.TestJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.Insert;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.SessionConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tablet server with many tablets of one replica each is killed, and restarts with all of them.
 */
class ManyTabletsIT {
  private static final int BUCKETS = 50;
  private static final int ROWS_A_TABLET = 20;
  private static final int READY_MILLIS = 60_000;
  private static final int PATIENCE_MILLIS = 300_000;

  @TempDir Path directory;
  private LocalCluster cluster;
  private KuduClient client;

  @Test
  void tabletsServeAgainAfterAKill() throws Exception {
    comeBack(1);
  }

  @Tag("nightly")
  @Test
  void thousandTabletsServeWithinAMinuteAfterAKill() throws Exception {
    assertThat(comeBack(20)).isLessThan(READY_MILLIS);
  }

  /** Time from the start of the server until every tablet answers with all of its rows. */
  private long comeBack(int tables) throws Exception {
    List<String> jvm =
        Stream.concat(
                Stream.of(
                    "-Xmx768m", "-Xss512k", "-XX:MaxDirectMemorySize=768m", "-XX:+UseSerialGC"),
                TestJvm.compilers().stream())
            .toList();
    cluster = new LocalCluster(directory, 1, jvm, "--max_create_tablets_per_ts=" + BUCKETS);
    try (LocalCluster started = cluster.start()) {
      client = new KuduClient.KuduClientBuilder(started.masters()).build();
      List<KuduTable> all = new ArrayList<>();
      for (int i = 0; i < tables; i++) {
        all.add(create("table" + i));
        insert(all.get(i), 0);
      }
      AdminCalls.flush(started.tabletServer());
      for (KuduTable table : all) {
        insert(table, 1); // is replayed; earlier rows are not
      }
      started.tabletServer().kill();
      long start = System.nanoTime();
      started.tabletServer().launch();
      started.tabletServer().awaitPort();
      await("all tablets answer with all rows")
          .atMost(Duration.ofMillis(PATIENCE_MILLIS))
          .until(() -> all.stream().allMatch(table -> rows(table) == 2 * BUCKETS * ROWS_A_TABLET));
      long millis = (System.nanoTime() - start) / 1_000_000;
      System.out.printf("%d tablets were ready %d ms after the start%n", tables * BUCKETS, millis);
      client.close();
      return millis;
    }
  }

  private KuduTable create(String name) throws KuduException {
    Schema schema =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build()));
    return client.createTable(
        name,
        schema,
        new CreateTableOptions().addHashPartitions(List.of("id"), BUCKETS).setNumReplicas(1));
  }

  private void insert(KuduTable table, int part) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int i = 0; i < BUCKETS * ROWS_A_TABLET; i++) {
      Insert insert = table.newInsert();
      insert.getRow().addInt("id", part * BUCKETS * ROWS_A_TABLET + i);
      session.apply(insert);
    }
    session.close();
    assertThat(session.countPendingErrors()).isZero();
  }

  private int rows(KuduTable table) {
    try {
      int count = 0;
      KuduScanner scanner =
          client.newScannerBuilder(table).setProjectedColumnNames(List.of()).build();
      while (scanner.hasMoreRows()) {
        count += scanner.nextRows().getNumRows();
      }
      return count;
    } catch (KuduException notYet) {
      return -1;
    }
  }
}
