package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.TabletServer;
import java.util.concurrent.CompletableFuture;

/**
 * Makes one server have a replica of a tablet, or not have it, whichever is wanted.
 *
 * <p>One task for both, so that for one replica never two requests are under way: a deletion cannot
 * overtake the creation before it.
 */
final class ReplicaTask implements TabletTask {
  private final TaskContext context;
  private final String tabletId;
  private final String serverUuid;

  private enum Wanted {
    CREATED,
    DELETED,
    AS_IT_IS
  }

  ReplicaTask(TaskContext context, String tabletId, String serverUuid) {
    this.context = context;
    this.tabletId = tabletId;
    this.serverUuid = serverUuid;
  }

  @Override
  public String key() {
    return tabletId + "@" + serverUuid;
  }

  @Override
  public String server() {
    return serverUuid;
  }

  @Override
  public CompletableFuture<Outcome> attempt() {
    Wanted wanted = wanted();
    TabletServer server = context.servers().get(serverUuid);
    if (wanted == Wanted.AS_IT_IS) {
      return CompletableFuture.completedFuture(Outcome.DONE);
    }
    if (server == null || !context.servers().isLive(serverUuid)) {
      return CompletableFuture.completedFuture(Outcome.AGAIN_LATER);
    }
    return wanted == Wanted.CREATED ? create(server) : delete(server);
  }

  private Wanted wanted() {
    TabletInfo tablet = context.catalog().tablet(tabletId);
    TableInfo table = tablet == null ? null : context.catalog().table(tablet.tableId());
    if (table == null) {
      return Wanted.AS_IT_IS;
    }
    if (table.isDropping(tabletId)) {
      boolean gone = context.deletions().isGone(tabletId, serverUuid);
      return gone ? Wanted.AS_IT_IS : Wanted.DELETED;
    }
    boolean missing = !tablet.isRunning() && !table.hasFailed() && isMember(tablet);
    return missing ? Wanted.CREATED : Wanted.AS_IT_IS;
  }

  private boolean isMember(TabletInfo tablet) {
    for (RaftPeerPB peer : tablet.config().getPeersList()) {
      if (Ids.fromWire(peer.getPermanentUuid()).equals(serverUuid)) {
        return true;
      }
    }
    return false;
  }

  private CompletableFuture<Outcome> create(TabletServer server) {
    TabletInfo tablet = context.catalog().tablet(tabletId);
    TableInfo table = context.catalog().table(tablet.tableId());
    return context.calls().createTablet(server, creation(table, tablet)).thenApply(this::created);
  }

  private CreateTabletRequestPB creation(TableInfo table, TabletInfo tablet) {
    var schema = SchemaWire.fromWire(table.entry().getSchema());
    return CreateTabletRequestPB.newBuilder()
        .setDestUuid(Ids.toWire(serverUuid))
        .setTabletId(Ids.toWire(tabletId))
        .setTableId(Ids.toWire(table.id()))
        .setTableName(table.name())
        .setSchema(table.entry().getSchema())
        .setSchemaVersion(table.schemaVersion())
        .setPartition(tablet.partition())
        .setPartitionSchema(
            PartitionWire.toWire(PartitioningRecord.read(table.entry().getPartitioning()), schema))
        .setConfig(tablet.config())
        .setExtraConfig(ExtraConfigs.toWire(table.entry().getExtraConfigsMap()))
        .build();
  }

  private Outcome created(CreateTabletResponsePB answer) {
    if (answer.hasReplica()) {
      context.reader().read(serverUuid, answer.getReplica());
    }
    if (answer.hasError()
        && answer.getError().getCode() != TabletServerErrorPB.Code.TABLET_ALREADY_EXISTS) {
      return refused(answer.getError());
    }
    // That it runs will be told by a report; if by then it is not wanted any more, it is to go.
    return wanted() == Wanted.DELETED ? Outcome.AGAIN_AT_ONCE : Outcome.DONE;
  }

  private Outcome refused(TabletServerErrorPB error) {
    KuduException failure = StatusWire.fromWire(error.getStatus());
    if (wanted() == Wanted.DELETED) {
      return Outcome.AGAIN_AT_ONCE;
    }
    boolean passing =
        failure.code().category() == StatusCode.Category.RESOURCES
            || error.getCode() == TabletServerErrorPB.Code.WRONG_SERVER_UUID;
    if (passing) {
      return Outcome.AGAIN_LATER;
    }
    context.refusals().replicaRefused(tabletId, serverUuid, failure);
    return Outcome.DONE;
  }

  private CompletableFuture<Outcome> delete(TabletServer server) {
    DeleteTabletRequestPB request =
        DeleteTabletRequestPB.newBuilder()
            .setDestUuid(Ids.toWire(serverUuid))
            .setTabletId(Ids.toWire(tabletId))
            .setDeleteType(TabletDataState.TABLET_DATA_DELETED)
            .setReason("The tablet was dropped")
            .build();
    return context.calls().deleteTablet(server, request).thenApply(this::deleted);
  }

  private Outcome deleted(DeleteTabletResponsePB answer) {
    if (answer.hasError()
        && answer.getError().getCode() != TabletServerErrorPB.Code.TABLET_NOT_FOUND) {
      return Outcome.AGAIN_LATER;
    }
    context.reports().replicaGone(tabletId, serverUuid);
    return Outcome.DONE;
  }

  @Override
  public String toString() {
    return "Replica " + key();
  }
}
