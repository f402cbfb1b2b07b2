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
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexProgress;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Unique indexes as a client sees them, on three replicas. */
@Timeout(240)
class UniqueIndexTest {
  private static final int SERVERS = 3;

  private static EmbeddedCluster cluster;
  private static KuduClient client;

  private String name;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().tabletServers(SERVERS).start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void nameTable(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
  }

  private static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("tenant", Type.INT32).key(true).build(),
            new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
            new ColumnSchemaBuilder("email", Type.STRING).nullable(true).build()));
  }

  private KuduTable create(KuduIndex... indexes) throws KuduException {
    CreateTableOptions options =
        new CreateTableOptions().addHashPartitions(List.of("tenant"), 2).setNumReplicas(SERVERS);
    for (KuduIndex index : indexes) {
      options.addIndex(index);
    }
    return client.createTable(name, schema(), options);
  }

  private static KuduIndex byEmail() {
    return KuduIndex.unique("by_email", "tenant", "email");
  }

  private static Operation row(Operation operation, int tenant, int id, String email) {
    operation.getRow().addInt("tenant", tenant);
    operation.getRow().addInt("id", id);
    if (email == null) {
      operation.getRow().setNull("email");
    } else {
      operation.getRow().addString("email", email);
    }
    return operation;
  }

  /** Writes one row; returns its error, or null. */
  private RowError write(Operation operation) throws KuduException {
    KuduSession session = client.newSession();
    try {
      OperationResponse response = session.apply(operation);
      return response.hasRowError() ? response.getRowError() : null;
    } finally {
      session.close();
    }
  }

  private KuduIndexProgress progress() throws KuduException {
    return client.openTable(name).getIndexProgress().get(0);
  }

  private void awaitState(KuduIndexProgress.State state) {
    await("the index is " + state).until(() -> progress().state() == state);
  }

  @Test
  void aNewTableRefusesEqualRowsFromTheBeginning() throws KuduException {
    KuduTable table = create(byEmail());
    awaitState(KuduIndexProgress.State.READY);
    assertThat(client.openTable(name).getIndexes())
        .singleElement()
        .satisfies(
            index -> {
              assertThat(index.isUnique()).isTrue();
              assertThat(index).hasToString("UNIQUE (tenant, email)");
            });
    assertThat(write(row(table.newInsert(), 1, 1, "a"))).isNull();
    assertThat(write(row(table.newInsert(), 2, 1, "a"))).as("another tenant").isNull();
    assertThat(write(row(table.newInsert(), 1, 2, null))).isNull();
    assertThat(write(row(table.newInsert(), 1, 3, null))).as("NULL is equal to nothing").isNull();
    RowError error = write(row(table.newInsert(), 1, 4, "a"));
    assertThat(error.getErrorStatus().isAlreadyPresent()).isTrue();
    assertThat(error.getErrorStatus().toString())
        .contains("unique index by_email", "(int32 tenant=1, string email=\"a\")");
    assertThat(write(row(table.newUpdate(), 1, 2, "a")).getErrorStatus().isAlreadyPresent())
        .isTrue();
    assertThat(write(row(table.newUpsert(), 1, 1, "a"))).as("its own value").isNull();
    assertThat(write(row(table.newInsertIgnore(), 1, 4, "a"))).isNull();
    Operation delete = table.newDelete();
    delete.getRow().addInt("tenant", 1);
    delete.getRow().addInt("id", 1);
    assertThat(write(delete)).isNull();
    assertThat(write(row(table.newInsert(), 1, 4, "a"))).isNull();
  }

  @Test
  void badDefinitionsAreRefusedByName() throws KuduException {
    assertThatThrownBy(() -> create(KuduIndex.unique("by_email", "email")))
        .hasMessageContaining("Index by_email")
        .hasMessageContaining("lacks column tenant");
    create(byEmail());
    assertThatThrownBy(
            () -> client.alterTable(name, new AlterTableOptions().rebuildIndex("by_email")))
        .hasMessageContaining("Index by_email is unique");
    assertThatThrownBy(
            () ->
                client.alterTable(
                    name,
                    new AlterTableOptions()
                        .addIndex(KuduIndex.local("by_email", "tenant", "email"))))
        .hasMessageContaining("an index by_email already");
  }

  @Test
  void aTableWithEqualRowsGetsNoUniqueIndex() throws KuduException {
    KuduTable table = create();
    write(row(table.newInsert(), 1, 1, "a"));
    write(row(table.newInsert(), 1, 2, "a"));
    client.alterTable(name, new AlterTableOptions().addIndex(byEmail()));
    awaitState(KuduIndexProgress.State.FAILED);
    assertThat(progress().duplicates()).contains("more than one row has the value", "tenant");
    assertThat(write(row(table.newInsert(), 1, 3, "a"))).as("nothing is refused").isNull();
    client.alterTable(name, new AlterTableOptions().dropIndex("by_email"));
    for (int id = 2; id <= 3; id++) {
      Operation delete = table.newDelete();
      delete.getRow().addInt("tenant", 1);
      delete.getRow().addInt("id", id);
      assertThat(write(delete)).isNull();
    }
    client.alterTable(name, new AlterTableOptions().addIndex(byEmail()));
    awaitState(KuduIndexProgress.State.READY);
    assertThat(write(row(table.newInsert(), 1, 3, "a")).getErrorStatus().isAlreadyPresent())
        .isTrue();
  }

  /**
   * Each value has one row, and its writer knows it, although leaders change while the writers
   * race.
   */
  @Test
  void racingWritersNeverGetEqualRowsWhileServersStop() throws Exception {
    KuduTable table = create(byEmail());
    int values = 400;
    Map<String, Integer> owners = new ConcurrentHashMap<>();
    AtomicBoolean twice = new AtomicBoolean();
    List<Callable<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      int first = writer * values;
      writers.add(
          () -> {
            KuduSession session = client.newSession();
            session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
            for (int i = 0; i < values; i++) {
              String email = "e" + i;
              OperationResponse response =
                  session.apply(row(table.newInsert(), i % 2, first + i, email));
              if (!response.hasRowError()) {
                twice.compareAndSet(false, owners.put(email, first + i) != null);
              } else {
                assertThat(response.getRowError().getErrorStatus().isAlreadyPresent())
                    .as(response.getRowError().toString())
                    .isTrue();
              }
            }
            session.close();
            return null;
          });
    }
    ExecutorService executor = Executors.newFixedThreadPool(writers.size());
    try {
      List<Future<Void>> running = new ArrayList<>();
      writers.forEach(writer -> running.add(executor.submit(writer)));
      for (int server = 0; server < SERVERS; server++) {
        cluster.stopTabletServer(server);
        cluster.startTabletServer(server);
      }
      for (Future<Void> writer : running) {
        writer.get();
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(twice).isFalse();
    assertThat(owners).hasSize(values);
  }
}
