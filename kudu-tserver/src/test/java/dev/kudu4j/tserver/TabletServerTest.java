package dev.kudu4j.tserver;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.AlterSchemaResponsePB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.cluster.FlushTabletRequestPB;
import dev.kudu4j.common.proto.cluster.FlushTabletResponsePB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.common.TableExtraConfigPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
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
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.RowOperationsWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.metrics.model.RecordedReadings;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tserver.heartbeat.ReplicaReport;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tablet server without a master: tablets are created, written, scanned, flushed and reopened
 * over its RPC port.
 */
class TabletServerTest {
  private static final String DATA = "kudu.tserver.TabletServerService";
  private static final String ADMIN = "kudu.tserver.TabletServerAdminService";
  private static final String TABLET = "0123456789abcdef0123456789abcdef";
  private static final Schema CLIENT =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).key(true).build(),
              ColumnSchema.builder("text", DataType.STRING).nullable(true).build()));

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
                    "--unlock_unsafe_flags",
                    "--memory_limit_hard_bytes=" + (600L << 20),
                    "--tserver_master_addrs=")));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private <R extends Message> RpcResponse<R> call(
      String service, String method, Message request, Parser<R> parser, RpcCallOptions options) {
    var address = server.process().identity().rpcAddresses().get(0);
    return client
        .call(
            new InetSocketAddress(address.host(), address.port()),
            service,
            method,
            request,
            parser,
            options)
        .join();
  }

  private <R extends Message> R ask(
      String service, String method, Message request, Parser<R> parser) {
    try (RpcResponse<R> response =
        call(
            service,
            method,
            request,
            parser,
            RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS)))) {
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
                        .setRaftAddr(
                            dev.kudu4j.server.rpc.ServerIdentity.toWire(
                                server.process().identity().raft()))))
        .build();
  }

  private void createTablet() {
    CreateTabletResponsePB answer =
        ask(ADMIN, "CreateTablet", creation(), CreateTabletResponsePB.parser());
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    awaitServing();
  }

  private void awaitServing() {
    await().until(() -> !write(0, OperationType.DELETE_IGNORE, -1).hasError());
  }

  private WriteResponsePB write(long sequence, OperationType type, int... keys) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(CLIENT));
    for (int key : keys) {
      rows.begin(type).setInt(0, key);
      if (type == OperationType.INSERT) {
        rows.setString(1, "text-" + key);
      }
      rows.end();
    }
    return write(sequence, rows);
  }

  private WriteResponsePB write(long sequence, RowOperationsWriter rows) {
    WriteRequestPB request =
        WriteRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(TABLET))
            .setSchema(SchemaWire.toWire(CLIENT, false))
            .setRowOperations(RowOperationsWire.toWire(rows))
            .build();
    RpcCallOptions options = RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS));
    if (sequence > 0) {
      options = options.withRequestId(new RpcRequestId("client", sequence, sequence, 1));
    }
    try {
      try (RpcResponse<WriteResponsePB> response =
          call(DATA, "Write", request, WriteResponsePB.parser(), options)) {
        return response.message();
      }
    } catch (java.util.concurrent.CompletionException notYet) {
      return WriteResponsePB.newBuilder()
          .setError(
              TabletServerErrorPB.newBuilder()
                  .setCode(TabletServerErrorPB.Code.UNKNOWN_ERROR)
                  .setStatus(
                      dev.kudu4j.common.wire.StatusWire.toWire(
                          dev.kudu4j.common.status.StatusCode.SERVICE_UNAVAILABLE,
                          notYet.toString())))
          .build();
    }
  }

  private int count(ReadMode mode, long flags) {
    NewScanRequestPB.Builder scan =
        NewScanRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(TABLET))
            .addAllProjectedColumns(SchemaWire.toWire(CLIENT, false).getColumnsList())
            .setReadMode(mode)
            .setRowFormatFlags(flags);
    ScanResponsePB reply =
        ask(
            DATA,
            "Scan",
            ScanRequestPB.newBuilder().setNewScanRequest(scan).build(),
            ScanResponsePB.parser());
    assertThat(reply.hasError()).as(reply.toString()).isFalse();
    int rows = rows(reply);
    int sequence = 1;
    ByteString id = reply.getScannerId();
    while (reply.getHasMoreResults()) {
      reply =
          ask(
              DATA,
              "Scan",
              ScanRequestPB.newBuilder().setScannerId(id).setCallSeqId(sequence++).build(),
              ScanResponsePB.parser());
      assertThat(reply.hasError()).as(reply.toString()).isFalse();
      rows += rows(reply);
    }
    return rows;
  }

  private static int rows(ScanResponsePB reply) {
    return reply.hasColumnarData()
        ? (int) reply.getColumnarData().getNumRows()
        : reply.getData().getNumRows();
  }

  private static int[] range(int from, int to) {
    return java.util.stream.IntStream.range(from, to).toArray();
  }

  @Test
  void writesAreScannedInBothLayoutsBeforeAndAfterAFlush() {
    createTablet();
    assertThat(write(1, OperationType.INSERT, range(0, 1000)).getPerRowErrorsCount()).isZero();
    assertThat(count(ReadMode.READ_LATEST, 0)).isEqualTo(1000);
    assertThat(
            ask(
                    ADMIN,
                    "FlushTablet",
                    FlushTabletRequestPB.getDefaultInstance(),
                    FlushTabletResponsePB.parser())
                .getFlushed())
        .isEqualTo(1);
    assertThat(write(2, OperationType.INSERT, range(1000, 1500)).getPerRowErrorsCount()).isZero();
    assertThat(write(3, OperationType.DELETE, range(0, 10)).getPerRowErrorsCount()).isZero();
    assertThat(count(ReadMode.READ_LATEST, 0)).isEqualTo(1490);
    assertThat(count(ReadMode.READ_AT_SNAPSHOT, 2)).isEqualTo(1490);
  }

  @Test
  void writesAndScansAreMeasuredByTablet() {
    createTablet();
    TabletMetrics metrics = new TabletMetrics(server.tablets());
    Supplier<Map<String, Long>> ofTablet =
        () -> RecordedReadings.of(metrics.entities().findAny().orElseThrow().measure());
    long before = ofTablet.get().get("write_op_duration_client_propagated_consistency");
    write(1, OperationType.INSERT, range(0, 100));
    count(ReadMode.READ_LATEST, 0);
    assertThat(ofTablet.get())
        .containsEntry("write_op_duration_client_propagated_consistency", before + 1)
        .containsEntry("write_op_duration_commit_wait_consistency", 0L)
        .containsEntry("scan_duration_wall_time", 1L)
        .containsEntry("all_transactions_inflight", 0L)
        .containsEntry("in_progress_ops", 0L)
        .containsEntry("time_since_last_leader_heartbeat", 0L)
        .containsEntry("flush_mrs_running", 0L)
        .containsEntry("last_read_elapsed_time", 0L);
    assertThat(RecordedReadings.of(metrics::measureAll))
        .containsEntry("create_tablet_run_time", 1L)
        .containsEntry("tablets_num_total_startup", 0L)
        .containsEntry("log_block_manager_bytes_under_management", 0L);
    stopAndStart();
    assertThat(RecordedReadings.of(new TabletMetrics(server.tablets())::measureAll))
        .containsEntry("tablets_num_total_startup", 1L)
        .containsEntry("tablets_num_opened_startup", 1L);
  }

  @Test
  void theSizeOnDiskIncludesTheLogOfUnflushedRows() {
    createTablet();
    HostedTablet hosted = server.tablets().find(TABLET);
    long empty = hosted.onDiskBytes();
    write(1, OperationType.INSERT, range(0, 1000));
    assertThat(hosted.statistics().onDiskBytes()).isZero();
    long unflushed = hosted.onDiskBytes() - empty;
    assertThat(unflushed).isGreaterThan(4_000); // of 1,000 keys of 4 bytes
    assertThat(ReplicaReport.of(hosted).getOnDiskSize()).isEqualTo(hosted.onDiskBytes());
    ask(
        ADMIN,
        "FlushTablet",
        FlushTabletRequestPB.getDefaultInstance(),
        FlushTabletResponsePB.parser());
    long files = hosted.statistics().onDiskBytes();
    assertThat(files).isPositive();
    assertThat(hosted.onDiskBytes()).isLessThan(files + unflushed); // not counted twice
  }

  private ScanResponsePB open(int batchBytes) {
    NewScanRequestPB.Builder scan =
        NewScanRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(TABLET))
            .addAllProjectedColumns(SchemaWire.toWire(CLIENT, false).getColumnsList());
    ScanRequestPB.Builder request =
        ScanRequestPB.newBuilder()
            .setNewScanRequest(scan)
            .setQueryId(ByteString.copyFromUtf8("nightly report"));
    if (batchBytes >= 0) {
      request.setBatchSizeBytes(batchBytes);
    }
    return ask(DATA, "Scan", request.build(), ScanResponsePB.parser());
  }

  @Test
  void aSmallBatchHasAtMostABlockOfRows() {
    createTablet();
    write(1, OperationType.INSERT, range(0, 300));
    for (int batchBytes : new int[] {1, 100}) {
      ScanResponsePB inMemory = open(batchBytes);
      assertThat(rows(inMemory)).isEqualTo(128);
      assertThat(inMemory.getHasMoreResults()).isTrue();
    }
    ask(
        ADMIN,
        "FlushTablet",
        FlushTabletRequestPB.getDefaultInstance(),
        FlushTabletResponsePB.parser());
    assertThat(rows(open(1))).isEqualTo(128);
    assertThat(rows(open(-1))).isEqualTo(300);
  }

  @Test
  void aResponseHasTheQueueTimeOfItsCall() {
    createTablet();
    assertThat(open(-1).getResourceMetrics().getQueueDurationNanos()).isPositive();
  }

  @Test
  void flagsOfScansTakeEffectWhileTheServerRuns() {
    createTablet();
    write(1, OperationType.INSERT, range(0, 300));
    server.process().flags().change("scanner_max_batch_size_bytes", "1", false);
    ScanResponsePB first = open(1_000_000);
    assertThat(first.getHasMoreResults()).as("rows of one block only").isTrue();
    server.process().flags().change("scanner_ttl_ms", "1", false);
    await()
        .untilAsserted(
            () ->
                assertThat(
                        ask(
                                DATA,
                                "ScannerKeepAlive",
                                ScannerKeepAliveRequestPB.newBuilder()
                                    .setScannerId(first.getScannerId())
                                    .build(),
                                ScannerKeepAliveResponsePB.parser())
                            .getError()
                            .getCode())
                    .isEqualTo(TabletServerErrorPB.Code.SCANNER_EXPIRED));
  }

  @Test
  void scansCanBeDelayedAndRefusedForTests() {
    createTablet();
    write(1, OperationType.INSERT, range(0, 300));
    server.process().flags().change("scanner_inject_latency_on_each_batch_ms", "50", false);
    ScanResponsePB first = open(1);
    assertThat(first.getResourceMetrics().getTotalDurationNanos())
        .isGreaterThanOrEqualTo(50_000_000);
    server
        .process()
        .flags()
        .change("scanner_inject_service_unavailable_on_continue_scan", "true", false);
    ScanRequestPB next =
        ScanRequestPB.newBuilder().setScannerId(first.getScannerId()).setCallSeqId(1).build();
    assertThatThrownBy(() -> ask(DATA, "Scan", next, ScanResponsePB.parser()))
        .hasMessageContaining("Service unavailable: Injecting");
    server
        .process()
        .flags()
        .change("scanner_inject_service_unavailable_on_continue_scan", "false", false);
    assertThat(rows(ask(DATA, "Scan", next, ScanResponsePB.parser()))).isPositive();
  }

  @Test
  void aRetriedWriteGetsItsFirstResultAlsoAfterARestart() {
    createTablet();
    WriteResponsePB first = write(7, OperationType.INSERT, 1, 2, 1);
    assertThat(first.getPerRowErrorsCount()).isEqualTo(1);
    assertThat(write(7, OperationType.INSERT, 1, 2, 1)).isEqualTo(first);
    stopAndStart();
    assertThat(write(7, OperationType.INSERT, 1, 2, 1)).isEqualTo(first);
    assertThat(count(ReadMode.READ_LATEST, 2)).isEqualTo(2);
  }

  @Test
  void rowsSurviveARestartWithAndWithoutAFlush() {
    createTablet();
    write(1, OperationType.INSERT, range(0, 100));
    ask(
        ADMIN,
        "FlushTablet",
        FlushTabletRequestPB.getDefaultInstance(),
        FlushTabletResponsePB.parser());
    write(2, OperationType.INSERT, range(100, 150));
    stopAndStart();
    assertThat(count(ReadMode.READ_LATEST, 0)).isEqualTo(150);
    ListTabletsResponsePB tablets =
        ask(
            DATA,
            "ListTablets",
            ListTabletsRequestPB.getDefaultInstance(),
            ListTabletsResponsePB.parser());
    assertThat(tablets.getStatusAndSchema(0).getTabletStatus().getState())
        .isEqualTo(TabletStatePB.RUNNING);
  }

  @Test
  void aTabletThatIsBeingDeletedIsListedAndNotFlushed() {
    createTablet();
    write(1, OperationType.INSERT, range(0, 100));
    HostedTablet hosted = server.tablets().find(TABLET);
    assertThat(hosted.statistics().liveRows()).isEqualTo(100);

    hosted.replica().close(); // as a deletion does before it removes the files

    FlushTabletResponsePB flush =
        ask(
            ADMIN,
            "FlushTablet",
            FlushTabletRequestPB.getDefaultInstance(),
            FlushTabletResponsePB.parser());
    assertThat(flush.hasError()).as(flush.toString()).isFalse();
    assertThat(flush.getFlushed()).isZero();
    assertThat(hosted.statistics().liveRows()).isEqualTo(100);
    ListTabletsResponsePB tablets =
        ask(
            DATA,
            "ListTablets",
            ListTabletsRequestPB.getDefaultInstance(),
            ListTabletsResponsePB.parser());
    assertThat(tablets.getStatusAndSchema(0).getTabletStatus().getState())
        .isEqualTo(TabletStatePB.STOPPED);
  }

  private void stopAndStart() {
    server.close();
    start();
    awaitServing();
  }

  @Test
  void anInterruptedCreationCanBeRepeated() throws IOException {
    createTablet();
    assertThat(write(1, OperationType.INSERT, 1).hasError()).isFalse();
    server.close();
    Path log;
    try (Stream<Path> logs = Files.list(directory.resolve("wals"))) {
      log =
          logs.filter(path -> path.getFileName().toString().startsWith("01234567-"))
              .findFirst()
              .orElseThrow();
    }
    new LocalFileStore().deleteTree(log); // as after a kill before the log was created
    start();
    await().until(() -> state() == TabletStatePB.FAILED);
    createTablet();
    assertThat(write(1, OperationType.INSERT, 1, 2).getPerRowErrorsList()).isEmpty();

    server.close();
    new LocalFileStore().deleteTree(log);
    Files.delete(directory.resolve("data").resolve(TABLET).resolve("superblock"));
    start();
    await().until(() -> state() == TabletStatePB.FAILED);
    createTablet();
    assertThat(write(1, OperationType.INSERT, 1, 2, 3).getPerRowErrorsList()).isEmpty();
  }

  @Test
  void aLostTabletIsNotCreatedAgainOverItsFiles() throws IOException {
    createTablet();
    write(1, OperationType.INSERT, 1);
    ask(
        ADMIN,
        "FlushTablet",
        FlushTabletRequestPB.getDefaultInstance(),
        FlushTabletResponsePB.parser());
    server.close();
    try (Stream<Path> logs = Files.list(directory.resolve("wals"))) {
      for (Path log : logs.toList()) {
        new LocalFileStore().deleteTree(log);
      }
    }
    start();
    await().until(() -> state() == TabletStatePB.FAILED);
    ask(ADMIN, "CreateTablet", creation(), CreateTabletResponsePB.parser());
    assertThat(state()).isEqualTo(TabletStatePB.FAILED);
  }

  @Test
  void aCreationAfterTheDeletionOrForAnEarlierRunIsRejected() {
    long run = server.process().identity().nodeInstance().getInstanceSeqno();
    CreateTabletRequestPB late = creation().toBuilder().setDestInstanceSeqno(run).build();
    DeleteTabletResponsePB answer = delete();
    assertThat(answer.getError().getCode()).isEqualTo(TabletServerErrorPB.Code.TABLET_NOT_FOUND);
    assertThat(ask(ADMIN, "CreateTablet", late, CreateTabletResponsePB.parser()).hasError())
        .isTrue();
    assertThat(server.tablets().find(TABLET)).isNull();

    server.close();
    start();
    assertThat(
            ask(ADMIN, "CreateTablet", late, CreateTabletResponsePB.parser()).getError().getCode())
        .isEqualTo(TabletServerErrorPB.Code.WRONG_SERVER_UUID);
    createTablet();
    assertThat(delete().hasError()).isFalse();
    assertThat(server.tablets().find(TABLET)).isNull();
  }

  private DeleteTabletResponsePB delete() {
    DeleteTabletRequestPB deletion =
        DeleteTabletRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(server.process().identity().uuid()))
            .setTabletId(ByteString.copyFromUtf8(TABLET))
            .setDeleteType(TabletDataState.TABLET_DATA_DELETED)
            .build();
    return ask(ADMIN, "DeleteTablet", deletion, DeleteTabletResponsePB.parser());
  }

  @Test
  void anAlteredHistoryAgeReachesTheTabletAndSurvivesARestart() {
    createTablet();
    assertThat(server.tablets().find(TABLET).maintenanceConfig().historySeconds()).isEmpty();
    AlterSchemaRequestPB alteration =
        AlterSchemaRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(server.process().identity().uuid()))
            .setTabletId(ByteString.copyFromUtf8(TABLET))
            .setSchema(creation().getSchema())
            .setSchemaVersion(1)
            .setTableName("t")
            .setExtraConfig(TableExtraConfigPB.newBuilder().setHistoryMaxAgeSec(77))
            .build();
    AlterSchemaResponsePB answer =
        ask(ADMIN, "AlterSchema", alteration, AlterSchemaResponsePB.parser());
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    assertThat(server.tablets().find(TABLET).maintenanceConfig().historySeconds()).hasValue(77);
    stopAndStart(); // the log is replayed
    assertThat(server.tablets().find(TABLET).maintenanceConfig().historySeconds()).hasValue(77);
    ask(
        ADMIN,
        "FlushTablet",
        FlushTabletRequestPB.getDefaultInstance(),
        FlushTabletResponsePB.parser());
    stopAndStart(); // from the superblock
    assertThat(server.tablets().find(TABLET).maintenanceConfig().historySeconds()).hasValue(77);
  }

  /** Rows of 100 bytes each that compress badly. */
  private void writeLarge(long sequence, int from, int to) {
    Random random = new Random(sequence);
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(CLIENT));
    for (int key = from; key < to; key++) {
      byte[] text = new byte[75];
      random.nextBytes(text);
      rows.begin(OperationType.INSERT).setInt(0, key);
      rows.setString(1, Base64.getEncoder().encodeToString(text)).end();
    }
    assertThat(write(sequence, rows).getPerRowErrorsCount()).isZero();
  }

  private void flush() {
    ask(
        ADMIN,
        "FlushTablet",
        FlushTabletRequestPB.getDefaultInstance(),
        FlushTabletResponsePB.parser());
  }

  private void alter(Schema schema, int version) {
    AlterSchemaResponsePB answer =
        ask(
            ADMIN,
            "AlterSchema",
            AlterSchemaRequestPB.newBuilder()
                .setDestUuid(ByteString.copyFromUtf8(server.process().identity().uuid()))
                .setTabletId(ByteString.copyFromUtf8(TABLET))
                .setSchema(SchemaWire.toWire(schema, true))
                .setSchemaVersion(version)
                .setTableName("t")
                .setExtraConfig(TableExtraConfigPB.newBuilder().setHistoryMaxAgeSec(0))
                .build(),
            AlterSchemaResponsePB.parser());
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
  }

  private long diskBytes() {
    return server.tablets().find(TABLET).tablet().statistics().onDiskBytes();
  }

  @Test
  void spaceOfDeletedRowsAndDroppedColumnsIsReclaimed() {
    createTablet();
    alter(CLIENT.withFreshIds(), 1); // no history
    writeLarge(1, 0, 30_000);
    flush();
    long full = diskBytes();
    assertThat(full).isGreaterThan(2_000_000);
    assertThat(write(2, OperationType.DELETE, range(0, 27_000)).getPerRowErrorsCount()).isZero();
    flush();
    await().until(() -> diskBytes() < full / 5);
    assertThat(count(ReadMode.READ_LATEST, 0)).isEqualTo(3_000);
    long rest = diskBytes();
    alter(new Schema(List.of(CLIENT.withFreshIds().column(0))), 2);
    await().until(() -> diskBytes() < rest / 4);
  }

  private TabletStatePB state() {
    return ask(
            DATA,
            "ListTablets",
            ListTabletsRequestPB.getDefaultInstance(),
            ListTabletsResponsePB.parser())
        .getStatusAndSchema(0)
        .getTabletStatus()
        .getState();
  }
}
