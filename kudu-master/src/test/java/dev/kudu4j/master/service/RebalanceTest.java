package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.LogCapture;
import dev.kudu4j.common.proto.master.RebalanceRequestPB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.MovePB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.State;
import dev.kudu4j.common.proto.master.TServerStateChangePB.StateChange;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.tables.RebalancingOptions;
import dev.kudu4j.master.tables.TableChangeLog;
import dev.kudu4j.master.tables.TablesOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rebalancing on request of four servers, of which the last is new and has no replicas. */
class RebalanceTest {
  private static final int TABLETS = 12;

  /** The new server's share: a quarter of the replicas. */
  private static final int SHARE = TABLETS * 3 / 4;

  private FakeCluster cluster = withNewServer(TablesOptions.DEFAULT);

  private static FakeCluster withNewServer(TablesOptions options) {
    FakeCluster cluster = new FakeCluster(4, 11, options);
    last(cluster).setSilent(true);
    cluster.time.pass(10_000);
    cluster.tables.createTable(Requests.create("t", 3, TABLETS).build(), "alice");
    cluster.time.pass(1_000);
    last(cluster).setSilent(false);
    cluster.time.pass(2_000);
    assertThat(last(cluster).replicas()).isEmpty();
    return cluster;
  }

  private static FakeTabletServer last(FakeCluster cluster) {
    return List.copyOf(cluster.servers.values()).get(3);
  }

  private static RebalanceRequestPB.Builder maxMoves(int movesPerServer) {
    return RebalanceRequestPB.newBuilder().setMaxMovesPerServer(movesPerServer);
  }

  private RebalanceResponsePB round(int movesPerServer) {
    return cluster.tables.rebalance(maxMoves(movesPerServer).build());
  }

  private static List<MovePB> moves(RebalanceResponsePB response, State state) {
    return response.getMovesList().stream().filter(move -> move.getState() == state).toList();
  }

  private List<Integer> replicaCounts() {
    return cluster.servers.values().stream().map(server -> server.replicas().size()).toList();
  }

  @Test
  void aReportListsAllMovesAndStartsNone() {
    RebalanceResponsePB report = cluster.tables.rebalance(maxMoves(1).setReportOnly(true).build());
    assertThat(report.getMovesList())
        .hasSize(SHARE)
        .allSatisfy(
            move -> {
              assertThat(move.getState()).isEqualTo(State.PLANNED);
              assertThat(move.getTable().getTableName()).isEqualTo("t");
              assertThat(move.getReason()).isEqualTo(RebalanceResponsePB.Reason.TABLE);
              assertThat(server(report, move.getToTsInfoIdx())).isEqualTo(last(cluster).uuid());
            });
    assertThat(report.getPlannedMoves()).isEqualTo(SHARE);
    assertThat(report.getReplicaSkew()).isEqualTo(TABLETS);
    assertThat(report.getUnmovableTablets()).isZero();
    cluster.time.pass(60_000);
    assertThat(replicaCounts()).containsExactly(TABLETS, TABLETS, TABLETS, 0);
  }

  private static String server(RebalanceResponsePB response, int index) {
    return response.getTsInfos(index).getPermanentUuid().toStringUtf8();
  }

  @Test
  void roundsMoveReplicasUntilAllServersHaveTheSameNumber() {
    int begun = 0;
    RebalanceResponsePB round = round(2);
    while (round.getMovesCount() > 0) {
      Map<String, Integer> perServer = new HashMap<>();
      for (MovePB move : round.getMovesList()) {
        perServer.merge(server(round, move.getFromTsInfoIdx()), 1, Integer::sum);
        perServer.merge(server(round, move.getToTsInfoIdx()), 1, Integer::sum);
      }
      assertThat(perServer.values()).allMatch(count -> count <= 2);
      assertThat(round.getMovesList()).extracting(MovePB::getTabletId).doesNotHaveDuplicates();
      begun += moves(round, State.BEGUN).size();
      cluster.time.pass(500);
      round = round(2);
    }
    assertThat(begun).as("later rounds know what earlier ones have begun").isEqualTo(SHARE);
    assertThat(round.getReplicaSkew()).isZero();
    assertThat(round.getPlannedMoves()).isZero();
    assertThat(round.getUnmovableTablets()).isZero();
    cluster.time.pass(10_000);
    assertThat(replicaCounts()).containsExactly(SHARE, SHARE, SHARE, SHARE);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void roundsOfTheMasterAndOfRequestsMoveEachTabletOnce() {
    cluster =
        withNewServer(
            TablesOptions.DEFAULT.withRebalancing(
                new RebalancingOptions(true, 3_500, 3, false, 60_000, 10)));
    List<MovePB> seen = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      RebalanceResponsePB round = round(4);
      assertThat(round.getMovesList()).extracting(MovePB::getTabletId).doesNotHaveDuplicates();
      seen.addAll(moves(round, State.BEGUN));
      cluster.time.pass(500);
    }
    cluster.time.pass(10_000);
    assertThat(replicaCounts()).containsExactly(SHARE, SHARE, SHARE, SHARE);
    assertThat(seen).extracting(MovePB::getTabletId).isNotEmpty().doesNotHaveDuplicates();
  }

  @Test
  void simultaneousRequestsMoveEachTabletOnce() throws Exception {
    int callers = 8;
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      CountDownLatch ready = new CountDownLatch(callers);
      List<Future<RebalanceResponsePB>> rounds = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        rounds.add(
            threads.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return round(100);
                }));
      }
      List<MovePB> begun = new ArrayList<>();
      for (Future<RebalanceResponsePB> round : rounds) {
        begun.addAll(moves(round.get(60, TimeUnit.SECONDS), State.BEGUN));
      }
      assertThat(begun).hasSize(SHARE);
      assertThat(begun).extracting(MovePB::getTabletId).doesNotHaveDuplicates();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void eachMoveIsLoggedWithItsRequester() {
    try (LogCapture log = LogCapture.of(TableChangeLog.class)) {
      round(1);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains(": Moves the replica on P ")
          .endsWith(
              " to P " + last(cluster).uuid() + ": TABLE; asked for by user at 127.0.0.1:40000");
    }
  }

  @Test
  void nothingMovesWhileAServerIsSilent() {
    FakeTabletServer silent = List.copyOf(cluster.servers.values()).get(1);
    try (LogCapture log = LogCapture.of(TableChangeLog.class)) {
      silent.setSilent(true);
      cluster.time.pass(6_000);
      assertFails(StatusCode.SERVICE_UNAVAILABLE, silent);
      cluster.time.pass(60_000);
      assertFails(StatusCode.ILLEGAL_STATE, silent);
      assertThat(log.lines()).isEmpty();
    }
    cluster.change(silent, StateChange.ENTER_MAINTENANCE_MODE);
    assertThat(round(1).getPlannedMoves()).as("it takes no replicas").isZero();
    cluster.change(silent, StateChange.EXIT_MAINTENANCE_MODE);
    silent.setSilent(false);
    cluster.time.pass(30_000);
    assertThat(replicaCounts()).as("its replicas were replaced").contains(0);
    assertThat(moves(round(1), State.BEGUN)).hasSize(1);
  }

  private void assertFails(StatusCode code, FakeTabletServer silent) {
    assertThatThrownBy(() -> round(1))
        .hasMessageContaining("No replica is moved while a tablet server is silent")
        .hasMessageContaining(silent.uuid())
        .hasMessageContaining("ts-" + silent.uuid() + ":7050")
        .isInstanceOfSatisfying(KuduException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void excludedTabletsStay() {
    RebalanceRequestPB.Builder request = maxMoves(100);
    List<ByteString> excluded =
        cluster.tables.rebalance(maxMoves(1).setReportOnly(true).build()).getMovesList().stream()
            .map(MovePB::getTabletId)
            .limit(TABLETS - 2)
            .toList();
    RebalanceResponsePB round =
        cluster.tables.rebalance(request.addAllExcludedTabletIds(excluded).build());
    assertThat(moves(round, State.BEGUN))
        .extracting(MovePB::getTabletId)
        .isNotEmpty()
        .doesNotContainAnyElementsOf(excluded);
    assertThat(round.getUnmovableTablets()).isEqualTo(excluded.size());
  }

  @Test
  void aLimitBelowOneIsInvalid() {
    assertThatThrownBy(() -> round(0)).hasMessageContaining("max_moves_per_server is 0");
  }
}
