package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.observed.TabletStatus;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Heartbeats that no tablet server sends: they are rejected, and change nothing. */
class HostileHeartbeatTest {
  private static final String STRANGER = "a".repeat(32);

  private final FakeCluster cluster = new FakeCluster(3, 5);

  private static InetAddress host(int last) throws Exception {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
  }

  private static HostPortPB address(String host, int port) {
    return HostPortPB.newBuilder().setHost(host).setPort(port).build();
  }

  private static TSHeartbeatRequestPB.Builder heartbeat(String uuid, long run) {
    return TSHeartbeatRequestPB.newBuilder()
        .setInstance(
            NodeInstancePB.newBuilder().setPermanentUuid(Ids.toWire(uuid)).setInstanceSeqno(run))
        .setRegistration(
            ServerRegistrationPB.newBuilder().addRpcAddresses(address("stranger", 7050)))
        .setRaftAddress(address("stranger", 7060));
  }

  private TSHeartbeatResponsePB send(TSHeartbeatRequestPB.Builder heartbeat) throws Exception {
    return cluster.serverMethods.heartbeat(heartbeat.build(), host(66));
  }

  private static void assertRefused(ThrowingCallable attempt, StatusCode code, String message) {
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(KuduException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private void assertRefused(Consumer<TSHeartbeatRequestPB.Builder> change, String message) {
    TSHeartbeatRequestPB.Builder heartbeat = heartbeat(STRANGER, 1);
    change.accept(heartbeat);
    assertRefused(() -> send(heartbeat), StatusCode.INVALID_ARGUMENT, message);
    assertThat(cluster.registered.get(STRANGER)).isNull();
  }

  private ListTabletServersResponsePB.Entry entry(String uuid) {
    return cluster
        .serverMethods
        .listTabletServers(ListTabletServersRequestPB.getDefaultInstance())
        .getServersList()
        .stream()
        .filter(each -> each.getInstanceId().getPermanentUuid().toStringUtf8().equals(uuid))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void invalidAddressesAndNumbersAreRejected() {
    assertRefused(
        h -> h.getRegistrationBuilder().setRpcAddresses(0, address("ts", 99_999)),
        "rpc_addresses must have a port from 1 to 65535, not 99999");
    assertRefused(
        h -> h.getRegistrationBuilder().setRpcAddresses(0, address("", 1)),
        "rpc_addresses must contain a host name");
    assertRefused(
        h -> h.getRegistrationBuilder().addHttpAddresses(address("-rf", 1)),
        "http_addresses must contain a host name");
    assertRefused(h -> h.setRaftAddress(address("ts", 0)), "raft_address must have a port");
    assertRefused(
        h -> h.getInstanceBuilder().setPermanentUuid(Ids.toWire("a\nb")), "permanent_uuid must be");
    assertRefused(h -> h.getInstanceBuilder().setInstanceSeqno(-1), "instance_seqno");
    assertRefused(h -> h.getInstanceBuilder().setInstanceSeqno(Long.MAX_VALUE), "instance_seqno");
    assertRefused(h -> h.setLiveTabletCount(Integer.MAX_VALUE), "live_tablet_count");
    assertRefused(h -> h.setLiveTabletCount(-1), "live_tablet_count");
    assertRefused(h -> h.getTabletReportBuilder().setSequence(Long.MAX_VALUE), "sequence");
    assertRefused(
        h -> h.getRegistrationBuilder().setSoftwareVersion("v".repeat(1 << 17)), "registration");
  }

  @Test
  void aKnownServerCannotBeImpersonated() throws Exception {
    String uuid = cluster.servers.keySet().iterator().next();
    RegisteredServer known = cluster.registered.get(uuid);
    HostPortPB before = known.rpcAddress();
    long run = known.instance().getInstanceSeqno();
    InetAddress home = InetAddress.getLoopbackAddress();
    assertRefused( // the same run, from the same machine, with other ports
        () -> cluster.serverMethods.heartbeat(heartbeat(uuid, run).build(), home),
        StatusCode.NOT_AUTHORIZED,
        "a registration of this run from elsewhere is refused");
    assertRefused(
        () -> cluster.serverMethods.heartbeat(heartbeat(uuid, run - 1).build(), home),
        StatusCode.ALREADY_PRESENT,
        "has registered as run");
    for (long other : new long[] {run, run + 1}) {
      assertRefused(
          () -> send(heartbeat(uuid, other)), StatusCode.NOT_AUTHORIZED, "in its name is refused");
      assertRefused(
          () -> send(heartbeat(uuid, other).clearRegistration()),
          StatusCode.NOT_AUTHORIZED,
          "in its name is refused");
    }
    assertThat(known.rpcAddress()).isEqualTo(before);

    cluster.servers.get(uuid).setSilent(true); // it may return at another address, in another run
    cluster.time.pass(6_000);
    assertThat(send(heartbeat(uuid, run + 1)).getNeedsRegistration()).isFalse();
    assertThat(cluster.registered.get(uuid).rpcAddress()).isEqualTo(address("stranger", 7050));
  }

  @Test
  void aNonMemberCannotForgeATabletsTermOrConfiguration() throws Exception {
    cluster.tables.createTable(Requests.create("t", 3, 0).build(), "user");
    cluster.time.pass(8_000);
    TabletInfo tablet =
        cluster.leadership.session().catalog().tables().iterator().next().tablets().get(0);
    TabletStatus before = cluster.leadership.session().observed().status(tablet.id());
    assertThat(before.hasLeader()).isTrue();
    ReportedTabletPB.Builder forged =
        cluster.servers.get(before.leader()).report(tablet.id()).toBuilder();
    forged
        .getConsensusStateBuilder()
        .setLeaderUuid(STRANGER)
        .setCurrentTerm(1L << 39)
        .getCommittedConfigBuilder()
        .setOpidIndex(1L << 55)
        .getPeersBuilder(0)
        .setPermanentUuid(Ids.toWire(STRANGER));
    for (int i = 0; i < 3; i++) {
      send(
          heartbeat(STRANGER, 1)
              .setTabletReport(TabletReportPB.newBuilder().setSequence(i).addUpdated(forged)));
      cluster.time.pass(1_000);
    }
    assertThat(cluster.leadership.session().observed().status(tablet.id()).term())
        .isEqualTo(before.term());
    assertThat(cluster.leadership.session().catalog().tablet(tablet.id()).isMember(STRANGER))
        .isFalse();
    forged.getConsensusStateBuilder().setCurrentTerm(Long.MAX_VALUE);
    send(
        heartbeat(STRANGER, 1)
            .setTabletReport(TabletReportPB.newBuilder().setSequence(9).addUpdated(forged)));
    assertThat(entry(STRANGER).getReportError())
        .contains("what it reports of tablet " + tablet.id() + " is refused: current_term must be");

    cluster.servers.get(before.leader()).setSilent(true); // members are believed as before
    cluster.time.pass(8_000);
    TabletStatus after = cluster.leadership.session().observed().status(tablet.id());
    assertThat(after.leader()).isIn(cluster.servers.keySet()).isNotEqualTo(before.leader());
  }

  @Test
  void oneInvalidReplicaDoesNotAffectOtherReports() throws Exception {
    cluster.tables.createTable(Requests.create("t", 3, 0).build(), "user");
    cluster.time.pass(8_000);
    TabletInfo tablet =
        cluster.leadership.session().catalog().tables().iterator().next().tablets().get(0);
    String leader = cluster.leadership.session().observed().status(tablet.id()).leader();
    ReportedTabletPB good =
        cluster.servers.get(leader).report(tablet.id()).toBuilder().setLiveRowCount(77).build();
    ReportedTabletPB.Builder twice = good.toBuilder();
    twice
        .getConsensusStateBuilder()
        .getCommittedConfigBuilder()
        .addPeers(good.getConsensusState().getCommittedConfig().getPeers(0));
    List<ReportedTabletPB> bad =
        List.of(
            good.toBuilder().setTabletId(Ids.toWire("../x")).build(),
            good.toBuilder().setOnDiskSize(-1).build(),
            twice.build());
    cluster
        .leadership
        .session()
        .tables()
        .reports()
        .read(leader, TabletReportPB.newBuilder().addAllUpdated(bad).addUpdated(good).build());
    assertThat(cluster.leadership.session().observed().status(tablet.id()).liveRowCount())
        .isEqualTo(77);
  }

  @Test
  void problemsOfReportsAreRecorded() throws Exception {
    send(heartbeat(STRANGER, 1).setReportError("tablet x: bad\naddress"));
    assertThat(entry(STRANGER).getReportError())
        .isEqualTo("its tablet reports are not complete: 'tablet x: bad\\u000aaddress'");
    send(heartbeat(STRANGER, 1));
    assertThat(entry(STRANGER).getReportError()).isEmpty();
    long start = cluster.time.nanos();
    while (cluster.time.nanos() - start < TimeUnit.SECONDS.toNanos(40)) {
      cluster.time.pass(1_000);
      send(heartbeat(STRANGER, 1));
    }
    assertThat(entry(STRANGER).getReportError())
        .isEqualTo("it heartbeats, and does not report its tablets");
    send(heartbeat(STRANGER, 1).setTabletReport(TabletReportPB.newBuilder().setSequence(1)));
    assertThat(entry(STRANGER).getReportError()).isEmpty();
    String honest = cluster.servers.keySet().iterator().next();
    assertThat(entry(honest).getReportError()).isEmpty();
  }
}
