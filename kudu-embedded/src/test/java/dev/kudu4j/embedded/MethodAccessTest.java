package dev.kudu4j.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.security.ClusterSecret;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Calls every method of both daemons as every kind of caller. The expected access is Apache Kudu's,
 * except for the differences in docs/security.md.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MethodAccessTest {
  private static final String PROCESS_USER = System.getProperty("user.name");

  /** The methods of both daemons by access class. */
  private static final Map<Access, Set<String>> EXPECTED =
      Map.of(
          Access.CLIENT,
          Set.of(
              "kudu.tserver.TabletServerService.Write",
              "kudu.tserver.TabletServerService.Scan",
              "kudu.tserver.TabletServerService.ScannerKeepAlive",
              "kudu.tserver.TabletServerService.SplitKeyRange",
              "kudu.tserver.TabletServerService.Checksum",
              "kudu.tserver.TabletServerService.ReadChanges",
              "kudu.tserver.TabletServerService.ListTablets",
              "kudu.master.MasterService.DeleteTable",
              "kudu.master.MasterService.SetColumnStatistics",
              "kudu.master.MasterService.GetIndexProgress",
              "kudu.master.MasterService.RecallDeletedTable",
              "kudu.master.MasterService.ListTabletServers",
              "kudu.master.MasterService.ListMasters",
              "kudu.transactions.TxnManagerService.BeginTransaction",
              "kudu.transactions.TxnManagerService.CommitTransaction",
              "kudu.transactions.TxnManagerService.AbortTransaction",
              "kudu.transactions.TxnManagerService.GetTransactionState",
              "kudu.transactions.TxnManagerService.KeepTransactionAlive",
              "kudu.server.GenericService.ServerClock"),
          Access.CLIENT_OR_SERVICE,
          Set.of(
              "kudu.tserver.TabletServerService.Ping",
              "kudu.master.MasterService.Ping",
              "kudu.master.MasterService.ConnectToMaster",
              "kudu.master.MasterService.GetMasterRegistration",
              "kudu.master.MasterService.CreateTable",
              "kudu.master.MasterService.IsCreateTableDone",
              "kudu.master.MasterService.AlterTable",
              "kudu.master.MasterService.IsAlterTableDone",
              "kudu.master.MasterService.ListTables",
              "kudu.master.MasterService.ListInFlightTables",
              "kudu.master.MasterService.GetTableSchema",
              "kudu.master.MasterService.GetTableLocations",
              "kudu.master.MasterService.GetTabletLocations",
              "kudu.master.MasterService.GetTableStatistics",
              "kudu.server.GenericService.GetStatus"),
          Access.SUPERUSER_OR_SERVICE,
          Set.of(
              "kudu.tserver.TabletServerAdminService.DeleteTablet",
              "kudu.tserver.TabletServerAdminService.CoordinateTransaction",
              "kudu.tserver.TabletServerAdminService.ParticipateInTransaction",
              "kudu.tserver.TabletServerAdminService.Quiesce",
              "kudu.consensus.ConsensusService.GetConsensusState",
              "kudu.consensus.ConsensusService.GetLastOpId",
              "kudu.consensus.ConsensusService.GetNodeInstance",
              "kudu.consensus.ConsensusService.ChangeConfig",
              "kudu.consensus.ConsensusService.BulkChangeConfig",
              "kudu.consensus.ConsensusService.UnsafeChangeConfig",
              "kudu.consensus.ConsensusService.LeaderStepDown",
              "kudu.consensus.ConsensusService.RunLeaderElection",
              "kudu.consensus.ConsensusService.StartTabletCopy",
              "kudu.master.MasterService.AddMaster"),
          Access.SERVICE,
          Set.of(
              "kudu.master.MasterService.TSHeartbeat",
              "kudu.tserver.TabletServerAdminService.CreateTablet",
              "kudu.tserver.TabletServerAdminService.AlterSchema",
              "kudu.tserver.TabletServerAdminService.ReadIndexRows",
              "kudu.tserver.TabletServerAdminService.ClaimValues",
              "kudu.tserver.TabletServerAdminService.CheckClaims",
              "kudu.tserver.TabletCopyService.BeginTabletCopySession",
              "kudu.tserver.TabletCopyService.CheckSessionActive",
              "kudu.tserver.TabletCopyService.FetchData",
              "kudu.tserver.TabletCopyService.EndTabletCopySession",
              "kudu4j.replication.PeerService.UpdateReplicas",
              "kudu4j.replication.PeerService.AskSafeTime",
              "kudu4j.masters.MasterPeerService.EnsureStatusTablet",
              "kudu4j.masters.MasterPeerService.Introduce",
              "kudu4j.masters.MasterPeerService.CopyCatalog"),
          Access.SUPERUSER,
          Set.of(
              "kudu.server.GenericService.GetFlags",
              "kudu.server.GenericService.SetFlag",
              "kudu.server.GenericService.DumpMemTrackers",
              "kudu.server.GenericService.FlushCoverage",
              "kudu.server.GenericService.CheckLeaks",
              "kudu.tserver.TabletServerAdminService.FlushTablet",
              "kudu.tserver.TabletServerAdminService.CompactTablet",
              "kudu.tserver.TabletServerAdminService.VerifyIndexes",
              "kudu.master.MasterService.ReplaceTablet",
              "kudu.master.MasterService.Rebalance",
              "kudu.master.MasterService.RefreshAuthzCache",
              "kudu.master.MasterService.ChangeTServerState",
              "kudu.master.MasterService.RemoveMaster",
              "kudu.master.MasterService.UnregisterTServer"));

  /** A kind of caller, and the access classes that admit it. */
  private record Kind(RpcClientOptions options, Set<Access> admitted) {}

  private EmbeddedCluster cluster;

  @BeforeAll
  void start() {
    cluster =
        EmbeddedCluster.builder()
            .masterFlag("--txn_manager_enabled")
            .flag("--user_acl=ada," + PROCESS_USER)
            .flag("--superuser_acl=grace")
            .start();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private Map<String, Kind> kinds() throws Exception {
    Path file = cluster.directory().resolve("cluster-secret");
    RpcClientOptions plain = RpcClientOptions.defaults();
    Map<String, Kind> kinds = new LinkedHashMap<>();
    kinds.put("in no list", new Kind(plain.withUser("mallory"), Set.of()));
    kinds.put(
        "user", new Kind(plain.withUser("ada"), Set.of(Access.CLIENT, Access.CLIENT_OR_SERVICE)));
    kinds.put(
        "superuser",
        new Kind(
            plain.withUser("grace"),
            Set.of(
                Access.CLIENT,
                Access.CLIENT_OR_SERVICE,
                Access.SUPERUSER_OR_SERVICE,
                Access.SUPERUSER)));
    kinds.put(
        "the servers' user, unproven",
        new Kind(plain, Set.of(Access.CLIENT, Access.CLIENT_OR_SERVICE)));
    kinds.put(
        "server",
        new Kind(
            plain.withUser("x").withSecret(Optional.of(ClusterSecret.read(file))),
            Set.of(Access.CLIENT_OR_SERVICE, Access.SUPERUSER_OR_SERVICE, Access.SERVICE)));
    return kinds;
  }

  @Test
  void everyMethodDeclaresTheAccessOfTheTable() {
    Map<String, Access> expected = new TreeMap<>();
    EXPECTED.forEach((access, methods) -> methods.forEach(method -> expected.put(method, access)));
    Map<String, Access> found = new TreeMap<>();
    for (List<RpcService> services : List.of(masterServices(), tabletServerServices())) {
      services.forEach(
          service ->
              service
                  .methodNames()
                  .forEach(
                      method -> found.put(service.name() + "." + method, service.access(method))));
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void everyCallerIsAdmittedOrRefusedByEveryMethod() throws Exception {
    for (Map.Entry<String, Kind> kind : kinds().entrySet()) {
      try (RpcClient client = new RpcClient(kind.getValue().options())) {
        check(client, kind, cluster.masterAddress(0).resolve(), masterServices());
        check(client, kind, cluster.tabletServerAddress(0).resolve(), tabletServerServices());
      }
    }
  }

  private List<RpcService> masterServices() {
    return cluster.masterProcess(0).services();
  }

  private List<RpcService> tabletServerServices() {
    return cluster.tabletServerProcess(0).services();
  }

  private static void check(
      RpcClient client,
      Map.Entry<String, Kind> kind,
      InetSocketAddress address,
      List<RpcService> services)
      throws Exception {
    for (RpcService service : services) {
      for (String method : service.methodNames()) {
        assertThat(isRefused(client, address, service.name(), method))
            .as("%s: %s.%s", kind.getKey(), service.name(), method)
            .isEqualTo(!kind.getValue().admitted().contains(service.access(method)));
      }
    }
  }

  /** Calls with an empty message: an authorized caller gets an error about its missing fields. */
  private static boolean isRefused(
      RpcClient client, InetSocketAddress address, String service, String method) throws Exception {
    try {
      client
          .call(
              address,
              service,
              method,
              NegotiatePB.newBuilder().buildPartial(),
              NegotiatePB.parser(),
              RpcCallOptions.timeoutMillis(20_000))
          .get(30, TimeUnit.SECONDS)
          .close();
      return false;
    } catch (ExecutionException e) {
      return e.getCause().getMessage().equals("unauthorized access to method: " + method);
    }
  }
}
