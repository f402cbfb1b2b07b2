package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateRequestPB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateResponsePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaResponsePB;
import dev.kudu4j.common.proto.master.ListMastersRequestPB;
import dev.kudu4j.common.proto.master.ListMastersResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.ReplicaTypeFilter;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The state that every server of a cluster reports about itself, and that the master reports about
 * all servers. All servers are queried in parallel, so dead servers cost one timeout in total.
 *
 * @param leader uuid of the leading master
 */
record ClusterSurvey(
    List<ServerState> masters,
    Map<String, ServerState> tabletServers,
    List<TableState> tables,
    String leader) {

  static final String MASTER_SERVICE = "kudu.master.MasterService";
  static final String TABLET_SERVER = "kudu.tserver.TabletServerService";
  static final String GENERIC = "kudu.server.GenericService";
  static final String CONSENSUS = "kudu.consensus.ConsensusService";
  private static final int ALL_LOCATIONS = 1_000_000;

  /**
   * A server without a heartbeat for this time, which is many heartbeat intervals, is unhealthy.
   */
  private static final int SILENCE_MILLIS = 30_000;

  /**
   * @param wanted accepts the names of the tables to examine
   */
  static ClusterSurvey of(ClusterCalls calls, Predicate<String> wanted) {
    CompletableFuture<List<TableState>> tables = tables(calls, wanted);
    List<ServerState> masters = masters(calls);
    Map<String, ServerState> tabletServers = tabletServers(calls);
    String leader =
        masters.stream()
            .filter(master -> master.role().equals(RaftPeerPB.Role.LEADER.name()))
            .map(ServerState::uuid)
            .findFirst()
            .orElse("");
    return new ClusterSurvey(masters, tabletServers, ClusterCalls.get(tables), leader);
  }

  /** Queries the masters that the operator gave, and those in the leading master's list. */
  static List<ServerState> masters(ClusterCalls calls) {
    Set<InetSocketAddress> addresses = new LinkedHashSet<>(calls.masters().addresses());
    Map<String, InetSocketAddress> byUuid = new HashMap<>();
    List<ServerEntryPB> known =
        calls
            .master(
                "ListMasters",
                ListMastersRequestPB.getDefaultInstance(),
                ListMastersResponsePB.parser())
            .getMastersList();
    for (ServerEntryPB master : known) {
      if (master.hasInstanceId() && master.getRegistration().getRpcAddressesCount() > 0) {
        byUuid.put(
            master.getInstanceId().getPermanentUuid().toStringUtf8(),
            ClusterCalls.address(master.getRegistration().getRpcAddresses(0)));
      }
    }
    Map<InetSocketAddress, CompletableFuture<ServerState>> answers = new HashMap<>();
    addresses.forEach(address -> answers.put(address, master(address, calls)));
    List<ServerState> masters = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    for (InetSocketAddress address : addresses) {
      ServerState master = ClusterCalls.get(answers.get(address));
      if (master.uuid().isEmpty() || seen.add(master.uuid())) {
        masters.add(master);
      }
    }
    byUuid.forEach(
        (uuid, address) -> {
          if (seen.add(uuid) && !addresses.contains(address)) {
            masters.add(ClusterCalls.get(master(address, calls)));
          }
        });
    return masters;
  }

  private static CompletableFuture<ServerState> master(
      InetSocketAddress address, ClusterCalls calls) {
    return calls
        .call(
            address,
            MASTER_SERVICE,
            "GetMasterRegistration",
            GetMasterRegistrationRequestPB.getDefaultInstance(),
            GetMasterRegistrationResponsePB.parser())
        .thenCombine(
            catalog(address, calls),
            (answer, catalog) ->
                new ServerState(
                    answer.getInstanceId().getPermanentUuid().toStringUtf8(),
                    ClusterCalls.text(address),
                    ServerHealth.HEALTHY,
                    "",
                    version(answer.getRegistration()),
                    answer.getRole().name(),
                    "",
                    Map.of(),
                    catalog))
        .exceptionally(failure -> unavailable("", ClusterCalls.text(address), "", failure));
  }

  /** The consensus state of the catalog that a master reports; empty if it reports none. */
  private static CompletableFuture<Map<String, ConsensusStatePB>> catalog(
      InetSocketAddress address, ClusterCalls calls) {
    return calls
        .call(
            address,
            CONSENSUS,
            "GetConsensusState",
            GetConsensusStateRequestPB.newBuilder()
                .addTabletIds(ByteString.copyFromUtf8(CatalogConsensusStates.CATALOG))
                .build(),
            GetConsensusStateResponsePB.parser())
        .thenApply(ClusterSurvey::consensus)
        .exceptionally(unknown -> Map.of());
  }

  private static String version(ServerRegistrationPB registration) {
    return registration.getSoftwareVersion();
  }

  private static ServerState unavailable(
      String uuid, String address, String location, Throwable failure) {
    return new ServerState(
        uuid,
        address,
        ServerHealth.UNAVAILABLE,
        reason(failure),
        "",
        "",
        location,
        Map.of(),
        Map.of());
  }

  static String reason(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof KuduException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage());
    return message.contains("Connection refused") ? "connection refused" : message;
  }

  /** Queries all registered tablet servers; returns their states by uuid, ordered by address. */
  static Map<String, ServerState> tabletServers(ClusterCalls calls) {
    Map<String, CompletableFuture<ServerState>> answers = new HashMap<>();
    for (ListTabletServersResponsePB.Entry entry : registered(calls)) {
      answers.put(entry.getInstanceId().getPermanentUuid().toStringUtf8(), ask(entry, calls));
    }
    Map<String, ServerState> servers = new LinkedHashMap<>();
    answers.values().stream()
        .map(ClusterCalls::get)
        .sorted(Comparator.comparing(ServerState::address))
        .forEach(server -> servers.put(server.uuid(), server));
    return servers;
  }

  static List<ListTabletServersResponsePB.Entry> registered(ClusterCalls calls) {
    return calls
        .master(
            "ListTabletServers",
            ListTabletServersRequestPB.getDefaultInstance(),
            ListTabletServersResponsePB.parser())
        .getServersList();
  }

  private static CompletableFuture<ServerState> ask(
      ListTabletServersResponsePB.Entry entry, ClusterCalls calls) {
    String uuid = entry.getInstanceId().getPermanentUuid().toStringUtf8();
    String location = entry.getLocation();
    if (entry.getRegistration().getRpcAddressesCount() == 0) {
      return CompletableFuture.completedFuture(
          unavailable(
              uuid,
              "unknown",
              location,
              KuduException.notFound("the master has no address of the server")));
    }
    InetSocketAddress address = ClusterCalls.address(entry.getRegistration().getRpcAddresses(0));
    CompletableFuture<GetStatusResponsePB> status =
        calls.call(
            address,
            GENERIC,
            "GetStatus",
            GetStatusRequestPB.getDefaultInstance(),
            GetStatusResponsePB.parser());
    return status
        .thenCompose(answer -> describe(uuid, address, location, entry, answer, calls))
        .exceptionally(failure -> unavailable(uuid, ClusterCalls.text(address), location, failure));
  }

  private static CompletableFuture<ServerState> describe(
      String uuid,
      InetSocketAddress address,
      String location,
      ListTabletServersResponsePB.Entry entry,
      GetStatusResponsePB status,
      ClusterCalls calls) {
    String found = status.getStatus().getNodeInstance().getPermanentUuid().toStringUtf8();
    if (!found.equals(uuid)) {
      return CompletableFuture.completedFuture(
          new ServerState(
              uuid,
              ClusterCalls.text(address),
              ServerHealth.WRONG_SERVER_UUID,
              "server " + found + " responds at its address",
              "",
              "",
              location,
              Map.of(),
              Map.of()));
    }
    CompletableFuture<ListTabletsResponsePB> tablets =
        calls.call(
            address,
            TABLET_SERVER,
            "ListTablets",
            ListTabletsRequestPB.newBuilder().setNeedSchemaInfo(false).build(),
            ListTabletsResponsePB.parser());
    CompletableFuture<GetConsensusStateResponsePB> consensus =
        calls.call(
            address,
            CONSENSUS,
            "GetConsensusState",
            GetConsensusStateRequestPB.newBuilder()
                .setDestUuid(ByteString.copyFromUtf8(uuid))
                .build(),
            GetConsensusStateResponsePB.parser());
    String problem = reportProblem(entry);
    return tablets.thenCombine(
        consensus,
        (listed, states) ->
            new ServerState(
                uuid,
                ClusterCalls.text(address),
                problem.isEmpty() ? ServerHealth.HEALTHY : ServerHealth.REPORTS_FAIL,
                problem,
                version(entry.getRegistration()),
                "",
                location,
                replicas(listed),
                consensus(states)));
  }

  /** The problem with a server's reports to the master as text; empty if there is none. */
  private static String reportProblem(ListTabletServersResponsePB.Entry entry) {
    if (!entry.getReportError().isEmpty()) {
      return entry.getReportError();
    }
    return entry.getMillisSinceHeartbeat() > SILENCE_MILLIS
        ? "the master has received no heartbeat from it for %d s"
            .formatted(entry.getMillisSinceHeartbeat() / 1000)
        : "";
  }

  private static Map<String, TabletStatusPB> replicas(ListTabletsResponsePB listed) {
    Map<String, TabletStatusPB> replicas = new HashMap<>();
    listed
        .getStatusAndSchemaList()
        .forEach(
            each -> replicas.put(each.getTabletStatus().getTabletId(), each.getTabletStatus()));
    return replicas;
  }

  private static Map<String, ConsensusStatePB> consensus(GetConsensusStateResponsePB states) {
    Map<String, ConsensusStatePB> consensus = new HashMap<>();
    states
        .getTabletsList()
        .forEach(each -> consensus.put(each.getTabletId().toStringUtf8(), each.getCstate()));
    return consensus;
  }

  /**
   * The tables whose names satisfy the predicate, and the locations of their tablets according to
   * the master.
   */
  static CompletableFuture<List<TableState>> tables(ClusterCalls calls, Predicate<String> wanted) {
    List<CompletableFuture<TableState>> states = new ArrayList<>();
    calls.tables(ListTablesRequestPB.getDefaultInstance()).stream()
        .filter(table -> wanted.test(table.getName()))
        .sorted(Comparator.comparing(ListTablesResponsePB.TableInfo::getName))
        .forEach(table -> states.add(table(table, calls)));
    return CompletableFuture.allOf(states.toArray(CompletableFuture[]::new))
        .thenApply(done -> states.stream().map(CompletableFuture::join).toList());
  }

  private static CompletableFuture<TableState> table(
      ListTablesResponsePB.TableInfo table, ClusterCalls calls) {
    TableIdentifierPB identifier = TableIdentifierPB.newBuilder().setTableId(table.getId()).build();
    CompletableFuture<GetTableSchemaResponsePB> schema =
        calls.masterOnce(
            "GetTableSchema",
            GetTableSchemaRequestPB.newBuilder().setTable(identifier).build(),
            GetTableSchemaResponsePB.parser());
    CompletableFuture<GetTableLocationsResponsePB> locations =
        calls.masterOnce(
            "GetTableLocations",
            GetTableLocationsRequestPB.newBuilder()
                .setTable(identifier)
                .setMaxReturnedLocations(ALL_LOCATIONS)
                .setInternTsInfosInResponse(true)
                .setReplicaTypeFilter(ReplicaTypeFilter.ANY_REPLICA)
                .build(),
            GetTableLocationsResponsePB.parser());
    String id = table.getId().toStringUtf8();
    return schema
        .thenCombine(
            locations,
            (described, located) ->
                new TableState(
                    id,
                    table.getName(),
                    described.getNumReplicas(),
                    described.getSchema(),
                    tablets(located),
                    ""))
        .exceptionally(
            failure ->
                new TableState(
                    id, table.getName(), table.getNumReplicas(), null, List.of(), reason(failure)));
  }

  private static List<TableState.TabletState> tablets(GetTableLocationsResponsePB located) {
    List<TableState.TabletState> tablets = new ArrayList<>();
    for (TabletLocationsPB tablet : located.getTabletLocationsList()) {
      List<TableState.Placement> placements = new ArrayList<>();
      for (TabletLocationsPB.InternedReplicaPB replica : tablet.getInternedReplicasList()) {
        placements.add(
            new TableState.Placement(
                located.getTsInfos(replica.getTsInfoIdx()).getPermanentUuid().toStringUtf8(),
                replica.getRole() == RaftPeerPB.Role.LEADER,
                replica.getRole() != RaftPeerPB.Role.LEARNER));
      }
      tablets.add(new TableState.TabletState(tablet.getTabletId().toStringUtf8(), placements));
    }
    return tablets;
  }
}
