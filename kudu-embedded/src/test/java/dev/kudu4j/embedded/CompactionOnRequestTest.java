package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduCompaction;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaCompaction;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A compaction that a client has requested outlives a restart of the server. */
@Timeout(180)
class CompactionOnRequestTest {
  private static final int TABLETS = 6;

  private EmbeddedCluster cluster;
  private KuduTable table;

  @BeforeEach
  void start() throws KuduException {
    cluster = EmbeddedCluster.builder().tabletServers(1).start();
    table =
        cluster
            .client()
            .createTable(
                "t",
                new Schema(
                    List.of(
                        new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                        new ColumnSchemaBuilder("v", Type.INT32).nullable(true).build())),
                new CreateTableOptions()
                    .addHashPartitions(List.of("id"), TABLETS)
                    .setNumReplicas(1));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static void awaitSuccess(KuduCompaction compaction) {
    await("all compactions have ended").until(compaction::poll);
    assertThat(compaction.replicas())
        .hasSize(TABLETS)
        .allSatisfy(replica -> assertThat(replica.failure()).isEmpty());
  }

  @Test
  void requestsAreRepeatedWhileTheServerIsDown() throws KuduException {
    KuduCompaction compaction = table.compact();
    cluster.stopTabletServer(0);
    assertThat(compaction.poll()).isFalse();
    assertThat(compaction.poll()).as("asked again later").isFalse();
    assertThat(compaction.replicas()).noneMatch(ReplicaCompaction::ended);
    cluster.startTabletServer(0);
    awaitSuccess(compaction);
  }

  @Test
  void requestsInterruptedByARestartAreRepeated() throws KuduException {
    KuduCompaction compaction = table.compact();
    assertThat(compaction.poll()).as("one replica is compacted at a time").isFalse();
    cluster.stopTabletServer(0);
    assertThat(compaction.poll()).isFalse();
    cluster.startTabletServer(0);
    awaitSuccess(compaction);
  }
}
