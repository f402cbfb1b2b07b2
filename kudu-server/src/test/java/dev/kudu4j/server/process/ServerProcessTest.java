package dev.kudu4j.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.common.MemTrackerPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateRequestPB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateResponsePB;
import dev.kudu4j.common.proto.consensus.GetLastOpIdRequestPB;
import dev.kudu4j.common.proto.consensus.GetLastOpIdResponsePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersRequestPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersResponsePB;
import dev.kudu4j.common.proto.server.GetFlagsRequestPB;
import dev.kudu4j.common.proto.server.GetFlagsResponsePB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.proto.server.ServerClockRequestPB;
import dev.kudu4j.common.proto.server.ServerClockResponsePB;
import dev.kudu4j.common.proto.server.SetFlagRequestPB;
import dev.kudu4j.common.proto.server.SetFlagResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.ServerOptions;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.TestReplicas;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
  private static final String TABLET = "0123456789abcdef0123456789abcdef";
  private static final String CONSENSUS = "kudu.consensus.ConsensusService";
  private static final String GENERIC = "kudu.server.GenericService";

  /** Contains the replicas that a test adds. */
  private static final class Replicas implements ReplicaDirectory {
    private final List<TabletReplica> all = new CopyOnWriteArrayList<>();

    @Override
    public Optional<TabletReplica> find(String tabletId) {
      return all.stream().filter(replica -> replica.tabletId().equals(tabletId)).findAny();
    }

    @Override
    public Collection<TabletReplica> all() {
      return all;
    }
  }

  @TempDir Path directory;
  private final Replicas replicas = new Replicas();
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());
  private ServerProcess process;

  private static int clockError(String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--fs_wal_dir=unused");
    return ServerConfiguration.of(
            FlagParser.parse(ServerOptions.tabletServer(), all), JvmShare.whole())
        .systemClockErrorMicros();
  }

  /** The wait of a write in COMMIT_WAIT mode. */
  @Test
  void theClockErrorIsFarBelowTheMaximumClockDifference() {
    assertThat(clockError()).isEqualTo(100_000);
    assertThat(clockError("--system_clock_error_usec=5000")).isEqualTo(5_000);
    assertThat(clockError("--max_clock_sync_error_usec=1000")).isEqualTo(1_000);
    assertThat(clockError("--time_source=system_unsync")).isZero();
  }

  @BeforeEach
  void start() {
    process = open();
    process.start(replicas, List.of());
  }

  private ServerProcess open(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--fs_wal_dir=" + directory.resolve("wal"),
                "--rpc_bind_addresses=127.0.0.1:0",
                "--webserver_interface=127.0.0.1",
                "--webserver_port=0"));
    arguments.addAll(List.of(more));
    return ServerProcess.open(FlagParser.parse(ServerOptions.tabletServer(), arguments));
  }

  @AfterEach
  void stop() {
    client.close();
    process.close();
  }

  private <R extends Message> R call(
      String service, String method, Message request, Parser<R> parser) throws Exception {
    InetSocketAddress address = process.identity().rpcAddresses().get(0).resolve();
    try (RpcResponse<R> response =
        client
            .call(address, service, method, request, parser, RpcCallOptions.timeoutMillis(30_000))
            .get(30, TimeUnit.SECONDS)) {
      return response.message();
    }
  }

  private String get(String path) throws Exception {
    HttpResponse<String> response = page(path);
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private HttpResponse<String> page(String path) throws Exception {
    process.webStarted().get(30, TimeUnit.SECONDS);
    GetStatusResponsePB status =
        call(
            GENERIC,
            "GetStatus",
            GetStatusRequestPB.getDefaultInstance(),
            GetStatusResponsePB.parser());
    int port = status.getStatus().getBoundHttpAddresses(0).getPort();
    return fetch(URI.create("http://127.0.0.1:" + port + path));
  }

  private static HttpResponse<String> fetch(URI page) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void statusContainsTheServersIdentity() throws Exception {
    GetStatusResponsePB response =
        call(
            GENERIC,
            "GetStatus",
            GetStatusRequestPB.getDefaultInstance(),
            GetStatusResponsePB.parser());
    assertThat(response.getStatus().getNodeInstance().getPermanentUuid().toStringUtf8())
        .isEqualTo(process.files().instance().uuid());
    assertThat(response.getStatus().getBoundRpcAddresses(0).getPort())
        .isEqualTo(process.identity().rpcAddresses().get(0).port())
        .isPositive();
    assertThat(response.getStatus().getVersionInfo().getVersionString()).isNotEmpty();
    assertThat(response.getStatus().getRaftAddress().getPort())
        .isEqualTo(process.files().instance().raftPort());
  }

  @Test
  void flagsAreListedAndChanged() throws Exception {
    GetFlagsResponsePB given =
        call(
            GENERIC,
            "GetFlags",
            GetFlagsRequestPB.getDefaultInstance(),
            GetFlagsResponsePB.parser());
    assertThat(given.getFlagsList())
        .extracting(GetFlagsResponsePB.Flag::getName)
        .containsExactly("fs_wal_dir", "rpc_bind_addresses", "webserver_port");
    assertThat(setFlag("scanner_ttl_ms", "77")).isEqualTo(SetFlagResponsePB.Code.SUCCESS);
    assertThat(setFlag("scanner_ttl_ms", "x")).isEqualTo(SetFlagResponsePB.Code.BAD_VALUE);
    assertThat(setFlag("fs_wal_dir", "x")).isEqualTo(SetFlagResponsePB.Code.NOT_SAFE);
    assertThat(setFlag("zzz", "x")).isEqualTo(SetFlagResponsePB.Code.NO_SUCH_FLAG);
    GetFlagsResponsePB one =
        call(
            GENERIC,
            "GetFlags",
            GetFlagsRequestPB.newBuilder().addFlags("scanner_ttl_ms").build(),
            GetFlagsResponsePB.parser());
    assertThat(one.getFlagsList())
        .singleElement()
        .satisfies(
            flag -> {
              assertThat(flag.getValue()).isEqualTo("77");
              assertThat(flag.getTagsList()).contains("runtime");
            });
  }

  private SetFlagResponsePB.Code setFlag(String name, String value) throws Exception {
    return call(
            GENERIC,
            "SetFlag",
            SetFlagRequestPB.newBuilder().setFlag(name).setValue(value).build(),
            SetFlagResponsePB.parser())
        .getResult();
  }

  @Test
  void clockAndMemoryAreReported() throws Exception {
    long before = process.clock().now();
    ServerClockResponsePB clock =
        call(
            GENERIC,
            "ServerClock",
            ServerClockRequestPB.getDefaultInstance(),
            ServerClockResponsePB.parser());
    assertThat(clock.getTimestamp()).isGreaterThan(before);
    MemTrackerPB root =
        call(
                GENERIC,
                "DumpMemTrackers",
                DumpMemTrackersRequestPB.getDefaultInstance(),
                DumpMemTrackersResponsePB.parser())
            .getRootTracker();
    assertThat(root.getChildTrackersList())
        .extracting(MemTrackerPB::getId)
        .contains("heap", "data", "direct");
  }

  @Test
  void consensusStateIsReported() throws Exception {
    replicas.all.add(TestReplicas.recording(TABLET, process.replicas().get(30, TimeUnit.SECONDS)));
    process.onClose(replicas.all.get(0));
    GetConsensusStateResponsePB state =
        call(
            CONSENSUS,
            "GetConsensusState",
            GetConsensusStateRequestPB.getDefaultInstance(),
            GetConsensusStateResponsePB.parser());
    assertThat(state.getTabletsList()).hasSize(1);
    assertThat(state.getTablets(0).getTabletId().toStringUtf8()).isEqualTo(TABLET);
    assertThat(state.getTablets(0).getCstate().getLeaderUuid())
        .isEqualTo(process.identity().uuid());
    RaftPeerPB peer = state.getTablets(0).getCstate().getCommittedConfig().getPeers(0);
    assertThat(peer.getMemberType()).isEqualTo(RaftPeerPB.MemberType.VOTER);
    assertThat(peer.getLastKnownAddr().getPort())
        .isEqualTo(process.identity().rpcAddresses().get(0).port());
    GetLastOpIdResponsePB last =
        call(
            CONSENSUS,
            "GetLastOpId",
            GetLastOpIdRequestPB.newBuilder().setTabletId(ByteString.copyFromUtf8(TABLET)).build(),
            GetLastOpIdResponsePB.parser());
    assertThat(last.getOpid().getTerm()).isPositive();
    assertThat(
            call(
                    CONSENSUS,
                    "GetLastOpId",
                    GetLastOpIdRequestPB.newBuilder().setTabletId(ByteString.EMPTY).build(),
                    GetLastOpIdResponsePB.parser())
                .getError()
                .getCode())
        .isEqualTo(TabletServerErrorPB.Code.TABLET_NOT_FOUND);
    assertThat(
            call(
                    CONSENSUS,
                    "ChangeConfig",
                    ChangeConfigRequestPB.newBuilder().setTabletId(ByteString.EMPTY).build(),
                    ChangeConfigResponsePB.parser())
                .getError()
                .getCode())
        .isEqualTo(TabletServerErrorPB.Code.TABLET_NOT_FOUND);
    assertThat(
            call(
                    CONSENSUS,
                    "GetConsensusState",
                    GetConsensusStateRequestPB.newBuilder()
                        .setDestUuid(ByteString.copyFromUtf8("other"))
                        .build(),
                    GetConsensusStateResponsePB.parser())
                .getError()
                .getCode())
        .isEqualTo(TabletServerErrorPB.Code.WRONG_SERVER_UUID);
    assertThat(get("/metrics_prometheus")).contains("kudu_replica_leader{tablet=\"" + TABLET);
  }

  @Test
  void pagesAreServed() throws Exception {
    process.replicas().get(30, TimeUnit.SECONDS);
    assertThat(get("/healthz")).isEqualTo("OK\n");
    assertThat(get("/metrics_prometheus"))
        .contains("jvm_memory_used_bytes")
        .contains("kudu_rpc_calls_received_total")
        .contains("kudu_memory_used_bytes");
    assertThat(get("/")).contains(process.identity().uuid()).contains("href=\"/healthz\"");
  }

  @Test
  void aServerIsUnhealthyUntilAllItsPartsHaveStarted() throws Exception {
    process.replicas().get(30, TimeUnit.SECONDS);
    CompletableFuture<Void> tablets = new CompletableFuture<>();
    process.health().waitFor("tablets to open", tablets);
    process.startup().watch("Open the tablets", tablets);
    HttpResponse<String> starting = page("/healthz");
    assertThat(starting.statusCode()).isEqualTo(503);
    assertThat(starting.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain");
    assertThat(starting.body()).isEqualTo("The server is starting: waiting for tablets to open\n");
    assertThat(get("/startup")).contains("The server is starting", ">Open the tablets<");
    tablets.complete(null);
    assertThat(get("/healthz")).isEqualTo("OK\n");
  }

  @Test
  void aServerThatStopsIsUnhealthy() throws Exception {
    process.replicas().get(30, TimeUnit.SECONDS);
    assertThat(get("/healthz")).isEqualTo("OK\n");
    AtomicReference<String> seen = new AtomicReference<>();
    URI healthz = page("/healthz").uri();
    process.onClose(() -> seen.set(fetch(healthz).body()));
    process.close();
    assertThat(seen.get()).isEqualTo("The server is stopping\n");
  }

  @Test
  void restartKeepsTheIdentityAndThePort() throws Exception {
    String uuid = process.identity().uuid();
    int raftPort = process.identity().raft().port();
    assertThatThrownBy(this::open).hasMessageContaining("in use");
    process.close();
    process = open();
    process.start(replicas, List.of());
    assertThat(process.identity().uuid()).isEqualTo(uuid);
    assertThat(process.identity().raft().port()).isEqualTo(raftPort);
    process.replicas().get(30, TimeUnit.SECONDS);
  }
}
