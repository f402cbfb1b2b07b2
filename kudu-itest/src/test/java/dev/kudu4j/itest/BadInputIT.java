package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Garbage;
import dev.kudu4j.itest.support.LocalCluster;
import java.nio.file.Path;
import java.util.List;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.PartialRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of invalid input gets its error, and the servers continue to serve. */
class BadInputIT {
  @TempDir static Path directory;
  private static LocalCluster cluster;
  private static KuduClient client;
  private static KuduTable table;

  @BeforeAll
  static void start() throws Exception {
    cluster = new LocalCluster(directory).start();
    client =
        new KuduClient.KuduClientBuilder(cluster.masters())
            .defaultOperationTimeoutMs(60_000)
            .build();
    Schema schema = schema();
    CreateTableOptions options =
        new CreateTableOptions().setRangePartitionColumns(List.of("key")).setNumReplicas(1);
    options.addRangePartition(bound(schema, ""), bound(schema, "zz"));
    table = client.createTable("bad_input", schema, options);
  }

  private static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchema.ColumnSchemaBuilder("key", Type.STRING).key(true).build(),
            new ColumnSchema.ColumnSchemaBuilder("number", Type.INT64).nullable(false).build(),
            new ColumnSchema.ColumnSchemaBuilder("text", Type.STRING).nullable(true).build()));
  }

  private static PartialRow bound(Schema schema, String key) {
    PartialRow row = schema.newPartialRow();
    row.addString("key", key);
    return row;
  }

  @AfterAll
  static void stop() throws Exception {
    if (client != null) {
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static OperationResponse apply(Operation operation) throws KuduException {
    KuduSession session = client.newSession();
    try {
      return session.apply(operation);
    } finally {
      session.close();
    }
  }

  private static Operation insert(String key, long number, String text) {
    Operation insert = table.newInsert();
    insert.getRow().addString("key", key);
    insert.getRow().addLong("number", number);
    if (text != null) {
      insert.getRow().addString("text", text);
    }
    return insert;
  }

  @Test
  void aDuplicateKeyIsRefusedAndTheRowKept() throws Exception {
    assertThat(apply(insert("duplicate", 1, "first")).hasRowError()).isFalse();
    OperationResponse second = apply(insert("duplicate", 2, "second"));
    assertThat(second.getRowError().getErrorStatus().isAlreadyPresent()).isTrue();
    assertThat(second.getRowError().getErrorStatus().toString()).contains("key already present");
  }

  @Test
  void aMissingKeyIsReported() throws Exception {
    Operation update = table.newUpdate();
    update.getRow().addString("key", "never written");
    update.getRow().addLong("number", 1);
    assertThat(apply(update).getRowError().getErrorStatus().isNotFound()).isTrue();
    Operation delete = table.newDelete();
    delete.getRow().addString("key", "never written");
    assertThat(apply(delete).getRowError().getErrorStatus().isNotFound()).isTrue();
  }

  @Test
  void aMissingRequiredColumnIsReportedByName() throws Exception {
    Operation insert = table.newInsert();
    insert.getRow().addString("key", "without number");
    OperationResponse response = apply(insert);
    assertThat(response.getRowError().getErrorStatus().isInvalidArgument()).isTrue();
    assertThat(response.getRowError().getErrorStatus().toString())
        .contains("No value provided for required column: number");
  }

  @Test
  void aCellOver64KibIsRefused() throws Exception {
    OperationResponse response = apply(insert("large cell", 1, "x".repeat(65_537)));
    assertThat(response.getRowError().getErrorStatus().isInvalidArgument()).isTrue();
    assertThat(response.getRowError().getErrorStatus().toString())
        .contains("value too large for column");
    assertThat(apply(insert("just right", 1, "x".repeat(65_536))).hasRowError()).isFalse();
  }

  @Test
  void aKeyOver16KibIsRefused() throws Exception {
    OperationResponse response = apply(insert("k".repeat(16_385), 1, null));
    assertThat(response.getRowError().getErrorStatus().isInvalidArgument()).isTrue();
    assertThat(apply(insert("k".repeat(16_384), 1, null)).hasRowError()).isFalse();
  }

  @Test
  void aRowOutsideAllRangesIsRefused() {
    assertThatThrownBy(
            () -> {
              OperationResponse response = apply(insert("zzz", 1, null));
              throw new IllegalStateException(String.valueOf(response.getRowError()));
            })
        .hasMessageContaining("zzz");
  }

  @Test
  void duplicateAndMissingTablesAreReported() {
    assertThatThrownBy(
            () ->
                client.createTable(
                    "bad_input",
                    schema(),
                    new CreateTableOptions()
                        .setRangePartitionColumns(List.of("key"))
                        .setNumReplicas(1)))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("already exists");
    assertThatThrownBy(() -> client.openTable("no such table"))
        .hasMessageContaining("no such table");
    assertThatThrownBy(() -> client.deleteTable("no such table"))
        .hasMessageContaining("no such table");
  }

  @Test
  void invalidSchemasAreRejected() {
    Schema floatKey =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder("k", Type.FLOAT).key(true).build()));
    assertThatThrownBy(
            () ->
                client.createTable(
                    "float_key",
                    floatKey,
                    new CreateTableOptions().setNumReplicas(1).setRangePartitionColumns(List.of())))
        .isInstanceOf(KuduException.class);
    assertThatThrownBy(
            () ->
                client.createTable(
                    "even",
                    schema(),
                    new CreateTableOptions().setNumReplicas(2).setRangePartitionColumns(List.of())))
        .hasMessageContaining("replication factor");
  }

  /** A client with a wrong schema: the error must name the difference. */
  @Test
  void unknownColumnsAndWrongTypesAreNamed() throws Exception {
    AdminCalls.WriteAnswer unknown =
        AdminCalls.insertWithSchema(cluster, "zz_unknown", DataType.INT32);
    assertThat(unknown.error()).contains("MISMATCHED_SCHEMA").contains("zz_unknown");
    AdminCalls.WriteAnswer wrongType =
        AdminCalls.insertWithSchema(cluster, "number", DataType.INT32);
    assertThat(wrongType.error())
        .contains("MISMATCHED_SCHEMA")
        .contains("must have type INT64 NOT NULL");
  }

  @Test
  void aMissingKeyColumnIsNamed() {
    assertThat(AdminCalls.insertWithoutKey(cluster).error())
        .contains("MISMATCHED_SCHEMA")
        .contains("Client missing required column: key STRING NOT NULL");
  }

  @Test
  void aNullInAColumnThatIsNotNullableIsRefused() throws Exception {
    AdminCalls.WriteAnswer answer = AdminCalls.insertNullNumber(cluster);
    assertThat(answer.error()).isNotEmpty();
  }

  @Test
  void predicatesOnColumnsThatDoNotExistAreRefusedByTheServer() {
    ColumnSchema ghost = new ColumnSchema.ColumnSchemaBuilder("ghost", Type.INT32).build();
    assertThatThrownBy(
            () ->
                client
                    .newScannerBuilder(table)
                    .addPredicate(
                        KuduPredicate.newComparisonPredicate(
                            ghost, KuduPredicate.ComparisonOp.EQUAL, 1))
                    .build()
                    .nextRows())
        .isInstanceOf(Exception.class);
  }

  @Test
  void tenThousandRandomFramesAtEachPortLeaveTheServersServing() throws Exception {
    assertThat(apply(insert("before garbage", 1, null)).hasRowError()).isFalse();
    long memoryBefore = Garbage.residentBytes(cluster.tabletServer().pid());
    long seed = 20131101;
    for (int port : AdminCalls.allPorts(cluster)) {
      Garbage.send(port, 10_000, seed++);
    }
    assertThat(apply(insert("after garbage", 1, null)).hasRowError()).isFalse();
    assertThat(client.getTablesList().getTablesList()).contains("bad_input");
    assertThat(Garbage.residentBytes(cluster.tabletServer().pid()) - memoryBefore)
        .as("resident memory of the tablet server grows by garbage")
        .isLessThan(200L << 20);
  }
}
