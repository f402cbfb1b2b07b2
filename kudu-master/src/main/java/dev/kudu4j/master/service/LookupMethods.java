package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.common.TableTypePB;
import dev.kudu4j.common.proto.master.GetIndexProgressRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.IndexStatePB;
import dev.kudu4j.common.proto.master.GetIndexProgressResponsePB.TabletPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaResponsePB;
import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsResponsePB;
import dev.kudu4j.common.proto.master.GetTabletLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTabletLocationsResponsePB;
import dev.kudu4j.common.proto.master.ListInFlightTablesResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableFinder;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.directory.IndexState;
import dev.kudu4j.master.directory.TableSize;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.tables.IndexSteps;
import dev.kudu4j.master.tables.IndexTables;
import dev.kudu4j.master.tables.PartitioningRecord;
import java.util.List;

/** RPC methods with which clients look up tables and the locations of tablets. */
final class LookupMethods {
  private final MasterLeadership leadership;

  LookupMethods(MasterLeadership leadership) {
    this.leadership = leadership;
  }

  GetTableSchemaResponsePB getTableSchema(GetTableSchemaRequestPB request) {
    TableInfo table = TableFinder.find(leadership.session().catalog(), request.getTable());
    TableEntryPB entry = table.entry();
    var schema = SchemaWire.fromWire(table.schemaForClients());
    return GetTableSchemaResponsePB.newBuilder()
        .setSchema(table.schemaForClients())
        .setNumReplicas(entry.getNumReplicas())
        .setTableId(Ids.toWire(table.id()))
        .setPartitionSchema(
            PartitionWire.toWire(PartitioningRecord.read(entry.getPartitioning()), schema))
        .setTableName(table.name())
        .putAllExtraConfigs(entry.getExtraConfigsMap())
        .putAllExtraConfigs(IndexSteps.properties(entry, schema))
        .setOwner(entry.getOwner())
        .setComment(entry.getComment())
        .build();
  }

  GetTableLocationsResponsePB getTableLocations(GetTableLocationsRequestPB request) {
    LeaderSession session = leadership.session();
    TableInfo table = TableFinder.find(session.catalog(), request.getTable());
    return session.directory().locate(table, request).build();
  }

  GetTabletLocationsResponsePB getTabletLocations(GetTabletLocationsRequestPB request) {
    return leadership.session().directory().locate(request).build();
  }

  GetTableStatisticsResponsePB getTableStatistics(GetTableStatisticsRequestPB request) {
    LeaderSession session = leadership.session();
    TableInfo table = TableFinder.find(session.catalog(), request.getTable());
    TableSize size = TableSize.of(table, session.observed());
    GetTableStatisticsResponsePB.Builder answer = GetTableStatisticsResponsePB.newBuilder();
    size.onDiskBytes().ifPresent(answer::setOnDiskSize);
    size.liveRowCount().ifPresent(answer::setLiveRowCount);
    if (request.getWithColumns() && table.entry().getColumnStatisticsCount() > 0) {
      answer
          .addAllColumns(table.entry().getColumnStatisticsList())
          .setSchema(table.entry().getSchema());
    }
    return answer.build();
  }

  GetIndexProgressResponsePB getIndexProgress(GetIndexProgressRequestPB request) {
    LeaderSession session = leadership.session();
    TableInfo table = TableFinder.find(session.catalog(), request.getTable());
    GetIndexProgressResponsePB.Builder answer = GetIndexProgressResponsePB.newBuilder();
    for (IndexState state :
        IndexState.of(
            table,
            session.observed(),
            index -> IndexTables.find(session.catalog(), table, index))) {
      IndexStatePB.Builder index =
          answer
              .addIndexesBuilder()
              .setName(state.index().getName())
              .setIndexId(state.index().getId())
              .setState(state.state());
      if (!state.failure().isEmpty()) {
        index.setDuplicates(state.failure());
      }
      state.tablets().forEach(tablet -> index.addTablets(toWire(tablet)));
    }
    return answer.build();
  }

  private static TabletPB toWire(IndexState.Tablet tablet) {
    return TabletPB.newBuilder()
        .setTabletId(Ids.toWire(tablet.tabletId()))
        .setReplicas(tablet.replicas())
        .setBuiltReplicas(tablet.builtReplicas())
        .setRowsets(tablet.rowSets())
        .setBuiltRowsets(tablet.builtRowSets())
        .setRows(tablet.rows())
        .setBuiltRows(tablet.builtRows())
        .build();
  }

  ListTablesResponsePB listTables(ListTablesRequestPB request) {
    LeaderSession session = leadership.session();
    ListTablesResponsePB.Builder answer = ListTablesResponsePB.newBuilder();
    for (TableInfo table : session.catalog().tables()) {
      if (isListed(table, request)) {
        answer.addTables(tableInfo(table, session, request.getListTabletWithPartition()));
      }
    }
    return answer.build();
  }

  private static boolean isListed(TableInfo table, ListTablesRequestPB request) {
    List<TableTypePB> types =
        request.getTypeFilterCount() == 0
            ? List.of(TableTypePB.DEFAULT_TABLE)
            : request.getTypeFilterList();
    return !table.isRemoved()
        && table.isSoftDeleted() == request.getShowSoftDeleted()
        && types.contains(table.entry().getTableType())
        && table.name().contains(request.getNameFilter());
  }

  private static ListTablesResponsePB.TableInfo tableInfo(
      TableInfo table, LeaderSession session, boolean withPartitions) {
    ListTablesResponsePB.TableInfo.Builder listed =
        ListTablesResponsePB.TableInfo.newBuilder()
            .setId(Ids.toWire(table.id()))
            .setName(table.name())
            .setNumTablets(table.tablets().size())
            .setNumReplicas(table.entry().getNumReplicas());
    TableSize.of(table, session.observed()).liveRowCount().ifPresent(listed::setLiveRowCount);
    if (withPartitions) {
      for (TabletInfo tablet : table.tablets()) {
        listed.addTabletWithPartition(
            ListTablesResponsePB.TabletWithPartition.newBuilder()
                .setTabletId(tablet.id())
                .setPartition(tablet.partition()));
      }
    }
    return listed.build();
  }

  ListInFlightTablesResponsePB listInFlightTables() {
    ListInFlightTablesResponsePB.Builder answer = ListInFlightTablesResponsePB.newBuilder();
    for (TableInfo table : leadership.session().catalog().tables()) {
      if (table.isRemoved() || (table.tabletsInCreation() == 0 && !table.isAltering())) {
        continue;
      }
      answer.addTables(
          ListInFlightTablesResponsePB.TableInfo.newBuilder()
              .setId(Ids.toWire(table.id()))
              .setName(table.name())
              .setNumTablets(table.tablets().size())
              .setNumTabletsInFlight(table.tabletsInCreation())
              .setState(table.state()));
    }
    return answer.build();
  }
}
