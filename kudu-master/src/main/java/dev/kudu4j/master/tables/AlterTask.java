package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.AlterSchemaResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.reconcile.Reconciler;
import java.util.concurrent.CompletableFuture;

/** Makes the leader of one tablet apply the table's newest schema. */
final class AlterTask implements TabletTask {
  private final TaskContext context;
  private final String tabletId;

  AlterTask(TaskContext context, String tabletId) {
    this.context = context;
    this.tabletId = tabletId;
  }

  @Override
  public String key() {
    return "alter " + tabletId;
  }

  @Override
  public String server() {
    String leader = context.observed().status(tabletId).leader();
    return leader == null ? "" : leader;
  }

  @Override
  public CompletableFuture<Outcome> attempt() {
    TableInfo table = tableToApply();
    if (table == null) {
      return CompletableFuture.completedFuture(Outcome.DONE);
    }
    RegisteredServer leader = context.servers().get(server());
    if (leader == null) {
      return CompletableFuture.completedFuture(Outcome.AGAIN_LATER);
    }
    AlterSchemaRequestPB request =
        AlterSchemaRequestPB.newBuilder()
            .setDestUuid(Ids.toWire(leader.uuid()))
            .setTabletId(Ids.toWire(tabletId))
            .setSchema(table.entry().getSchema())
            .setSchemaVersion(table.schemaVersion())
            .setTableName(table.name())
            .setExtraConfig(
                ExtraConfigs.toWire(
                    table.entry().getExtraConfigsMap(),
                    table.entry().getIndexesList(),
                    table.entry().getDerivation()))
            .build();
    return context
        .calls()
        .alterSchema(leader, request)
        .thenApply(answer -> applied(leader.uuid(), request.getSchemaVersion(), answer));
  }

  /** The table whose newest schema the tablet has not applied; null when it has applied it. */
  private TableInfo tableToApply() {
    TabletInfo tablet = context.catalog().tablet(tabletId);
    TableInfo table = tablet == null ? null : context.catalog().table(tablet.tableId());
    boolean lacking =
        table != null && Reconciler.lacksSchema(table, tablet, context.observed().get(tabletId));
    return lacking ? table : null;
  }

  private Outcome applied(String leader, int version, AlterSchemaResponsePB answer) {
    if (answer.hasTimestamp() && context.clock().isTrusted(answer.getTimestamp())) {
      context.clock().update(answer.getTimestamp());
    }
    if (answer.hasReplica()) {
      context.reader().read(leader, answer.getReplica());
    }
    if (answer.hasError()
        && answer.getError().getCode() != TabletServerErrorPB.Code.TABLET_HAS_A_NEWER_SCHEMA) {
      return Outcome.AGAIN_LATER;
    }
    TabletInfo tablet = context.catalog().tablet(tabletId);
    if (tablet == null) {
      return Outcome.DONE;
    }
    context.observed().updateStatus(tabletId, status -> status.withSchemaVersion(version));
    context.recorder().schemaApplied(tablet, version);
    return tableToApply() == null ? Outcome.DONE : Outcome.AGAIN_AT_ONCE;
  }

  @Override
  public String toString() {
    return "Alteration of tablet " + tabletId;
  }
}
