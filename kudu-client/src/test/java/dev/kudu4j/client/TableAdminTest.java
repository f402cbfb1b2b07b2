package dev.kudu4j.client;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB.Role;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableResponsePB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableResponsePB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaResponsePB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.SchemaWire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables created and dropped on a master whose responses the test writes. */
@Timeout(120)
final class TableAdminTest {
  private static final ByteString ID = ByteString.copyFromUtf8("0123");
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new ColumnSchema.ColumnSchemaBuilder("k", Type.INT32).key(true).build(),
              new ColumnSchema.ColumnSchemaBuilder("v", Type.STRING).nullable(true).build()));

  /** A call that waits for the test's response. */
  private record Asked(Message request, RpcCall call) {}

  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
  private RpcServer master;
  private AsyncKuduClient client;

  @BeforeEach
  void open() {
    startMaster(0);
    client = new AsyncKuduClient.AsyncKuduClientBuilder("127.0.0.1:" + port()).build();
  }

  private void startMaster(int port) {
    RpcService.Builder service = RpcService.builder("kudu.master.MasterService").features(1, 3);
    service.method(
        "ConnectToMaster",
        Access.CLIENT,
        ConnectToMasterRequestPB.parser(),
        (request, call) ->
            call.respond(ConnectToMasterResponsePB.newBuilder().setRole(Role.LEADER).build()));
    ask(service, "CreateTable", CreateTableRequestPB.parser());
    ask(service, "IsCreateTableDone", IsCreateTableDoneRequestPB.parser());
    ask(service, "GetTableSchema", GetTableSchemaRequestPB.parser());
    ask(service, "DeleteTable", DeleteTableRequestPB.parser());
    RpcServer.Builder server =
        RpcServer.builder("master")
            .bindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .service(service.build());
    master =
        await("port " + port) // a client that tries to connect may occupy it for a moment
            .ignoreException(dev.kudu4j.common.status.KuduException.class)
            .until(server::start, started -> true);
  }

  private <Q extends Message> void ask(
      RpcService.Builder service, String method, Parser<Q> parser) {
    service.method(
        method, Access.CLIENT, parser, (request, call) -> asked.add(new Asked(request, call)));
  }

  private int port() {
    return master.boundAddresses().get(0).getPort();
  }

  @AfterEach
  void close() {
    client.close();
    master.close();
  }

  private Asked next(String method) throws InterruptedException {
    Asked next = asked.poll(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("a call of " + method).isNotNull();
    assertThat(next.call().method()).isEqualTo(method);
    return next;
  }

  private void restartMaster() {
    int port = port();
    master.close();
    startMaster(port);
  }

  private static MasterErrorPB error(MasterErrorPB.Code code, AppStatusPB.ErrorCode status) {
    return MasterErrorPB.newBuilder()
        .setCode(code)
        .setStatus(AppStatusPB.newBuilder().setCode(status).setMessage("so it is"))
        .build();
  }

  private static GetTableSchemaResponsePB described(Schema schema) {
    return GetTableSchemaResponsePB.newBuilder()
        .setTableId(ID)
        .setTableName("t")
        .setNumReplicas(3)
        .setOwner("me")
        .setSchema(SchemaWire.toWire(schema.toCommon().withFreshIds(), true))
        .setPartitionSchema(PartitionSchemaPB.getDefaultInstance())
        .build();
  }

  private CompletableFuture<KuduTable> create() {
    return client.createTable(
        "t", SCHEMA, new CreateTableOptions().addHashPartitions(List.of("k"), 2));
  }

  private static Status failureOf(CompletableFuture<?> future) {
    ExecutionException failure =
        catchThrowableOfType(
            ExecutionException.class, () -> future.get(Patience.SECONDS, TimeUnit.SECONDS));
    assertThat(failure).hasCauseInstanceOf(KuduException.class);
    return ((KuduException) failure.getCause()).getStatus();
  }

  @Test
  void creatingWaitsUntilTheTabletsRun() throws Exception {
    CompletableFuture<KuduTable> creating = create();
    next("CreateTable").call().respond(CreateTableResponsePB.newBuilder().setTableId(ID).build());
    next("IsCreateTableDone")
        .call()
        .respond(IsCreateTableDoneResponsePB.newBuilder().setDone(false).build());
    next("IsCreateTableDone")
        .call()
        .respond(IsCreateTableDoneResponsePB.newBuilder().setDone(true).build());
    next("GetTableSchema").call().respond(described(SCHEMA));

    KuduTable table = creating.get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(table.getTableId()).isEqualTo("0123");
    assertThat(table.getOwner()).isEqualTo("me");
    assertThat(table.getNumReplicas()).isEqualTo(3);
  }

  @Test
  void aNewColumnIsSentWithOneDefaultAndNoId() throws Exception {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("k", Type.INT32).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("v", Type.INT8).defaultValue(7).build()));
    CompletableFuture<KuduTable> creating =
        client.createTable(
            "t", schema, new CreateTableOptions().addHashPartitions(List.of("k"), 2));
    Asked create = next("CreateTable");

    var column = ((CreateTableRequestPB) create.request()).getSchema().getColumns(1);
    assertThat(column.getReadDefaultValue()).isEqualTo(ByteString.copyFrom(new byte[] {7}));
    assertThat(column.hasWriteDefaultValue()).isFalse();
    assertThat(column.hasId()).isFalse();
    create
        .call()
        .respond(
            CreateTableResponsePB.newBuilder()
                .setError(
                    error(
                        MasterErrorPB.Code.INVALID_SCHEMA, AppStatusPB.ErrorCode.INVALID_ARGUMENT))
                .build());
    assertThat(failureOf(creating).isInvalidArgument()).isTrue();
  }

  @Test
  void aTableCreatedByAnInterruptedAttemptIsAccepted() throws Exception {
    CompletableFuture<KuduTable> creating = create();
    next("CreateTable");
    restartMaster();
    next("CreateTable").call().respond(present());
    next("GetTableSchema").call().respond(described(SCHEMA));
    next("IsCreateTableDone")
        .call()
        .respond(IsCreateTableDoneResponsePB.newBuilder().setDone(true).build());
    next("GetTableSchema").call().respond(described(SCHEMA));

    assertThat(creating.get(Patience.SECONDS, TimeUnit.SECONDS).getName()).isEqualTo("t");
  }

  @Test
  void anExistingTableWithOtherColumnsIsAnError() throws Exception {
    CompletableFuture<KuduTable> creating = create();
    next("CreateTable");
    restartMaster();
    next("CreateTable").call().respond(present());
    Schema other =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder("k", Type.INT64).key(true).build()));
    next("GetTableSchema").call().respond(described(other));

    assertThat(failureOf(creating).isAlreadyPresent()).isTrue();
  }

  @Test
  void aTableThatExistedBeforeIsAnError() throws Exception {
    CompletableFuture<KuduTable> creating = create();
    next("CreateTable").call().respond(present());

    Status failure = failureOf(creating);
    assertThat(failure.isAlreadyPresent()).isTrue();
    assertThat(failure).hasToString("Already present: so it is");
  }

  private static CreateTableResponsePB present() {
    return CreateTableResponsePB.newBuilder()
        .setError(
            error(MasterErrorPB.Code.TABLE_ALREADY_PRESENT, AppStatusPB.ErrorCode.ALREADY_PRESENT))
        .build();
  }

  @Test
  void aTableDroppedByAnInterruptedAttemptIsDropped() throws Exception {
    CompletableFuture<DeleteTableResponse> deleting = client.deleteTable("t");
    next("DeleteTable");
    restartMaster();
    next("DeleteTable").call().respond(missing());

    assertThat(deleting.get(Patience.SECONDS, TimeUnit.SECONDS).getElapsedMillis()).isNotNegative();
  }

  @Test
  void aMissingTableCannotBeDropped() throws Exception {
    CompletableFuture<DeleteTableResponse> deleting = client.deleteTable("t");
    next("DeleteTable").call().respond(missing());

    assertThat(failureOf(deleting).isNotFound()).isTrue();
  }

  private static DeleteTableResponsePB missing() {
    return DeleteTableResponsePB.newBuilder()
        .setError(error(MasterErrorPB.Code.TABLE_NOT_FOUND, AppStatusPB.ErrorCode.NOT_FOUND))
        .build();
  }

  @Test
  void aRefusedCallIsARemoteException() throws Exception {
    CompletableFuture<KuduTable> opening = client.openTable("t");
    next("GetTableSchema")
        .call()
        .fail(
            new RpcException(RpcErrorCode.ERROR_APPLICATION, StatusCode.NOT_AUTHORIZED, "not you"));

    assertThatThrownBy(() -> KuduClient.join(opening))
        .isInstanceOf(RpcRemoteException.class)
        .hasMessage("not you");
  }

  @Test
  void aTableWithoutPartitioningIsRejectedByTheClient() {
    assertThatThrownBy(() -> client.createTable("t", SCHEMA, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client.createTable("t", SCHEMA, new CreateTableOptions()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("addHashPartitions");
  }

  @Test
  void blockingCallsInTheClientsThreadsAreRejected() throws Exception {
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    client
        .openTable("t")
        .whenComplete(
            (table, failure) -> {
              try {
                client.syncClient().openTable("u");
                seen.complete(null);
              } catch (KuduException | RuntimeException e) {
                seen.complete(e);
              }
            });
    next("GetTableSchema").call().respond(described(SCHEMA));

    assertThat(seen.get(Patience.SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(IllegalStateException.class);
  }
}
