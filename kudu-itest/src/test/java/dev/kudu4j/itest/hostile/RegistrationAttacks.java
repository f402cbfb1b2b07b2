package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.Forgery.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.ListMastersRequestPB;
import dev.kudu4j.common.proto.master.ListMastersResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import java.io.IOException;
import java.util.List;

/** Invalid addresses, and servers that claim to be others. */
final class RegistrationAttacks {
  static final String MASTER = "kudu.master.MasterService";

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final int IMPOSTOR_PORT = 9; // "discard": no listener

  private final HostileCluster cluster;

  RegistrationAttacks(HostileCluster cluster) {
    this.cluster = cluster;
  }

  /** Replicas whose members cannot be reported. */
  void poisonedReplicas(String user) throws IOException {
    List<HostPortPB> addresses =
        List.of(
            at("", 7050), at("", 0), at("a b", 7050), at("h", 99_999), at("h".repeat(5_000), 1));
    Target target = cluster.tabletServers().get(0);
    for (int i = 0; i < addresses.size(); i++) {
      for (String id : List.of(id(2 * i), id(2 * i + 1))) {
        CreateTabletRequestPB.Builder request = Forgery.createTablet(target, id);
        var stranger = Forgery.peer(target).setPermanentUuid(Forgery.text("b".repeat(32)));
        stranger.setLastKnownAddr(addresses.get(i));
        if (id.equals(id(2 * i))) {
          stranger.setRaftAddr(addresses.get(i));
        }
        request.getConfigBuilder().addPeers(stranger);
        send(user, target, PathAttacks.ADMIN, "CreateTablet", request.build());
      }
    }
  }

  /** Removes what {@link #poisonedReplicas} may have created, as an operator would. */
  void removePoisonedReplicas() throws IOException {
    Target target = cluster.tabletServers().get(0);
    for (int i = 0; i < 10; i++) {
      DeleteTabletRequestPB request =
          DeleteTabletRequestPB.newBuilder()
              .setTabletId(Forgery.text(id(i)))
              .setDestUuid(target.uuidBytes())
              .setDeleteType(TabletDataState.TABLET_DATA_DELETED)
              .build();
      send(HostileCluster.OPERATOR, target, PathAttacks.ADMIN, "DeleteTablet", request);
    }
  }

  private static String id(int number) {
    return String.format("%032x", 0xdead0000L + number);
  }

  /** Servers that no client can connect to. */
  void impossiblePorts(String user) throws IOException {
    List<HostPortPB> addresses = List.of(at("127.0.0.1", 99_999), at("", 7050), at("x", -1));
    for (int i = 0; i < addresses.size(); i++) {
      HostPortPB address = addresses.get(i);
      var heartbeat =
          Forgery.heartbeat(String.format("%032x", 0xbeef0000L + i), 1)
              .setRegistration(Forgery.registration(address))
              .setRaftAddress(address)
              .setTabletReport(poisonedReport(address));
      send(user, cluster.master(), MASTER, "TSHeartbeat", heartbeat.build());
      AddMasterRequestPB add = AddMasterRequestPB.newBuilder().setRpcAddr(address).build();
      send(user, cluster.master(), MASTER, "AddMaster", add);
    }
  }

  /** A report of a tablet of the cluster, with a leader at an unreachable address. */
  private TabletReportPB poisonedReport(HostPortPB address) {
    var peer = Forgery.peer(cluster.tabletServers().get(0)).setLastKnownAddr(address);
    return TabletReportPB.newBuilder()
        .setIncremental(false)
        .setSequence(1)
        .addUpdated(
            ReportedTabletPB.newBuilder()
                .setTabletId(Forgery.text(cluster.tabletIds(HostileCluster.STILL).get(0)))
                .setState(TabletStatePB.RUNNING)
                .setDataState(TabletDataState.TABLET_DATA_READY)
                .setConsensusState(
                    ConsensusStatePB.newBuilder()
                        .setCurrentTerm(Long.MAX_VALUE)
                        .setLeaderUuid(peer.getPermanentUuid().toStringUtf8())
                        .setCommittedConfig(
                            RaftConfigPB.newBuilder().setOpidIndex(Long.MAX_VALUE).addPeers(peer))))
        .build();
  }

  /** Asserts that clients can connect to the addresses from the master, whatever was registered. */
  void assertAddressesCanBe() throws IOException {
    try (RawRpc connection = RawRpc.operator(cluster.master().rpc())) {
      for (ListTabletServersResponsePB.Entry server : tabletServers(connection)) {
        server.getRegistration().getRpcAddressesList().forEach(RegistrationAttacks::assertCanBe);
        server.getRegistration().getHttpAddressesList().forEach(RegistrationAttacks::assertCanBe);
      }
      connection
          .ask(
              MASTER,
              "ListMasters",
              ListMastersRequestPB.getDefaultInstance(),
              ListMastersResponsePB.parser())
          .getMastersList()
          .forEach(m -> m.getRegistration().getRpcAddressesList().forEach(a -> assertCanBe(a)));
    }
  }

  static List<ListTabletServersResponsePB.Entry> tabletServers(RawRpc connection) {
    return connection
        .ask(
            MASTER,
            "ListTabletServers",
            ListTabletServersRequestPB.getDefaultInstance(),
            ListTabletServersResponsePB.parser())
        .getServersList();
  }

  private static void assertCanBe(HostPortPB address) {
    assertThat(address.getHost()).isNotBlank();
    assertThat(address.getPort()).isBetween(1, 65_535);
  }

  /** Heartbeats in the name of servers that the master knows, with another address. */
  void impostors(String user) throws IOException {
    for (Target target : cluster.tabletServers()) {
      for (long instance : instancesUpTo(target.instance())) {
        HostPortPB elsewhere = at("127.0.0.1", IMPOSTOR_PORT);
        var heartbeat =
            Forgery.heartbeat(target.uuid(), instance)
                .setRegistration(Forgery.registration(elsewhere))
                .setRaftAddress(elsewhere)
                .setTabletReport(
                    TabletReportPB.newBuilder().setIncremental(false).setSequence(1_000_000));
        send(user, cluster.master(), MASTER, "TSHeartbeat", heartbeat.build());
      }
    }
  }

  /** Earlier runs and the current one, whose number any client may request from the server. */
  private static List<Long> instancesUpTo(long present) {
    return List.of(0L, 1L, -1L, Long.MIN_VALUE, present - 1, present);
  }

  /** Asserts that the master has the true addresses of its servers. */
  void assertServersAreWhereTheyWere() throws IOException {
    try (RawRpc connection = RawRpc.operator(cluster.master().rpc())) {
      for (ListTabletServersResponsePB.Entry server : tabletServers(connection)) {
        for (Target target : cluster.tabletServers()) {
          if (server.getInstanceId().getPermanentUuid().equals(target.uuidBytes())) {
            assertThat(server.getRegistration().getRpcAddresses(0).getPort())
                .isEqualTo(target.rpc().getPort());
            assertThat(server.getInstanceId().getInstanceSeqno()).isEqualTo(target.instance());
          }
        }
      }
    }
  }

  private static void send(
      String user, Target target, String service, String method, Message request)
      throws IOException {
    try (RawRpc connection = RawRpc.as(user, target.rpc())) {
      connection.call(service, method, request.toByteArray(), TIMEOUT_MILLIS);
    }
  }
}
