package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.AlterTableResponsePB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableResponsePB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableResponsePB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneResponsePB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneResponsePB;
import dev.kudu4j.common.proto.master.RebalanceRequestPB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableResponsePB;
import dev.kudu4j.common.proto.master.ReplaceTabletRequestPB;
import dev.kudu4j.common.proto.master.ReplaceTabletResponsePB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsRequestPB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsResponsePB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableFinder;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.tables.Requester;

/** RPC methods that change tables, and those that return whether a change is complete. */
final class TableMethods {
  private final MasterLeadership leadership;

  TableMethods(MasterLeadership leadership) {
    this.leadership = leadership;
  }

  CreateTableResponsePB createTable(CreateTableRequestPB request, Requester requester) {
    String id = leadership.session().tables().create(request, requester);
    return CreateTableResponsePB.newBuilder().setTableId(Ids.toWire(id)).build();
  }

  IsCreateTableDoneResponsePB isCreateTableDone(IsCreateTableDoneRequestPB request) {
    LeaderSession session = leadership.session();
    TableInfo table = TableFinder.find(session.catalog(), request.getTable());
    return IsCreateTableDoneResponsePB.newBuilder()
        .setDone(session.tables().isCreateDone(table))
        .build();
  }

  AlterTableResponsePB alterTable(AlterTableRequestPB request, Requester requester) {
    String id = leadership.session().tables().alter(request, requester);
    return AlterTableResponsePB.newBuilder().setTableId(Ids.toWire(id)).build();
  }

  IsAlterTableDoneResponsePB isAlterTableDone(IsAlterTableDoneRequestPB request) {
    TableInfo table = TableFinder.find(leadership.session().catalog(), request.getTable());
    return IsAlterTableDoneResponsePB.newBuilder()
        .setSchemaVersion(table.schemaVersion())
        .setDone(!table.isAltering())
        .build();
  }

  DeleteTableResponsePB deleteTable(DeleteTableRequestPB request, Requester requester) {
    leadership.session().tables().delete(request, requester);
    return DeleteTableResponsePB.getDefaultInstance();
  }

  RecallDeletedTableResponsePB recallDeletedTable(
      RecallDeletedTableRequestPB request, Requester requester) {
    leadership.session().tables().recall(request, requester);
    return RecallDeletedTableResponsePB.getDefaultInstance();
  }

  ReplaceTabletResponsePB replaceTablet(ReplaceTabletRequestPB request, Requester requester) {
    String id =
        leadership.session().tables().replaceTablet(Ids.fromWire(request.getTabletId()), requester);
    return ReplaceTabletResponsePB.newBuilder().setReplacementTabletId(Ids.toWire(id)).build();
  }

  RebalanceResponsePB rebalance(RebalanceRequestPB request, Requester requester) {
    return leadership.session().tables().rebalance(request, requester);
  }

  SetColumnStatisticsResponsePB setColumnStatistics(
      SetColumnStatisticsRequestPB request, Requester requester) {
    leadership.session().tables().setColumnStatistics(request, requester);
    return SetColumnStatisticsResponsePB.getDefaultInstance();
  }
}
