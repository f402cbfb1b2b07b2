package dev.kudu4j.server.peer;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateRequestPB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateResponsePB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownResponsePB;
import dev.kudu4j.common.proto.consensus.RunLeaderElectionRequestPB;
import dev.kudu4j.common.proto.consensus.RunLeaderElectionResponsePB;
import dev.kudu4j.common.proto.replication.LeaderWordPB;
import dev.kudu4j.common.proto.replication.UpdateReplicasRequestPB;
import dev.kudu4j.common.proto.replication.UpdateReplicasResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.ServerOptions;
import dev.kudu4j.server.process.ServerProcess;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.TestReplicas;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers of one process, with all their ports, and a tablet on them. */
class PeerExchangeTest {
  private static final String TABLET = "0123456789abcdef0123456789abcdef";
  private static final String CONSENSUS = "kudu.consensus.ConsensusService";

  private static final class Server implements ReplicaDirectory {
    private final List<TabletReplica> all = new CopyOnWriteArrayList<>();
    private final ServerProcess process;

    Server(Path directory) {
      process =
          ServerProcess.open(
              FlagParser.parse(
                  ServerOptions.tabletServer(),
                  List.of(
                      "--fs_wal_dir=" + directory,
                      "--rpc_bind_addresses=127.0.0.1:0",
                      "--leader_failure_max_missed_heartbeat_periods=9", // elections on request
                      "--webserver_enabled=false")));
      process.start(this, List.of());
    }

    TabletReplica replica() {
      return all.get(0);
    }

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
  private final List<Server> servers = new ArrayList<>();
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());

  @BeforeEach
  void start() throws Exception {
    List<RaftHost.Peer> members = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Server server = new Server(directory.resolve("s" + i));
      servers.add(server);
      ReplicaEnvironment environment = server.process.replicas().get(30, TimeUnit.SECONDS);
      RaftHost.Peer self = environment.raft().self();
      members.add(
          new RaftHost.Peer(
              self.serverUuid(),
              self.host(),
              self.port(),
              server.process.identity().rpcAddresses().get(0).toString()));
    }
    for (Server server : servers) {
      server.all.add(TestReplicas.recording(TABLET, server.process.replicas().join(), members));
    }
    await().until(() -> servers.stream().anyMatch(server -> server.replica().isLeader()));
  }

  @AfterEach
  void stop() {
    client.close();
    servers.parallelStream()
        .forEach(
            server -> {
              server.process.close();
              server.all.forEach(TabletReplica::close);
            });
  }

  private Server leader() {
    await().until(() -> servers.stream().anyMatch(server -> server.replica().isLeader()));
    return servers.stream().filter(s -> s.replica().isLeader()).findFirst().orElseThrow();
  }

  private Server follower() {
    Server leader = leader();
    return servers.stream().filter(s -> s != leader).findFirst().orElseThrow();
  }

  private <R extends Message> R call(
      Server server, String method, Message request, Parser<R> parser) throws Exception {
    InetSocketAddress address = server.process.identity().rpcAddresses().get(0).resolve();
    try (RpcResponse<R> response =
        client
            .call(address, CONSENSUS, method, request, parser, RpcCallOptions.timeoutMillis(30_000))
            .get(30, TimeUnit.SECONDS)) {
      return response.message();
    }
  }

  @Test
  void everyReplicaServesACurrentSnapshot() throws Exception {
    for (Server server : List.of(leader(), follower())) {
      long snapshot = server.process.clock().now();
      server
          .replica()
          .safeTime()
          .whenReadable(snapshot, TimeUnit.SECONDS.toNanos(Patience.SECONDS))
          .get(Patience.SECONDS, TimeUnit.SECONDS);
      assertThat(server.replica().safeTime().now()).isGreaterThanOrEqualTo(snapshot);
    }
  }

  @Test
  void safeTimeAdvancesWithoutWrites() {
    long now = leader().process.clock().now();
    await()
        .until(() -> servers.stream().allMatch(server -> server.replica().safeTime().now() > now));
  }

  /** Each server reports what it has applied, so slower ones report it a little later. */
  @Test
  void allServersReportTheSameConsensusState() throws Exception {
    List<ConsensusStatePB> stories =
        await().until(this::stories, told -> new HashSet<>(told).size() == 1);
    assertThat(stories.get(0).getCommittedConfig().getPeersList())
        .hasSize(3)
        .allSatisfy(peer -> assertThat(peer.getLastKnownAddr().getPort()).isPositive());
  }

  private List<ConsensusStatePB> stories() throws Exception {
    List<ConsensusStatePB> stories = new ArrayList<>();
    for (Server server : servers) {
      stories.add(
          call(
                  server,
                  "GetConsensusState",
                  GetConsensusStateRequestPB.getDefaultInstance(),
                  GetConsensusStateResponsePB.parser())
              .getTablets(0)
              .getCstate());
    }
    return stories;
  }

  @Test
  void anImpossiblePromiseDoesNotMoveTheClock() throws Exception {
    Server follower = follower();
    long before = follower.process.clock().now();
    for (long forged : new long[] {Long.MAX_VALUE, HybridTime.ofMicros(4_102_444_800_000_000L)}) {
      UpdateReplicasRequestPB request =
          UpdateReplicasRequestPB.newBuilder()
              .setSenderUuid(ByteString.copyFromUtf8(leader().process.identity().uuid()))
              .setClock(before)
              .addWords(
                  LeaderWordPB.newBuilder()
                      .setTabletId(ByteString.copyFromUtf8(TABLET))
                      .setTerm(follower.replica().consensus().term())
                      .setSafeTime(forged)
                      .setSafeIndex(0))
              .build();
      assertThat(update(follower, request).getConfirmedCount()).isZero();
      assertThat(update(follower, request.toBuilder().setClock(forged).build()).hasClock())
          .isFalse();
    }
    long passedMicros =
        HybridTime.micros(follower.process.clock().now()) - HybridTime.micros(before);
    assertThat(passedMicros).isLessThan(TimeUnit.MINUTES.toMicros(10));
    assertThat(HybridTime.micros(follower.replica().safeTime().now()) - HybridTime.micros(before))
        .isLessThan(TimeUnit.MINUTES.toMicros(10));
  }

  private UpdateReplicasResponsePB update(Server server, UpdateReplicasRequestPB request)
      throws Exception {
    InetSocketAddress address = server.process.identity().rpcAddresses().get(0).resolve();
    try (RpcResponse<UpdateReplicasResponsePB> response =
        client
            .call(
                address,
                PeerService.NAME,
                "UpdateReplicas",
                request,
                UpdateReplicasResponsePB.parser(),
                RpcCallOptions.timeoutMillis(30_000))
            .get(30, TimeUnit.SECONDS)) {
      return response.message();
    }
  }

  @Test
  void leaderIsChangedOnRequest() throws Exception {
    Server first = leader();
    Server next = follower();
    LeaderStepDownRequestPB request =
        LeaderStepDownRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(TABLET))
            .setMode(LeaderStepDownMode.GRACEFUL)
            .setNewLeaderUuid(ByteString.copyFromUtf8(next.process.identity().uuid()))
            .build();
    LeaderStepDownResponsePB done =
        call(first, "LeaderStepDown", request, LeaderStepDownResponsePB.parser());
    assertThat(done.hasError()).isFalse();
    await().until(() -> next.replica().isLeader() && !first.replica().isLeader());
    LeaderStepDownResponsePB refused =
        call(first, "LeaderStepDown", request, LeaderStepDownResponsePB.parser());
    assertThat(refused.getError().getCode()).isEqualTo(TabletServerErrorPB.Code.NOT_THE_LEADER);
    assertThat(stands(first).hasError()).isFalse();
    await() // a heartbeat before its own term begins makes it a follower again
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !stands(first).hasError() && first.replica().isLeader());
  }

  private RunLeaderElectionResponsePB stands(Server server) throws Exception {
    return call(
        server,
        "RunLeaderElection",
        RunLeaderElectionRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(TABLET))
            .build(),
        RunLeaderElectionResponsePB.parser());
  }
}
