package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tables of three replicas while servers fail and return. */
class ReplicatedTableTest {
  private final FakeCluster cluster = new FakeCluster(3, 11);

  private List<FakeTabletServer> servers() {
    return List.copyOf(cluster.servers.values());
  }

  private void create(int replicas, int buckets) {
    cluster.tables.createTable(Requests.create("t", replicas, buckets).build(), "alice");
  }

  private boolean isCreated() {
    return cluster
        .tables
        .isCreateTableDone(
            IsCreateTableDoneRequestPB.newBuilder().setTable(Requests.named("t")).build())
        .getDone();
  }

  private boolean isAltered() {
    return cluster
        .tables
        .isAlterTableDone(
            IsAlterTableDoneRequestPB.newBuilder().setTable(Requests.named("t")).build())
        .getDone();
  }

  private TableInfo table() {
    return cluster.leadership.session().catalog().tableByName("t");
  }

  /** The leader of the first tablet according to the master's response; or null. */
  private FakeTabletServer leader() {
    TabletLocationsPB location =
        cluster
            .lookups
            .getTableLocations(
                GetTableLocationsRequestPB.newBuilder().setTable(Requests.named("t")).build())
            .getTabletLocations(0);
    assertThat(location.getDEPRECATEDReplicasCount()).isEqualTo(3);
    for (var replica : location.getDEPRECATEDReplicasList()) {
      if (replica.getRole() == RaftPeerPB.Role.LEADER) {
        return cluster.servers.get(Ids.fromWire(replica.getTsInfo().getPermanentUuid()));
      }
    }
    return null;
  }

  @Test
  void replicasOfATabletAreOnDifferentServers() {
    create(3, 12);
    cluster.time.pass(10);
    assertThat(isCreated()).isTrue();
    for (TabletInfo tablet : table().tablets()) {
      Set<String> servers = new HashSet<>(FakeTabletServer.members(tablet.config()));
      assertThat(servers).isEqualTo(cluster.servers.keySet());
    }
    cluster.time.pass(2_000);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void tableIsReadyWithoutAStoppedServerWhichGetsItsReplicasLater() {
    servers().get(2).setSilent(true);
    create(3, 4);
    cluster.time.pass(10);
    assertThat(isCreated()).isTrue();
    cluster.tables.alterTable(Requests.alter("t", Requests.addColumn("c")).build());
    cluster.time.pass(10);
    assertThat(isAltered()).isTrue();
    cluster.time.pass(300_000);
    assertThat(servers().get(2).replicas()).isEmpty();
    cluster.crashMaster();
    cluster.time.pass(1_000);
    servers().get(2).setSilent(false);
    cluster.time.pass(10_000);
    assertThat(servers().get(2).replicas()).hasSize(4);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void lostReplicaIsCopiedAndNotCreatedAgain() {
    create(3, 0);
    cluster.time.pass(1_000);
    servers().get(1).replicas().clear(); // a disk was lost, with rows and votes
    servers().get(1).restart();
    cluster.time.pass(20_000);
    assertThat(servers().get(1).replicas().values()).singleElement().matches(r -> r.copied);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void oneRejectingServerDoesNotStopTheOthers() {
    cluster.refuseCreation(StatusCode.IO_ERROR, servers().get(0));
    create(3, 2);
    cluster.time.pass(100);
    assertThat(isCreated()).isTrue();
    cluster.time.pass(100_000);
    cluster.refuseCreation(null);
    cluster.time.pass(10_000);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void twoRejectingServersFailTheCreation() {
    cluster.refuseCreation(StatusCode.IO_ERROR);
    create(3, 1 + 1);
    cluster.time.pass(100);
    assertThatThrownBy(this::isCreated)
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.IO_ERROR));
  }

  @Test
  void replicasOfADroppedTableAreDeletedWhenTheirServerReturns() {
    create(3, 2);
    cluster.time.pass(1_000);
    servers().get(0).setSilent(true);
    cluster.tables.deleteTable(Requests.delete("t"));
    cluster.time.pass(600_000);
    assertThat(servers().get(0).replicas()).hasSize(2);
    servers().get(0).setSilent(false);
    cluster.time.pass(600); // a heartbeat
    assertThat(servers().get(0).replicas()).isEmpty();
    cluster.time.pass(100_000);
    ClusterChecker.checkSettled(cluster);
    assertThat(cluster.leadership.session().catalog().tables()).isEmpty();
  }

  @Test
  void droppedTableDoesNotWaitForAnUnregisteredServer() {
    create(3, 2);
    cluster.time.pass(1_000);
    FakeTabletServer gone = servers().get(0);
    gone.setSilent(true);
    cluster.tables.deleteTable(Requests.delete("t"));
    assertThatThrownBy(() -> cluster.unregister(gone))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("still heartbeats");
    cluster.time.pass(600_000);
    assertThat(cluster.leadership.session().catalog().tables()).hasSize(1);
    cluster.crashMaster(); // the new one does not know it
    cluster.time.pass(10);
    cluster.unregister(gone);
    cluster.time.pass(100_000);
    assertThat(cluster.leadership.session().catalog().tables()).isEmpty();
    assertThatThrownBy(() -> cluster.unregister(gone))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Nothing is known of a tablet server " + gone.uuid());
  }

  @Test
  void clientsGetTheNewLeaderAfterItsFirstReport() {
    create(3, 0);
    cluster.time.pass(1_000);
    FakeTabletServer first = leader();
    first.setSilent(true);
    cluster.heartbeats();
    FakeTabletServer second = leader();
    assertThat(second).isNotNull().isNotSameAs(first);
    first.setSilent(false);
    cluster.time.pass(1_000);
    assertThat(leader()).isSameAs(second);
  }

  @Test
  void reportsOfAnEarlierTermChangeNothing() {
    create(3, 0);
    cluster.time.pass(1_000);
    String tablet = table().tablets().get(0).id();
    FakeTabletServer first = leader();
    ReportedTabletPB.Builder stale = first.report(tablet).toBuilder().setLiveRowCount(99);
    // The deposed leader may have logged more than its successor.
    stale.getConsensusStateBuilder().getCommittedConfigBuilder().setOpidIndex(1_000);
    first.setSilent(true);
    cluster.heartbeats();
    FakeTabletServer second = leader();
    cluster.leadership.session().tables().reports().read(first.uuid(), stale.build());
    assertThat(leader()).isSameAs(second);
    assertThat(cluster.leadership.session().observed().status(tablet).liveRowCount()).isEqualTo(10);
    second.setSilent(true);
    first.setSilent(false);
    cluster.heartbeats();
    assertThat(leader()).isNotNull().isNotSameAs(second);
  }

  @Test
  void pendingAlterationContinuesWithTheNextLeader() {
    create(3, 0);
    cluster.time.pass(1_000);
    FakeTabletServer first = leader();
    first.setSilent(true);
    cluster.tables.alterTable(Requests.alter("t", Requests.addColumn("c")).build());
    cluster.time.pass(1_600); // the call fails after 500 ms, the next leader has reported by then
    assertThat(isAltered()).isTrue();
    first.setSilent(false);
    cluster.time.pass(2_000);
    ClusterChecker.checkSettled(cluster);
  }

  @Test
  void newReplicasGoToServersWithHeartbeats() {
    servers().get(0).setSilent(true);
    cluster.time.pass(6_000);
    create(1, 20);
    cluster.time.pass(10);
    assertThat(isCreated()).isTrue();
    assertThat(servers().get(0).replicas()).isEmpty();
  }

  @Test
  void aLoadingMasterRequestsAnotherHeartbeatSoon() {
    TSHeartbeatRequestPB heartbeat =
        TSHeartbeatRequestPB.newBuilder()
            .setInstance(
                NodeInstancePB.newBuilder()
                    .setPermanentUuid(Ids.toWire("a".repeat(32)))
                    .setInstanceSeqno(1))
            .setRegistration(
                ServerRegistrationPB.newBuilder()
                    .addRpcAddresses(HostPortPB.newBuilder().setHost("a").setPort(1)))
            .build();
    assertThat(
            cluster
                .serverMethods
                .heartbeat(heartbeat, InetAddress.getLoopbackAddress())
                .hasComeBackMillis())
        .isFalse();
    cluster.leadership.elected();
    assertThat(
            cluster
                .serverMethods
                .heartbeat(heartbeat, InetAddress.getLoopbackAddress())
                .getComeBackMillis())
        .isBetween(1, 100);
    cluster.leadership.following();
    assertThat(
            cluster
                .serverMethods
                .heartbeat(heartbeat, InetAddress.getLoopbackAddress())
                .hasComeBackMillis())
        .isFalse();
  }
}
