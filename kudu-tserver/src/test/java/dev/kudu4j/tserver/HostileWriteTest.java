package dev.kudu4j.tserver;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.cluster.FlushTabletRequestPB;
import dev.kudu4j.common.proto.cluster.FlushTabletResponsePB;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcRequestId;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.RowOperationsWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.memory.ServerMemory;
import dev.kudu4j.server.rpc.ServerIdentity;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that no client sends: each is rejected or bounded in its cost, and none does harm. */
class HostileWriteTest {
  private static final String DATA = "kudu.tserver.TabletServerService";
  private static final String ADMIN = "kudu.tserver.TabletServerAdminService";
  private static final String TABLET = "0123456789abcdef0123456789abcdef";
  private static final Schema CLIENT =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).key(true).build(),
              ColumnSchema.builder("text", DataType.STRING).nullable(true).build()));
  private static final RowLayout LAYOUT = RowLayout.of(CLIENT);
  private static final int CELL_BYTES = 64 << 10;

  @TempDir Path directory;
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());
  private TabletServer server;

  @BeforeEach
  void start() {
    server =
        TabletServer.start(
            FlagParser.parse(
                TabletServerOptions.all(),
                List.of(
                    "--fs_wal_dir=" + directory,
                    "--rpc_bind_addresses=127.0.0.1:0",
                    "--webserver_enabled=false",
                    "--memory_limit_hard_bytes=" + (600L << 20),
                    "--tserver_master_addrs=")));
    CreateTabletResponsePB answer =
        ask(ADMIN, "CreateTablet", creation(), CreateTabletResponsePB.parser());
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    await().until(() -> tablet().replica().isLeader());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private <R extends Message> R ask(
      String service, String method, Message request, Parser<R> parser) {
    return ask(service, method, request, parser, null);
  }

  private <R extends Message> R ask(
      String service, String method, Message request, Parser<R> parser, RpcRequestId id) {
    var address = server.process().identity().rpcAddresses().get(0);
    RpcCallOptions options = RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS));
    try (RpcResponse<R> response =
        client
            .call(
                new InetSocketAddress(address.host(), address.port()),
                service,
                method,
                request,
                parser,
                id == null ? options : options.withRequestId(id))
            .join()) {
      return response.message();
    }
  }

  private CreateTabletRequestPB creation() {
    ByteString uuid = ByteString.copyFromUtf8(server.process().identity().uuid());
    return CreateTabletRequestPB.newBuilder()
        .setDestUuid(uuid)
        .setTabletId(ByteString.copyFromUtf8(TABLET))
        .setTableId(ByteString.copyFromUtf8("fedcba9876543210fedcba9876543210"))
        .setTableName("t")
        .setSchema(SchemaWire.toWire(CLIENT.withFreshIds(), true))
        .setPartition(PartitionWire.toWire(new Partition(new int[0], new byte[0], new byte[0])))
        .setPartitionSchema(
            PartitionSchemaPB.newBuilder()
                .setRangeSchema(PartitionSchemaPB.RangeSchemaPB.getDefaultInstance()))
        .setConfig(
            RaftConfigPB.newBuilder()
                .addPeers(
                    RaftPeerPB.newBuilder()
                        .setPermanentUuid(uuid)
                        .setMemberType(RaftPeerPB.MemberType.VOTER)
                        .setRaftAddr(ServerIdentity.toWire(server.process().identity().raft()))))
        .build();
  }

  private WriteResponsePB write(RpcRequestId id, RowOperationsPB rows) {
    return ask(
        DATA,
        "Write",
        WriteRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(TABLET))
            .setSchema(SchemaWire.toWire(CLIENT, false))
            .setRowOperations(rows)
            .build(),
        WriteResponsePB.parser(),
        id);
  }

  private static RowOperationsPB rows(OperationType type, int... keys) {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (int key : keys) {
      writer.begin(type).setInt(0, key).end();
    }
    return RowOperationsWire.toWire(writer);
  }

  /** Rows that all refer to one cell. */
  private static RowOperationsPB sharing(int count) {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (int key = 0; key < count; key++) {
      writer.begin(OperationType.UPSERT).setInt(0, key).setString(1, "").end();
    }
    byte[] packed = writer.rows();
    int rowBytes = packed.length / count;
    for (int row = 0; row < count; row++) {
      LittleEndian.putLong(packed, (row + 1) * rowBytes - 8, CELL_BYTES);
    }
    return RowOperationsPB.newBuilder()
        .setRows(UnsafeByteOperations.unsafeWrap(packed))
        .setIndirectData(UnsafeByteOperations.unsafeWrap(new byte[CELL_BYTES]))
        .build();
  }

  private HostedTablet tablet() {
    return server.tablets().find(TABLET);
  }

  private ServerMemory memory() {
    return server.process().memory();
  }

  private static void assertRefused(WriteResponsePB answer, String reason) {
    assertThat(answer.getError().getStatus().getCode())
        .isEqualTo(AppStatusPB.ErrorCode.INVALID_ARGUMENT);
    assertThat(answer.getError().getStatus().getMessage()).contains(reason);
  }

  private void assertServes() {
    assertThat(tablet().isRunning()).isTrue();
    WriteResponsePB answer = write(null, rows(OperationType.UPSERT, Integer.MAX_VALUE));
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    assertThat(answer.getPerRowErrorsCount()).isZero();
    await().until(() -> memory().writes().usedBytes() == 0);
    assertThat(memory().writes().expectedBytes()).isZero();
  }

  /** The 525 KB of the request expand to 1.3 GB. */
  @Test
  void rowsThatExpandBeyondTheMessageLimitAreRejected() {
    long entries = tablet().replica().entriesSubmitted();
    RowOperationsPB attack = sharing(20_000);
    assertThat(attack.getSerializedSize()).isLessThan(600_000);
    assertRefused(write(null, attack), "decoded rows");
    assertThat(tablet().replica().entriesSubmitted()).isEqualTo(entries);
    assertServes();
  }

  @Test
  void rowsThatExpandALotAreAppliedAndTheirMemoryIsReleased() {
    int count = 600;
    WriteResponsePB answer = write(new RpcRequestId("client", 1, 1, 1), sharing(count));
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    assertThat(tablet().tablet().statistics().liveRows()).isEqualTo(count);
    assertThat(memory().applying().overdrafts()).isZero();
    ask(
        ADMIN,
        "FlushTablet",
        FlushTabletRequestPB.getDefaultInstance(),
        FlushTabletResponsePB.parser());
    assertThat(tablet().statistics().memRowSetBytes()).isLessThan(1 << 20);
    assertServes();
  }

  @Test
  void rowsOfARequestAreBounded() {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (int row = 0; row <= 1 << 20; row++) {
      writer.begin(OperationType.INSERT).setInt(0, 7).end();
    }
    assertRefused(write(null, RowOperationsWire.toWire(writer)), "more than 1048576 rows");
    assertServes();
  }

  @Test
  void errorsOfManyRowsAreReturnedCompletelyAndCachedCompactly() {
    int count = 300_000;
    RowOperationsPB alike = rows(OperationType.INSERT, new int[count]);
    RpcRequestId id = new RpcRequestId("c".repeat(RpcRequestId.MAX_ID_BYTES), 1, 1, 1);
    WriteResponsePB first = write(id, alike);
    assertThat(first.hasError()).as(first.getError().toString()).isFalse();
    assertThat(first.getPerRowErrorsCount()).isEqualTo(count - 1);
    assertThat(first.getPerRowErrors(count - 2).getRowIndex()).isEqualTo(count - 1);
    assertThat(first.getPerRowErrors(count - 2).getError().getMessage())
        .isEqualTo("key already present");
    assertThat(memory().requestCache().usedBytes()).isLessThan(2_000);
    assertThat(write(id, alike)).isEqualTo(first);
    assertServes();
  }

  @Test
  void alternatingErrorsAreCachedCompactly() {
    int count = 300_000;
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (int row = 0; row < count; row++) {
      writer.begin(row % 2 == 0 ? OperationType.UPSERT : OperationType.INSERT).setInt(0, 7).end();
    }
    RpcRequestId id = new RpcRequestId("client", 1, 1, 1);
    WriteResponsePB first = write(id, RowOperationsWire.toWire(writer));
    assertThat(first.getPerRowErrorsCount()).isEqualTo(count / 2);
    assertThat(memory().requestCache().usedBytes()).isLessThan(3L * count);
    assertThat(write(id, RowOperationsWire.toWire(writer))).isEqualTo(first);
    assertServes();
  }

  @Test
  void longClientIdsAreRefused() {
    RpcRequestId id = new RpcRequestId("c".repeat(60_000), 1, 1, 1);
    long remembered = memory().requestCache().usedBytes();
    assertRefused(
        write(id, rows(OperationType.UPSERT, 1)), "client id of the request has 60000 bytes");
    assertThat(memory().requestCache().usedBytes()).isEqualTo(remembered);
    assertServes();
  }
}
