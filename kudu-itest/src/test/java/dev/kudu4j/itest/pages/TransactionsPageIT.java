package dev.kudu4j.itest.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Upsert;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.AdminCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tablet server shows and counts its transactions, and the writes that wait for them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TransactionsPageIT {
  private static final int ROWS = 7;

  private final Site site = new Site();
  private EmbeddedCluster cluster;
  private String server;
  private KuduTable table;

  @BeforeEach
  void start() throws Exception {
    cluster = EmbeddedCluster.builder().webPages(true).masterFlag("--txn_manager_enabled").start();
    server = "http://" + cluster.webAddresses().get(1);
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("k", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("v", Type.STRING).build()));
    CreateTableOptions options =
        new CreateTableOptions().setRangePartitionColumns(List.of()).setNumReplicas(1);
    table = client().createTable("orders", schema, options);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private KuduClient client() {
    return cluster.client();
  }

  private Upsert upsert(long key) {
    Upsert upsert = table.newUpsert();
    upsert.getRow().addLong("k", key);
    upsert.getRow().addString("v", "a".repeat(1_000));
    return upsert;
  }

  private KuduTransaction begin() throws Exception {
    KuduTransaction transaction = client().newTransaction();
    KuduSession session = transaction.newKuduSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (long key = 0; key < ROWS; key++) {
      session.apply(upsert(key));
    }
    assertThat(session.flush()).noneMatch(OperationResponse::hasRowError);
    return transaction;
  }

  /** The value of a metric, such as {@code kudu_transactions_open}. */
  private double metric(String name) throws Exception {
    return site.get(server + "/metrics_prometheus")
        .text()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  /** The page without its tags, so that cells are words. */
  private String page() throws Exception {
    return site.get(server + "/transactions")
        .text()
        .replaceAll("<[^>]*>", " ")
        .replaceAll("\\s+", " ");
  }

  private static ConditionFactory eventually(String description) {
    return await(description).atMost(Duration.ofMinutes(1));
  }

  @Test
  void openTransactionsAreShownUntilTheyEnd() throws Exception {
    assertThat(page()).contains("None at this moment.").doesNotContain(" open ");
    try (KuduTransaction transaction = begin()) {
      assertThat(page()).contains(" open " + System.getProperty("user.name") + " ", " orders ");
      assertThat(metric("kudu_transactions_coordinated")).isEqualTo(1);
      assertThat(metric("kudu_transactions_open")).isEqualTo(1);
      assertThat(staged("memory")).isGreaterThan(ROWS * 1_000);
      assertThat(staged("files")).isZero();
      AdminCalls.flush(cluster.tabletServerAddress(0).resolve());
      assertThat(staged("memory")).isZero();
      assertThat(staged("files")).isPositive();
      transaction.commit();
    }
    eventually("it is no longer shown")
        .until(() -> !page().contains(" open ") && !page().contains(" orders "));
    assertThat(metric("kudu_transactions_open")).isZero();
    assertThat(metric("kudu_transactions_coordinated")).isZero();
    assertThat(staged("files")).isZero();
  }

  private double staged(String place) throws Exception {
    return metric("kudu_transactions_staged_bytes{place=\"" + place + "\"}");
  }

  @Test
  void writesThatWaitForAKeyAreShownWithItsHolder() throws Exception {
    try (KuduTransaction transaction = begin()) {
      KuduSession plain = client().newSession();
      plain.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      plain.setFlushInterval(1);
      plain.apply(upsert(3));
      eventually("the write waits").until(() -> metric("kudu_transactions_waiting_writes") == 1);
      // staged rows, held keys, no commit timestamp, one write that waits
      assertThat(page()).containsPattern(" " + ROWS + " [0-9.]+ KB – " + ROWS + " – 1 ");
      transaction.commit();
      plain.close();
      assertThat(plain.countPendingErrors()).isZero();
    }
    assertThat(metric("kudu_transactions_waiting_writes")).isZero();
  }

  @Test
  void endsAreCounted() throws Exception {
    try (KuduTransaction transaction = begin()) {
      transaction.commit();
    }
    try (KuduTransaction transaction = begin()) {
      transaction.rollback();
    }
    eventually("both are counted")
        .until(
            () ->
                metric("kudu_transactions_committed_total") == 1
                    && metric("kudu_transactions_aborted_total") == 1);
    assertThat(metric("kudu_transactions_commit_latency_seconds_count")).isEqualTo(1);
    assertThat(metric("kudu_transactions_commit_latency_seconds_sum")).isBetween(0.0001, 60.0);
    assertThat(metric("kudu_transactions_commit_latency_seconds_bucket{le=\"+Inf\"}")).isEqualTo(1);
  }
}
