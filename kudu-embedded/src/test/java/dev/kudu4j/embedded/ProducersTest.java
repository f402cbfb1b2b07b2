package dev.kudu4j.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduBatch;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduProducer;
import dev.kudu4j.client.KuduReadSession;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Statistics.Statistic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches of producers, and sessions that read them. */
@Timeout(240)
class ProducersTest {
  private static final int TABLETS = 3;

  private static EmbeddedCluster cluster;
  private static KuduClient client;

  @BeforeAll
  static void start() {
    cluster =
        EmbeddedCluster.builder().tabletServers(2).masterFlag("--txn_manager_enabled").start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static KuduTable create(String name, boolean hasImmutable) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("value", Type.INT64)
                    .nullable(true)
                    .immutable(hasImmutable)
                    .build()));
    return client.createTable(
        name,
        schema,
        new CreateTableOptions().setNumReplicas(1).addHashPartitions(List.of("id"), TABLETS));
  }

  private static KuduTable create(String name) throws KuduException {
    return create(name, false);
  }

  private static Operation fill(Operation operation, int id, long value) {
    operation.getRow().addInt(0, id);
    operation.getRow().addLong(1, value);
    return operation;
  }

  private static Map<Integer, Long> read(KuduScanner scanner) throws KuduException {
    Map<Integer, Long> rows = new TreeMap<>();
    for (RowResult row : scanner) {
      rows.put(row.getInt(0), row.getLong(1));
    }
    return rows;
  }

  private static Map<Integer, Long> read(KuduTable table) throws KuduException {
    KuduReadSession now = client.newReadSession(Duration.ZERO);
    now.advance(table);
    return read(now.newScannerBuilder(table).build());
  }

  @Test
  void aBatchOfSeveralTablesIsSeenWholeAndReadsNeverGoBack() throws Exception {
    KuduTable plus = create("plus");
    KuduTable minus = create("minus");
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (KuduProducer producer = client.newProducer()) {
      Future<Integer> reader = threads.submit(() -> watch(plus, minus));
      List<CompletableFuture<Void>> commits = new ArrayList<>();
      for (int batch = 1; batch <= 40; batch++) {
        KuduBatch changes = producer.newBatch();
        for (int id = 0; id < 6; id++) {
          changes.add(fill(plus.newUpsert(), id, batch));
          changes.add(fill(minus.newUpsert(), id, -batch));
        }
        commits.add(changes.commitAsync()); // the next one conflicts with it, and is sent again
      }
      for (CompletableFuture<Void> commit : commits) {
        commit.get(60, TimeUnit.SECONDS);
      }
      assertThat(producer.lastCommitted()).isEqualTo(40);
      assertThat(read(plus).values()).containsOnly(40L);
      KuduBatch last = producer.newBatch();
      last.add(fill(plus.newUpsert(), 0, Long.MAX_VALUE));
      last.add(fill(minus.newUpsert(), 0, -Long.MAX_VALUE));
      last.commit();
      assertThat(reader.get(60, TimeUnit.SECONDS)).isPositive();
    } finally {
      threads.shutdownNow();
    }
  }

  /** Reads until the last batch; returns how often. */
  private static int watch(KuduTable plus, KuduTable minus) throws KuduException {
    KuduReadSession session = client.newReadSession(Duration.ofSeconds(5));
    long newest = 0;
    for (int reads = 1; ; reads++) {
      session.advance(plus, minus);
      Map<Integer, Long> first = read(session.newScannerBuilder(plus).build());
      Map<Integer, Long> second = read(session.newScannerBuilder(minus).build());
      assertThat(second.keySet()).isEqualTo(first.keySet());
      first.forEach((id, value) -> assertThat(second).containsEntry(id, -value));
      long batch = first.getOrDefault(1, 0L);
      assertThat(first.values()).allMatch(value -> value == batch || value == Long.MAX_VALUE);
      assertThat(batch).isGreaterThanOrEqualTo(newest);
      newest = batch;
      if (first.containsValue(Long.MAX_VALUE)) {
        return reads;
      }
    }
  }

  @Test
  void rowsOfOnePartitionKeyAreASingleWrite() throws Exception {
    KuduTable table = create("single");
    try (KuduProducer producer = client.newProducer()) {
      KuduBatch batch = producer.newBatch();
      batch.add(fill(table.newInsertIgnore(), 1, 10));
      batch.add(fill(table.newUpdateIgnore(), 1, 11));
      batch.add(fill(table.newUpsert(), 1, 12));
      batch.commit();
      assertThat(read(table)).containsExactly(Map.entry(1, 12L));
      producer.newBatch().add(fill(table.newInsertIgnore(), 1, 13)).commit();
      producer.newBatch().commit(); // an empty one
      assertThat(read(table)).containsExactly(Map.entry(1, 12L));
      assertThat(producer.lastCommitted()).isEqualTo(3);
    }
  }

  @Test
  void onlyBlindChangesAreTaken() throws Exception {
    KuduTable table = create("blind");
    KuduTable immutable = create("immutable", true);
    try (KuduProducer producer = client.newProducer()) {
      KuduBatch batch = producer.newBatch();
      for (Operation each : List.of(table.newInsert(), table.newUpdate(), table.newDelete())) {
        assertThatThrownBy(() -> batch.add(fill(each, 1, 1)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("use the kind with IGNORE, or a transaction");
      }
      assertThatThrownBy(() -> batch.add(fill(immutable.newUpsert(), 1, 1)))
          .hasMessageContaining("immutable");
      batch.add(fill(immutable.newUpsertIgnore(), 1, 1)).add(fill(table.newUpsert(), 2, 2));
      batch.commit();
      assertThatThrownBy(batch::commit).isInstanceOf(IllegalStateException.class);
      assertThat(read(immutable)).containsExactly(Map.entry(1, 1L));
    }
  }

  @Test
  void aProducerWithANameGoesOnWhereTheLastOneStopped() throws Exception {
    KuduTable table = create("named");
    try (KuduProducer first = client.newProducer("first")) {
      assertThat(first.lastCommitted()).isZero();
      first.newBatch().add(fill(table.newUpsert(), 1, 1)).commit();
      first.newBatch().add(fill(table.newUpsert(), 1, 2)).commit();
      try (KuduProducer next = client.newProducer("first");
          KuduProducer other = client.newProducer("other")) {
        assertThat(next.lastCommitted()).isEqualTo(2);
        assertThat(other.lastCommitted()).isZero();
        next.newBatch().add(fill(table.newUpsert(), 1, 3)).commit();
      }
      KuduBatch late = first.newBatch().add(fill(table.newUpsert(), 1, 9));
      assertThatThrownBy(late::commit)
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("Another producer named first has committed batch 3");
      assertThatThrownBy(() -> first.newBatch().commit())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("takes no more batches");
      assertThat(read(table)).containsExactly(Map.entry(1, 3L));
    }
    try (KuduProducer again = client.newProducer("first")) {
      assertThat(again.lastCommitted()).isEqualTo(3);
    }
  }

  @Test
  void aBatchWaitsForTheHolderOfAKey() throws Exception {
    KuduTable table = create("held");
    try (KuduTransaction holder = client.newTransaction();
        KuduProducer producer = client.newProducer()) {
      KuduSession session = holder.newKuduSession();
      assertThat(session.apply(fill(table.newInsert(), 1, 1)).hasRowError()).isFalse();
      CompletableFuture<Void> batch =
          producer
              .newBatch()
              .add(fill(table.newUpsert(), 1, 2))
              .add(fill(table.newUpsert(), 2, 2))
              .commitAsync();
      holder.commit();
      batch.get(60, TimeUnit.SECONDS);
      assertThat(read(table)).containsExactly(Map.entry(1, 2L), Map.entry(2, 2L));
    }
  }

  @Test
  void aReadSessionSeesWhatItHasObserved() throws Exception {
    KuduTable table = create("observed");
    KuduReadSession session = client.newReadSession(Duration.ofHours(1));
    assertThatThrownBy(() -> session.newScannerBuilder(table))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call advance");
    client.newSession().apply(fill(table.newInsert(), 1, 1));
    session.observe(client.getLastPropagatedTimestamp());
    session.advance(table);
    assertThat(read(session.newScannerBuilder(table).build())).hasSize(1);
    KuduReadSession elsewhere = client.newReadSession(Duration.ofHours(1), session.snapshot());
    assertThat(elsewhere.advance(table)).isGreaterThanOrEqualTo(session.snapshot());
  }

  /** A client of another user. */
  private static KuduClient clientOf(String user) {
    String own = System.setProperty("user.name", user);
    try {
      return new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build();
    } finally {
      System.setProperty("user.name", own);
    }
  }

  private static boolean isAccepted(KuduTransaction transaction, Operation row)
      throws KuduException {
    return !transaction.newKuduSession().apply(row).hasRowError();
  }

  @Test
  void rowsOfAnotherUserDoNotHarmTheOwner() throws Exception {
    KuduTable table = create("owned");
    try (KuduClient stranger = clientOf("somebody-else");
        KuduTransaction own = client.newTransaction()) {
      KuduTable same = stranger.openTable("owned");
      assertThat(isAccepted(own, fill(table.newInsert(), 1, 1))).isTrue();
      KuduTransaction stolen = KuduTransaction.deserialize(own.serialize(), stranger.asyncClient());
      for (int id = 0; id < 20; id++) { // also in tablets where the owner has no rows
        assertThat(isAccepted(stolen, fill(same.newInsert(), 100 + id, 2))).isFalse();
      }
      own.commit();
      assertThat(read(table)).containsExactly(Map.entry(1, 1L));
      client.newSession().apply(fill(table.newInsert(), 100, 3)); // its key is free
      assertThat(read(table)).containsEntry(100, 3L);
    }
  }

  @Test
  void incompleteRowsAreRefusedBeforeAnythingIsSent() throws Exception {
    KuduTable table = create("incomplete");
    try (KuduProducer producer = client.newProducer()) {
      KuduBatch batch = producer.newBatch().add(fill(table.newUpsert(), 1, 1));
      batch.add(table.newUpsert());
      assertThatThrownBy(batch::commit)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Column id of table incomplete must be set");
      producer.newBatch().add(fill(table.newUpsert(), 2, 2)).commit();
      assertThat(read(table)).containsExactly(Map.entry(2, 2L));
    }
  }

  @Test
  void namedBatchesOverlapAndKeepTheirOrder() throws Exception {
    KuduTable table = create("overlapping");
    try (KuduProducer producer = client.newProducer("overlapping")) {
      List<CompletableFuture<Void>> commits = new ArrayList<>();
      for (int n = 1; n <= 20; n++) {
        commits.add(
            producer
                .newBatch()
                .add(fill(table.newUpsert(), 0, n))
                .add(fill(table.newUpsert(), n, n))
                .commitAsync());
      }
      for (CompletableFuture<Void> commit : commits) {
        commit.get(60, TimeUnit.SECONDS);
      }
      assertThat(read(table)).hasSize(21).containsEntry(0, 20L);
    }
    try (KuduProducer producer = client.newProducer("overlapping")) {
      assertThat(producer.lastCommitted()).isEqualTo(20);
    }
  }

  @Test
  void rowsThatAlternateBetweenTablesShareRequests() throws Exception {
    KuduTable first = create("alternating-1");
    KuduTable second = create("alternating-2");
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    long before = client.getStatistics().getClientStatistic(Statistic.WRITE_RPCS);
    for (int id = 0; id < 200; id++) {
      session.apply(fill((id % 2 == 0 ? first : second).newInsert(), id, id));
    }
    session.flush();
    assertThat(client.getStatistics().getClientStatistic(Statistic.WRITE_RPCS) - before)
        .isLessThan(20); // one or two for each tablet
    assertThat(read(second)).hasSize(100);
  }
}
