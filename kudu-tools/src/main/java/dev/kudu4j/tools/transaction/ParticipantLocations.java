package dev.kudu4j.tools.transaction;

import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.ClusterCalls;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the tables and the leaders of tablets, by asking the master for the tablets of tables. */
final class ParticipantLocations {
  private static final int ALL_LOCATIONS = 1_000_000;

  private final ClusterCalls calls;
  private final Set<String> missing;
  private final Map<String, Participant> found = new HashMap<>();

  private ParticipantLocations(List<String> tablets, ClusterCalls calls) {
    this.calls = calls;
    this.missing = new HashSet<>(tablets);
  }

  /** The tablets with their locations, in the given order. */
  static List<Participant> of(List<String> tablets, ClusterCalls calls) {
    ParticipantLocations locations = new ParticipantLocations(tablets, calls);
    locations.locate();
    return tablets.stream()
        .map(
            tablet ->
                locations.found.getOrDefault(
                    tablet, new Participant(tablet, Optional.empty(), Optional.empty())))
        .toList();
  }

  private void locate() {
    if (missing.isEmpty()) {
      return;
    }
    for (var table : calls.tables(ListTablesRequestPB.getDefaultInstance())) {
      locate(table);
      if (missing.isEmpty()) {
        return;
      }
    }
  }

  private void locate(ListTablesResponsePB.TableInfo table) {
    GetTableLocationsResponsePB locations;
    try {
      locations = locations(table);
    } catch (KuduException e) {
      if (e.code() == StatusCode.NOT_FOUND) {
        return; // dropped in the meantime
      }
      throw e;
    }
    for (TabletLocationsPB tablet : locations.getTabletLocationsList()) {
      String id = tablet.getTabletId().toStringUtf8();
      if (missing.remove(id)) {
        found.put(id, new Participant(id, Optional.of(table.getName()), leader(tablet, locations)));
      }
    }
  }

  private GetTableLocationsResponsePB locations(ListTablesResponsePB.TableInfo table) {
    return calls.master(
        "GetTableLocations",
        GetTableLocationsRequestPB.newBuilder()
            .setTable(TableIdentifierPB.newBuilder().setTableId(table.getId()))
            .setMaxReturnedLocations(ALL_LOCATIONS)
            .setInternTsInfosInResponse(true)
            .build(),
        GetTableLocationsResponsePB.parser());
  }

  private static Optional<String> leader(
      TabletLocationsPB tablet, GetTableLocationsResponsePB locations) {
    return tablet.getInternedReplicasList().stream()
        .filter(replica -> replica.getRole() == RaftPeerPB.Role.LEADER)
        .map(replica -> locations.getTsInfos(replica.getTsInfoIdx()))
        .filter(server -> server.getRpcAddressesCount() > 0)
        .map(ParticipantLocations::address)
        .findFirst();
  }

  private static String address(TSInfoPB server) {
    return ClusterCalls.text(ClusterCalls.address(server.getRpcAddresses(0)));
  }
}
