package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB.Role;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.proto.master.RebalanceRequestPB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.MovePB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.Reason;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.State;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rebalancing with a master whose responses the test writes. */
@Timeout(120)
final class KuduRebalancingTest {
  private final BlockingQueue<RebalanceResponsePB> answers = new LinkedBlockingQueue<>();
  private final BlockingQueue<RebalanceRequestPB> requests = new LinkedBlockingQueue<>();
  private RpcServer master;
  private KuduClient client;
  private long nowSeconds = 1000;

  /** A rebalancing by a master with these features. */
  private KuduRebalancing open(int... features) {
    RpcService.Builder service =
        RpcService.builder("kudu.master.MasterService").features(1, 3).features(features);
    service.method(
        "ConnectToMaster",
        Access.CLIENT,
        ConnectToMasterRequestPB.parser(),
        (request, call) ->
            call.respond(ConnectToMasterResponsePB.newBuilder().setRole(Role.LEADER).build()));
    service.method(
        "Rebalance",
        Access.CLIENT,
        RebalanceRequestPB.parser(),
        (request, call) -> {
          requests.add(request);
          call.respond(answers.remove());
        });
    master =
        RpcServer.builder("master")
            .bindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .service(service.build())
            .start();
    client =
        new KuduClient.KuduClientBuilder("127.0.0.1:" + master.boundAddresses().get(0).getPort())
            .build();
    return new KuduRebalancing(
        client.asyncClient().cluster(), 30_000, 2, () -> TimeUnit.SECONDS.toNanos(nowSeconds));
  }

  @AfterEach
  void close() throws KuduException {
    client.close();
    master.close();
  }

  private static RebalanceResponsePB.Builder answer(MovePB... moves) {
    return RebalanceResponsePB.newBuilder()
        .addAllMoves(List.of(moves))
        .addTsInfos(
            TSInfoPB.newBuilder()
                .setPermanentUuid(ByteString.copyFromUtf8("a"))
                .addRpcAddresses(HostPortPB.newBuilder().setHost("host").setPort(7050)))
        .addTsInfos(TSInfoPB.newBuilder().setPermanentUuid(ByteString.copyFromUtf8("b")));
  }

  private static MovePB move(String tablet, State state) {
    return MovePB.newBuilder()
        .setTabletId(ByteString.copyFromUtf8(tablet))
        .setTable(
            TableIdentifierPB.newBuilder()
                .setTableId(ByteString.copyFromUtf8("id"))
                .setTableName("t"))
        .setFromTsInfoIdx(0)
        .setToTsInfoIdx(1)
        .setReason(Reason.LOCATION)
        .setState(state)
        .build();
  }

  private static ReplicaMove expected(ReplicaMove.State state) {
    return new ReplicaMove("x", "id", "t", "host:7050", "b", ReplicaMove.Reason.LOCATION, state);
  }

  @Test
  void pollsUntilAllMovesHaveEnded() throws KuduException {
    KuduRebalancing rebalancing = open(MasterFeatures.REBALANCE_VALUE);
    answers.add(answer(move("x", State.BEGUN)).setPlannedMoves(1).setReplicaSkew(4).build());
    answers.add(answer(move("x", State.IN_PROGRESS)).setLeaderSkew(3).build());
    answers.add(answer().build());
    assertThat(rebalancing.poll()).isFalse();
    assertThat(rebalancing.moves()).containsExactly(expected(ReplicaMove.State.IN_PROGRESS));
    assertThat(rebalancing.plannedMoves()).isEqualTo(1);
    assertThat(rebalancing.replicaSkew()).isEqualTo(4);
    assertThat(rebalancing.poll()).isFalse();
    assertThat(rebalancing.leaderSkew()).isEqualTo(3);
    assertThat(rebalancing.poll()).isTrue();
    assertThat(rebalancing.moves()).containsExactly(expected(ReplicaMove.State.ENDED));
    assertThat(requests)
        .hasSize(3)
        .allMatch(request -> request.getMaxMovesPerServer() == 2 && !request.getReportOnly());
  }

  @Test
  void aPlanIsOnlyAReport() throws KuduException {
    KuduRebalancing rebalancing = open(MasterFeatures.REBALANCE_VALUE);
    answers.add(answer(move("x", State.PLANNED)).setPlannedMoves(1).build());
    assertThat(rebalancing.plan()).containsExactly(expected(ReplicaMove.State.PLANNED));
    assertThat(rebalancing.moves()).isEmpty();
    assertThat(requests).singleElement().matches(RebalanceRequestPB::getReportOnly);
  }

  @Test
  void aRebalancingWaitsAWhileForTabletsThatCannotBeMoved() throws KuduException {
    KuduRebalancing rebalancing = open(MasterFeatures.REBALANCE_VALUE);
    for (int i = 0; i < 3; i++) {
      answers.add(answer().setUnmovableTablets(1).build());
    }
    answers.add(answer(move("x", State.BEGUN)).build());
    for (int i = 0; i < 3; i++) {
      answers.add(answer().setUnmovableTablets(1).build());
    }
    for (int i = 0; i < 3; i++) {
      assertThat(rebalancing.poll()).isFalse();
      nowSeconds += 4;
    }
    assertThat(rebalancing.poll()).as("it can be moved now").isFalse();
    assertThat(rebalancing.poll()).isFalse();
    nowSeconds += 9;
    assertThat(rebalancing.poll()).isFalse();
    assertThat(rebalancing.unmovableTablets()).isEqualTo(1);
    nowSeconds += 1;
    assertThat(rebalancing.poll()).as("ten seconds since a move was in progress").isTrue();
  }

  @Test
  void aTabletIsExcludedAfterRepeatedFailures() throws KuduException {
    KuduRebalancing rebalancing = open(MasterFeatures.REBALANCE_VALUE);
    for (int i = 0; i < 3; i++) {
      answers.add(answer(move("x", State.BEGUN)).build());
      assertThat(rebalancing.poll()).isFalse();
      assertThat(requests.remove().getExcludedTabletIdsList()).isEmpty();
    }
    answers.add(answer().build());
    assertThat(rebalancing.poll()).isTrue();
    assertThat(requests.remove().getExcludedTabletIdsList())
        .containsExactly(ByteString.copyFromUtf8("x"));
  }

  @Test
  void aMasterWithoutTheFeatureGetsNoRequest() {
    KuduRebalancing rebalancing = open();
    assertThatThrownBy(rebalancing::poll)
        .hasMessageContaining("run kudu cluster rebalance, which works with any servers")
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.getStatus().isNotSupported()).isTrue());
    assertThat(requests).isEmpty();
    assertThatThrownBy(() -> client.rebalance(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("At least 1 move");
  }
}
