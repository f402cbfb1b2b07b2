package dev.kudu4j.tserver;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.cluster.FlushTabletRequestPB;
import dev.kudu4j.common.proto.cluster.FlushTabletResponsePB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import dev.kudu4j.common.proto.tserver.ChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.ChecksumResponsePB;
import dev.kudu4j.common.proto.tserver.ContinueChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
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
import dev.kudu4j.common.rpc.RpcRequestId;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.RowOperationsWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.metrics.model.Distribution;
import dev.kudu4j.server.metrics.model.Metric;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.process.JvmShare;
import dev.kudu4j.server.rpc.ServerIdentity;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One of several tablet servers of a test, each with its own directory, used over its RPC port. */
final class CopyServer implements AutoCloseable {
  static final String DATA = "kudu.tserver.TabletServerService";
  static final String ADMIN = "kudu.tserver.TabletServerAdminService";
  static final String CONSENSUS = "kudu.consensus.ConsensusService";
  static final String TABLET = "0123456789abcdef0123456789abcdef";
  private static final Schema CLIENT =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).key(true).build(),
              ColumnSchema.builder("text", DataType.STRING).nullable(true).build()));

  private static final Duration PATIENCE = Duration.ofSeconds(Patience.SECONDS);

  private final Path directory;
  private final FileStore files;
  private final List<String> flags;
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());
  private TabletServer server;

  CopyServer(Path directory, String... flags) {
    this(directory, new LocalFileStore(), flags);
  }

  CopyServer(Path directory, FileStore files, String... flags) {
    this.directory = directory;
    this.files = files;
    this.flags = List.of(flags);
    start();
  }

  void start(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--fs_wal_dir=" + directory,
                "--rpc_bind_addresses=127.0.0.1:0",
                "--webserver_enabled=false",
                "--enable_maintenance_manager=false",
                "--memory_limit_hard_bytes=" + (600L << 20),
                "--tserver_master_addrs="));
    all.addAll(flags);
    all.addAll(List.of(more));
    server =
        TabletServer.start(
            FlagParser.parse(TabletServerOptions.all(), all), JvmShare.whole(), files);
    server.opened().join();
  }

  void stop() {
    server.close();
  }

  Path directory() {
    return directory;
  }

  TabletServer server() {
    return server;
  }

  HostedTablet tablet() {
    return server.tablets().find(TABLET);
  }

  String uuid() {
    return server.process().identity().uuid();
  }

  InetSocketAddress address() {
    var address = server.process().identity().rpcAddresses().get(0);
    return new InetSocketAddress(address.host(), address.port());
  }

  <R extends Message> R ask(String service, String method, Message request, Parser<R> parser) {
    return ask(service, method, request, parser, RpcCallOptions.timeout(PATIENCE));
  }

  private <R extends Message> R ask(
      String service, String method, Message request, Parser<R> parser, RpcCallOptions options) {
    try (RpcResponse<R> response =
        client.call(address(), service, method, request, parser, options).join()) {
      return response.message();
    }
  }

  // ---- tablets

  void createTablet() {
    CreateTabletResponsePB answer = create();
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    awaitLeader();
  }

  CreateTabletResponsePB create() {
    return create(creation());
  }

  CreateTabletResponsePB create(CreateTabletRequestPB request) {
    return ask(ADMIN, "CreateTablet", request, CreateTabletResponsePB.parser());
  }

  /** A request for a tablet with this server as its only member. */
  CreateTabletRequestPB creation() {
    ByteString uuid = ByteString.copyFromUtf8(uuid());
    return CreateTabletRequestPB.newBuilder()
        .setDestUuid(uuid)
        .setTabletId(tabletId())
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

  void awaitLeader() {
    await().until(() -> tablet().isRunning() && tablet().replica().isLeader());
  }

  static ByteString tabletId() {
    return ByteString.copyFromUtf8(TABLET);
  }

  void flush() {
    FlushTabletResponsePB answer =
        ask(
            ADMIN,
            "FlushTablet",
            FlushTabletRequestPB.newBuilder().setTabletId(tabletId()).build(),
            FlushTabletResponsePB.parser());
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
  }

  DeleteTabletResponsePB delete(TabletDataState how) {
    return delete(how, Long.MAX_VALUE);
  }

  /**
   * @param casIndex of the latest configuration that the replica may know
   */
  DeleteTabletResponsePB delete(TabletDataState how, long casIndex) {
    return ask(
        ADMIN,
        "DeleteTablet",
        DeleteTabletRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(uuid()))
            .setTabletId(tabletId())
            .setDeleteType(how)
            .setReason("a test")
            .setCasConfigOpidIndexLessOrEqual(casIndex)
            .build(),
        DeleteTabletResponsePB.parser());
  }

  TabletStatusPB status() {
    return ask(
            DATA,
            "ListTablets",
            ListTabletsRequestPB.getDefaultInstance(),
            ListTabletsResponsePB.parser())
        .getStatusAndSchema(0)
        .getTabletStatus();
  }

  // ---- rows

  /** Rows of about 1 KB of incompressible data. */
  WriteResponsePB insert(int from, int to) {
    return insert(from, to, null);
  }

  WriteResponsePB insert(int from, int to, RpcRequestId id) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(CLIENT));
    for (int key = from; key < to; key++) {
      rows.begin(OperationType.INSERT).setInt(0, key).setString(1, text(key));
      rows.end();
    }
    WriteRequestPB request =
        WriteRequestPB.newBuilder()
            .setTabletId(tabletId())
            .setSchema(SchemaWire.toWire(CLIENT, false))
            .setRowOperations(RowOperationsWire.toWire(rows))
            .build();
    RpcCallOptions options = RpcCallOptions.timeout(PATIENCE);
    return ask(
        DATA,
        "Write",
        request,
        WriteResponsePB.parser(),
        id == null ? options : options.withRequestId(id));
  }

  private static String text(int key) {
    Random random = new Random(key);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      text.append((char) ('!' + random.nextInt(90)));
    }
    return text.toString();
  }

  /** Rows and a sum of their cells. */
  record Content(long rows, long sum) {}

  /** The content at the latest snapshot. */
  Content content() {
    return content(NewScanRequestPB.newBuilder().setReadMode(ReadMode.READ_LATEST));
  }

  /** The content at the snapshot. */
  Content content(long snapshot) {
    return content(
        NewScanRequestPB.newBuilder()
            .setReadMode(ReadMode.READ_AT_SNAPSHOT)
            .setSnapTimestamp(snapshot));
  }

  private Content content(NewScanRequestPB.Builder scan) {
    scan.setTabletId(tabletId())
        .addAllProjectedColumns(SchemaWire.toWire(CLIENT, false).getColumnsList());
    ChecksumResponsePB answer =
        checksum(ChecksumRequestPB.newBuilder().setNewRequest(scan).build());
    long rows = answer.getRowsChecksummed();
    int sequence = 1;
    while (answer.getHasMoreResults()) {
      answer =
          checksum(
              ChecksumRequestPB.newBuilder()
                  .setCallSeqId(sequence++)
                  .setContinueRequest(
                      ContinueChecksumRequestPB.newBuilder()
                          .setScannerId(answer.getScannerId())
                          .setPreviousChecksum(answer.getChecksum()))
                  .build());
      rows += answer.getRowsChecksummed();
    }
    return new Content(rows, answer.getChecksum());
  }

  ChecksumResponsePB checksum(ChecksumRequestPB request) {
    ChecksumResponsePB answer = ask(DATA, "Checksum", request, ChecksumResponsePB.parser());
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    return answer;
  }

  // ---- copies

  /** Asks this server to copy the tablet. */
  StartTabletCopyResponsePB copyFrom(String sourceUuid, InetSocketAddress source, long term) {
    return ask(
        CONSENSUS,
        "StartTabletCopy",
        StartTabletCopyRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(uuid()))
            .setTabletId(tabletId())
            .setCopyPeerUuid(ByteString.copyFromUtf8(sourceUuid))
            .setCopyPeerAddr(
                HostPortPB.newBuilder()
                    .setHost(source.getAddress().getHostAddress())
                    .setPort(source.getPort()))
            .setCallerTerm(term)
            .build(),
        StartTabletCopyResponsePB.parser());
  }

  StartTabletCopyResponsePB copyFrom(CopyServer source) {
    return copyFrom(source.uuid(), source.address(), source.term());
  }

  long term() {
    return tablet().replica().consensus().term();
  }

  /** A value from the server's metrics. */
  long metric(Metric metric) {
    Map<Metric, Long> all = new HashMap<>();
    server
        .copies()
        .measure(
            new MetricEntity.Readings() {
              @Override
              public void add(Metric which, long value) {
                all.put(which, value);
              }

              @Override
              public void add(Metric which, double value) {}

              @Override
              public void add(Metric which, String word) {}

              @Override
              public void add(Metric which, List<String> labels, Distribution values) {}
            });
    return all.get(metric);
  }

  void awaitRunning() {
    await().until(() -> tablet() != null && tablet().isRunning());
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
