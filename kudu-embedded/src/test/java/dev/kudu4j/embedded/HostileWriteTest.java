package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tserver.ChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.ChecksumResponsePB;
import dev.kudu4j.common.proto.tserver.ContinueChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Small writes that expand to many bytes do not affect other clients of a cluster with little
 * memory.
 */
@Timeout(180)
class HostileWriteTest {
  private static final String SERVICE = "kudu.tserver.TabletServerService";
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("id", DataType.INT64).key(true).build(),
              ColumnSchema.builder("text", DataType.STRING).nullable(true).build()));
  private static final int SERVERS = 3;
  private static final int CELL_BYTES = 64 << 10;

  /**
   * The cell size of the accepted writes. Blocks of such rows fit into the scan memory of these
   * servers.
   */
  private static final int SMALL_CELL_BYTES = 2 << 10;

  private static final int ROWS_OF_A_WRITE = 300;
  private static final int WRITES = 10;

  /** A scan has little memory on these servers, too. */
  private static final int BATCH_BYTES = 256 << 10;

  private final RpcClient rpc = new RpcClient(RpcClientOptions.defaults());

  private <T extends Message> T call(
      EmbeddedCluster cluster, int server, String method, Message request, Parser<T> parser)
      throws Exception {
    try (RpcResponse<T> response =
        rpc.call(
                cluster.tabletServerAddress(server).resolve(),
                SERVICE,
                method,
                request,
                parser,
                RpcCallOptions.timeoutMillis(60_000))
            .get(Patience.SECONDS, TimeUnit.SECONDS)) {
      return response.message();
    }
  }

  /** Rows that all refer to the same cell. */
  private static RowOperationsPB sharing(int firstKey, int count, int cellBytes) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(SCHEMA));
    for (int key = firstKey; key < firstKey + count; key++) {
      writer.begin(OperationType.UPSERT).setLong(0, key).setString(1, "").end();
    }
    byte[] packed = writer.rows();
    int rowBytes = packed.length / count;
    for (int row = 0; row < count; row++) {
      LittleEndian.putLong(packed, (row + 1) * rowBytes - 8, cellBytes);
    }
    return RowOperationsPB.newBuilder()
        .setRows(UnsafeByteOperations.unsafeWrap(packed))
        .setIndirectData(UnsafeByteOperations.unsafeWrap(new byte[cellBytes]))
        .build();
  }

  /** The leader's response; retries while the server is overloaded. */
  private AppStatusPB write(EmbeddedCluster cluster, ByteString tablet, RowOperationsPB rows)
      throws Exception {
    WriteRequestPB request =
        WriteRequestPB.newBuilder()
            .setTabletId(tablet)
            .setSchema(SchemaWire.toWire(SCHEMA, false))
            .setRowOperations(rows)
            .build();
    for (int server = 0; ; server = (server + 1) % SERVERS) {
      AppStatusPB status = writeAt(cluster, server, request);
      if (status.getCode() != AppStatusPB.ErrorCode.ILLEGAL_STATE
          && status.getCode() != AppStatusPB.ErrorCode.SERVICE_UNAVAILABLE) {
        return status;
      }
    }
  }

  private AppStatusPB writeAt(EmbeddedCluster cluster, int server, WriteRequestPB request)
      throws Exception {
    try {
      WriteResponsePB answer = call(cluster, server, "Write", request, WriteResponsePB.parser());
      return answer.hasError() ? answer.getError().getStatus() : status(AppStatusPB.ErrorCode.OK);
    } catch (ExecutionException busy) {
      assertThat(busy).hasMessageContaining("Service unavailable");
      return status(AppStatusPB.ErrorCode.SERVICE_UNAVAILABLE);
    }
  }

  private static AppStatusPB status(AppStatusPB.ErrorCode code) {
    return AppStatusPB.newBuilder().setCode(code).build();
  }

  private long checksum(EmbeddedCluster cluster, int server, ByteString tablet) throws Exception {
    ChecksumResponsePB answer =
        call(
            cluster,
            server,
            "Checksum",
            ChecksumRequestPB.newBuilder()
                .setNewRequest(
                    NewScanRequestPB.newBuilder()
                        .setTabletId(tablet)
                        .addAllProjectedColumns(SchemaWire.toWire(SCHEMA, false).getColumnsList())
                        .setReadMode(ReadMode.READ_LATEST))
                .setBatchSizeBytes(BATCH_BYTES)
                .build(),
            ChecksumResponsePB.parser());
    ByteString scanner = answer.getScannerId(); // only in the first response
    for (int calls = 1; answer.getHasMoreResults(); calls++) {
      answer =
          call(
              cluster,
              server,
              "Checksum",
              ChecksumRequestPB.newBuilder()
                  .setContinueRequest(
                      ContinueChecksumRequestPB.newBuilder()
                          .setScannerId(scanner)
                          .setPreviousChecksum(answer.getChecksum()))
                  .setCallSeqId(calls)
                  .setBatchSizeBytes(BATCH_BYTES)
                  .build(),
              ChecksumResponsePB.parser());
    }
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    return answer.getChecksum();
  }

  private boolean allRun(EmbeddedCluster cluster) throws Exception {
    for (int server = 0; server < SERVERS; server++) {
      boolean run =
          call(
                  cluster,
                  server,
                  "ListTablets",
                  ListTabletsRequestPB.getDefaultInstance(),
                  ListTabletsResponsePB.parser())
              .getStatusAndSchemaList()
              .stream()
              .allMatch(tablet -> tablet.getTabletStatus().getState() == TabletStatePB.RUNNING);
      if (!run) {
        return false;
      }
    }
    return true;
  }

  @Test
  void rowsThatShareTheirBytesDoNoHarm() throws Exception {
    try (rpc;
        EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .tabletServers(SERVERS)
                .memoryPerServerBytes(160L << 20)
                .start()) {
      KuduTable table =
          cluster
              .client()
              .createTable(
                  "victim",
                  new dev.kudu4j.Schema(
                      List.of(
                          new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                          new ColumnSchemaBuilder("text", Type.STRING).nullable(true).build())),
                  new CreateTableOptions().setRangePartitionColumns(List.of("id")));
      ByteString tablet =
          ByteString.copyFrom(table.getTabletsLocations(60_000).get(0).getTabletId());
      PeopleTable others = PeopleTable.create(cluster.client());

      AppStatusPB refused = write(cluster, tablet, sharing(0, 20_000, CELL_BYTES));
      assertThat(refused.getCode()).isEqualTo(AppStatusPB.ErrorCode.INVALID_ARGUMENT);
      assertThat(refused.getMessage()).contains("decoded rows");
      for (int i = 0; i < WRITES; i++) {
        AppStatusPB status =
            write(cluster, tablet, sharing(i * ROWS_OF_A_WRITE, ROWS_OF_A_WRITE, SMALL_CELL_BYTES));
        assertThat(status.getCode()).as(status.toString()).isEqualTo(AppStatusPB.ErrorCode.OK);
        others.insert(i, "meanwhile");
      }

      assertThat(allRun(cluster)).isTrue();
      assertThat(others.rows()).hasSize(WRITES);
      await()
          .ignoreException(ExecutionException.class) // scans may be rejected for memory, too
          .untilAsserted(
              () -> {
                Set<Long> checksums = new TreeSet<>();
                for (int server = 0; server < SERVERS; server++) {
                  checksums.add(checksum(cluster, server, tablet));
                }
                assertThat(checksums).hasSize(1);
              });
    }
  }
}
