package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduColumnStatistics;
import dev.kudu4j.client.KuduCompaction;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduRebalancing;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaCompaction;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.PublishedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests of our client that only our servers know: statistics of columns, compactions and moves.
 */
class OurAdministrationIT {
  private static final KuduColumnStatistics STATISTICS =
      new KuduColumnStatistics(
          Instant.parse("2026-11-21T18:09:30.123456Z"),
          1000,
          7,
          50,
          Optional.of(-3),
          Optional.of(400),
          OptionalLong.empty(),
          OptionalLong.empty());

  @TempDir private Path directory;

  private static KuduTable create(KuduClient client) throws KuduException {
    return client.createTable(
        "t",
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("v", Type.INT32).nullable(true).build())),
        new CreateTableOptions().addHashPartitions(List.of("id"), 2).setNumReplicas(1));
  }

  private static List<ReplicaCompaction> compact(KuduTable table) throws KuduException {
    KuduCompaction compaction = table.compact();
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(compaction::poll);
    return compaction.replicas();
  }

  @Test
  void ourServersSupportOurRequests() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start();
        KuduClient other = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      KuduTable table = create(cluster.client());
      int id = table.getSchema().getColumnId("v");
      table.setColumnStatistics(Map.of(id, STATISTICS));
      assertThat(other.openTable("t").getTableStatistics().getColumnStatistics())
          .isEqualTo(Map.of(id, STATISTICS));
      assertThat(other.getTableStatistics("t").getColumnStatistics()).containsOnlyKeys(id);
      assertThatThrownBy(() -> table.setColumnStatistics(Map.of(id + 1000, STATISTICS)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(compact(table))
          .hasSize(2)
          .allSatisfy(replica -> assertThat(replica.failure()).isEmpty());
      KuduRebalancing rebalancing = cluster.client().rebalance(1);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(rebalancing::poll);
      assertThat(rebalancing.moves()).as("there is only one server").isEmpty();
      assertThat(rebalancing.plan()).isEmpty();
    }
  }

  @Test
  void publishedServersRejectOurRequests() throws Exception {
    try (PublishedCluster cluster = new PublishedCluster(directory).start();
        KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      KuduTable table = create(client);
      int id = table.getSchema().getColumnId("v");
      assertThatThrownBy(() -> table.setColumnStatistics(Map.of(id, STATISTICS)))
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.getStatus().isNotSupported()).isTrue());
      assertThat(table.getTableStatistics().getColumnStatistics()).isEmpty();
      assertThat(compact(table))
          .hasSize(2)
          .allSatisfy(
              replica ->
                  assertThat(replica.failure().orElseThrow())
                      .contains("the server cannot be asked to compact a tablet"));
      KuduRebalancing rebalancing = client.rebalance(1);
      for (ThrowingCallable request :
          List.<ThrowingCallable>of(rebalancing::poll, rebalancing::plan)) {
        assertThatThrownBy(request)
            .hasMessageContaining("run kudu cluster rebalance, which works with any servers")
            .isInstanceOfSatisfying(
                KuduException.class, e -> assertThat(e.getStatus().isNotSupported()).isTrue());
      }
    }
  }
}
