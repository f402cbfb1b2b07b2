package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduCompaction;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexProgress;
import dev.kudu4j.client.KuduIndexVerification;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.ReplicaVerification;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Progress, verification and rebuilding of the indexes of all replicas of a table. */
@Timeout(240)
class IndexVerificationTest {
  private static final int ROWS = 6000;
  private static final int SERVERS = 3;
  private static final int TABLETS = 2;

  private EmbeddedCluster cluster;
  private KuduClient client;
  private KuduTable table;

  @BeforeEach
  void start() throws KuduException {
    cluster = EmbeddedCluster.builder().tabletServers(SERVERS).start();
    client = cluster.client();
    table = create();
    KuduCompaction compaction = table.compact();
    await("all replicas are flushed").until(compaction::poll);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private KuduTable create() throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("customer", Type.STRING).build(),
                new ColumnSchemaBuilder("price", Type.INT32).build()));
    KuduTable created =
        client.createTable(
            "orders",
            schema,
            new CreateTableOptions()
                .addHashPartitions(List.of("id"), TABLETS)
                .setNumReplicas(SERVERS));
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long id = 0; id < ROWS; id++) {
      Operation insert = created.newInsert();
      insert.getRow().addLong("id", id);
      insert.getRow().addString("customer", "customer " + id % 71);
      insert.getRow().addInt("price", (int) (id % 100));
      session.apply(insert);
    }
    session.close();
    assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    return created;
  }

  private void alter(AlterTableOptions options) throws KuduException {
    client.alterTable("orders", options);
  }

  private KuduIndexProgress progress(String index) throws KuduException {
    return table.getIndexProgress().stream()
        .filter(one -> one.name().equals(index))
        .findFirst()
        .orElseThrow();
  }

  private void awaitReady(String index) {
    await("index " + index + " is ready")
        .until(() -> progress(index).state() == KuduIndexProgress.State.READY);
  }

  private static List<ReplicaVerification> verified(KuduIndexVerification verification) {
    await("all replicas are verified").until(verification::poll);
    assertThat(verification.replicas())
        .hasSize(SERVERS * TABLETS)
        .allSatisfy(replica -> assertThat(replica.failure()).isEmpty());
    return verification.replicas();
  }

  private static long entries(List<ReplicaVerification> replicas) {
    return replicas.stream().mapToLong(ReplicaVerification::comparedEntries).sum();
  }

  @Test
  void indexesAreDescribedAndVerified() throws KuduException {
    assertThat(table.getIndexProgress()).isEmpty();
    alter(
        new AlterTableOptions()
            .addIndex(KuduIndex.local("by_customer", "customer").including("price"))
            .addIndex(KuduIndex.local("by_price", "price")));
    awaitReady("by_customer");
    awaitReady("by_price");
    KuduIndexProgress ready = progress("by_customer");
    assertThat(ready.tablets())
        .hasSize(TABLETS)
        .allSatisfy(
            tablet -> {
              assertThat(tablet.builtReplicas()).isEqualTo(SERVERS);
              assertThat(tablet.builtRowSets()).isEqualTo(tablet.rowSets()).isPositive();
            });
    assertThat(ready.tablets().stream().mapToLong(KuduIndexProgress.Tablet::builtRows).sum())
        .isEqualTo(SERVERS * ROWS);

    List<ReplicaVerification> all = verified(table.verifyIndexes());
    assertThat(all).allMatch(ReplicaVerification::isSound);
    assertThat(entries(all)).isEqualTo(2L * SERVERS * ROWS);
    assertThat(entries(verified(table.verifyIndexes("by_price")))).isEqualTo((long) SERVERS * ROWS);
  }

  @Test
  void unknownIndexesAreRefused() throws KuduException {
    KuduIndexVerification verification = table.verifyIndexes("none");
    assertThat(verification.poll()).isTrue();
    assertThat(verification.replicas())
        .allSatisfy(
            replica -> assertThat(replica.failure().orElseThrow()).contains("has no index none"));
    assertThatThrownBy(() -> alter(new AlterTableOptions().rebuildIndex("none")))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("The table has no index none");
  }

  @Test
  void aDamagedFileIsFoundAndReplacedByARebuild() throws Exception {
    alter(new AlterTableOptions().addIndex(KuduIndex.local("by_customer", "customer")));
    awaitReady("by_customer");
    Path damaged = damage();
    List<ReplicaVerification> found = verified(table.verifyIndexes());
    List<ReplicaVerification> unsound =
        found.stream().filter(replica -> !replica.isSound()).toList();
    assertThat(unsound).as("only the replica with the damaged file").hasSize(1);
    assertThat(damaged.toString()).contains(unsound.get(0).tabletId());
    assertThat(unsound.get(0).differences().get(0).index()).isEqualTo("by_customer");
    assertThat(unsound.get(0).differences().get(0).text())
        .contains(damaged.getFileName().toString());

    int id = progress("by_customer").indexId();
    alter(new AlterTableOptions().rebuildIndex("by_customer"));
    assertThat(progress("by_customer").indexId()).isGreaterThan(id);
    awaitReady("by_customer");
    assertThat(client.openTable("orders").getIndexes()).hasToString("[LOCAL (customer)]");
    List<ReplicaVerification> rebuilt = verified(table.verifyIndexes());
    assertThat(rebuilt).allMatch(ReplicaVerification::isSound);
    assertThat(entries(rebuilt)).isEqualTo((long) SERVERS * ROWS);
  }

  /** Changes a byte in the middle of one index file. */
  private Path damage() throws IOException {
    Path file;
    try (Stream<Path> files = Files.walk(cluster.directory())) {
      file =
          files
              .filter(path -> path.getFileName().toString().endsWith(".index"))
              .findFirst()
              .orElseThrow();
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long middle = bytes.length() / 2;
      bytes.seek(middle);
      int before = bytes.read();
      bytes.seek(middle);
      bytes.write(~before);
    }
    return file;
  }

  @Test
  void aVerificationOutlivesARestartOfAServer() throws KuduException {
    alter(new AlterTableOptions().addIndex(KuduIndex.local("by_customer", "customer")));
    awaitReady("by_customer");
    KuduIndexVerification verification = table.verifyIndexes();
    cluster.stopTabletServer(0);
    assertThat(verification.poll()).isFalse();
    cluster.startTabletServer(0);
    assertThat(verified(verification)).allMatch(ReplicaVerification::isSound);
  }
}
