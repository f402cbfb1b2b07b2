package dev.kudu4j.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduClientMetrics;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An aggregation whose server stops in the middle counts every row once. */
@Timeout(180)
class AggregateFaultTest {
  private static final int ROWS = 20_000;

  @Test
  void aStoppedServerLosesNoGroup() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .tabletServers(3)
            .tabletServerFlag("--unlock_unsafe_flags")
            .tabletServerFlag("--scanner_inject_latency_on_each_batch_ms=10")
            .start()) {
      MeterRegistry metrics = new SimpleMeterRegistry();
      new KuduClientMetrics(cluster.client()).bindTo(metrics);
      KuduTable table = load(cluster.client());
      KuduAggregate perRow =
          table
              .aggregate()
              .groupBy("id")
              .count("rows")
              .sum("total", "id")
              .batchSizeBytes(4096)
              .build();
      long total = (long) ROWS * (ROWS - 1) / 2;
      for (int server = 0; server < 3; server++) {
        CompletableFuture<RowResultIterator> answer = perRow.executeAsync();
        await().until(() -> openScanners(metrics) > 0);
        cluster.stopTabletServer(server);
        verify(answer.get(120, TimeUnit.SECONDS));
        RowResult sum = table.aggregate().sum("total", "id").build().execute().next();
        assertThat(sum.getLong("total")).isEqualTo(total);
        cluster.startTabletServer(server);
      }
    }
  }

  private static double openScanners(MeterRegistry metrics) {
    return metrics.get("kudu.client.scanners.open").gauge().value();
  }

  private static void verify(RowResultIterator groups) {
    BitSet seen = new BitSet();
    for (RowResult group : groups) {
      int id = group.getInt("id");
      assertThat(seen.get(id)).as("group %d is returned twice", id).isFalse();
      seen.set(id);
      assertThat(group.getLong("rows")).isEqualTo(1);
      assertThat(group.getLong("total")).isEqualTo(id);
    }
    assertThat(seen.cardinality()).isEqualTo(ROWS);
  }

  private static KuduTable load(KuduClient client) throws KuduException {
    Schema schema =
        new Schema(List.of(new ColumnSchemaBuilder("id", Type.INT32).key(true).build()));
    CreateTableOptions options =
        new CreateTableOptions().addHashPartitions(List.of("id"), 4).setNumReplicas(3);
    KuduTable table = client.createTable("counted", schema, options);
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int id = 0; id < ROWS; id++) {
      Insert insert = table.newInsert();
      insert.getRow().addInt("id", id);
      session.apply(insert);
    }
    session.flush();
    assertThat(session.countPendingErrors()).isZero();
    session.close();
    return table;
  }
}
