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
import dev.kudu4j.master.tables.Requester;

/** The methods on tables, called by one user. */
record TableRequests(TableMethods methods) {
  static final Requester USER = new Requester("user", "user at 127.0.0.1:40000");

  CreateTableResponsePB createTable(CreateTableRequestPB request, String user) {
    return methods.createTable(request, new Requester(user, USER.description()));
  }

  IsCreateTableDoneResponsePB isCreateTableDone(IsCreateTableDoneRequestPB request) {
    return methods.isCreateTableDone(request);
  }

  AlterTableResponsePB alterTable(AlterTableRequestPB request) {
    return methods.alterTable(request, USER);
  }

  IsAlterTableDoneResponsePB isAlterTableDone(IsAlterTableDoneRequestPB request) {
    return methods.isAlterTableDone(request);
  }

  DeleteTableResponsePB deleteTable(DeleteTableRequestPB request) {
    return methods.deleteTable(request, USER);
  }

  RecallDeletedTableResponsePB recallDeletedTable(RecallDeletedTableRequestPB request) {
    return methods.recallDeletedTable(request, USER);
  }

  SetColumnStatisticsResponsePB setColumnStatistics(SetColumnStatisticsRequestPB request) {
    return methods.setColumnStatistics(request, USER);
  }

  RebalanceResponsePB rebalance(RebalanceRequestPB request) {
    return methods.rebalance(request, USER);
  }

  ReplaceTabletResponsePB replaceTablet(ReplaceTabletRequestPB request) {
    return methods.replaceTablet(request, USER);
  }
}
