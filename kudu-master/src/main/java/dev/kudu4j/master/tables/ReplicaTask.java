package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.reconcile.DesiredReplica;
import dev.kudu4j.master.reconcile.Reconciler;
import java.util.concurrent.CompletableFuture;

/**
 * Creates, tombstones or deletes the replica of a tablet on one server, as {@code
 * Reconciler.desired} decides at each attempt.
 *
 * <p>One task does all three, so that two requests about the same replica are never under way
 * immediately: a deletion cannot overtake an earlier creation.
 */
final class ReplicaTask implements TabletTask {
  private final TaskContext context;
  private final String tabletId;
  private final String serverUuid;

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
    DesiredReplica desired = desired();
    RegisteredServer server = context.servers().get(serverUuid);
    if (desired == DesiredReplica.UNCHANGED) {
      return CompletableFuture.completedFuture(Outcome.DONE);
    }
    if (server == null || !context.servers().isLive(serverUuid)) {
      boolean lookedForAgain =
          desired == DesiredReplica.TOMBSTONED; // the reconciler repeats it when the server is live
      return CompletableFuture.completedFuture(lookedForAgain ? Outcome.DONE : Outcome.AGAIN_LATER);
    }
    return switch (desired) {
      case CREATED -> create(server);
      case TOMBSTONED -> tombstone(server);
      default -> delete(server);
    };
  }

  private DesiredReplica desired() {
    TabletInfo tablet = context.catalog().tablet(tabletId);
    TableInfo table = tablet == null ? null : context.catalog().table(tablet.tableId());
    if (table == null) {
      return DesiredReplica.UNCHANGED;
    }
    ObservedTablets observed = context.observed();
    return Reconciler.desired(
        table, tablet, observed.get(tabletId), serverUuid, observed.nowNanos());
  }

  private CompletableFuture<Outcome> create(RegisteredServer server) {
    TabletInfo tablet = context.catalog().tablet(tabletId);
    TableInfo table = context.catalog().table(tablet.tableId());
    CreateTabletRequestPB.Builder request =
        CreateTabletRequestPB.newBuilder()
            .setDestUuid(Ids.toWire(serverUuid))
            .setDestInstanceSeqno(server.instance().getInstanceSeqno())
            .setTabletId(Ids.toWire(tabletId))
            .setTimestamp(context.clock().now())
            .setTableId(Ids.toWire(table.id()))
            .setPartition(tablet.partition())
            .setConfig(tablet.config());
    CreationRecord.write(table, tablet, request);
    return context.calls().createTablet(server, request.build()).thenApply(this::created);
  }

  private Outcome created(CreateTabletResponsePB answer) {
    if (answer.hasReplica()) {
      context.reader().read(serverUuid, answer.getReplica());
    }
    if (answer.hasError()
        && answer.getError().getCode() != TabletServerErrorPB.Code.TABLET_ALREADY_EXISTS) {
      return refused(answer.getError());
    }
    return switch (desired()) {
      case DELETED, TOMBSTONED -> Outcome.AGAIN_AT_ONCE;
      case UNCHANGED -> Outcome.DONE;
      case CREATED -> Outcome.AGAIN_LATER; // the replica exists, but does not run yet
    };
  }

  private Outcome refused(TabletServerErrorPB error) {
    KuduException failure = StatusWire.fromWire(error.getStatus());
    if (desired() == DesiredReplica.DELETED) {
      return Outcome.AGAIN_AT_ONCE;
    }
    boolean passing =
        failure.code().category() == StatusCode.Category.RESOURCES
            || error.getCode() == TabletServerErrorPB.Code.WRONG_SERVER_UUID;
    if (passing) {
      return Outcome.AGAIN_LATER;
    }
    context.replacer().replicaRefused(tabletId, serverUuid, failure);
    return desired() == DesiredReplica.CREATED ? Outcome.AGAIN_LATER : Outcome.DONE;
  }

  /**
   * Asks the server to tombstone its replica unless it has a later configuration than the leader
   * has reported. So the server refuses if its replica has become a member by a change that is not
   * reported yet.
   */
  private CompletableFuture<Outcome> tombstone(RegisteredServer server) {
    Group group = context.observed().status(tabletId).currentGroup();
    if (group == null) {
      return CompletableFuture.completedFuture(Outcome.DONE); // the reconciler repeats it
    }
    DeleteTabletRequestPB request =
        deletion(TabletDataState.TABLET_DATA_TOMBSTONED, "The server is no member of the tablet")
            .setCasConfigOpidIndexLessOrEqual(group.configIndex())
            .build();
    return context.calls().deleteTablet(server, request).thenApply(this::tombstoned);
  }

  private Outcome tombstoned(DeleteTabletResponsePB answer) {
    if (answer.hasError()
        && answer.getError().getCode() != TabletServerErrorPB.Code.TABLET_NOT_FOUND) {
      return Outcome.AGAIN_LATER;
    }
    context.observed().replicaTombstoned(tabletId, serverUuid);
    return desired() == DesiredReplica.UNCHANGED ? Outcome.DONE : Outcome.AGAIN_AT_ONCE;
  }

  private CompletableFuture<Outcome> delete(RegisteredServer server) {
    DeleteTabletRequestPB request =
        deletion(TabletDataState.TABLET_DATA_DELETED, "The tablet was dropped").build();
    return context.calls().deleteTablet(server, request).thenApply(this::deleted);
  }

  private DeleteTabletRequestPB.Builder deletion(TabletDataState type, String reason) {
    return DeleteTabletRequestPB.newBuilder()
        .setDestUuid(Ids.toWire(serverUuid))
        .setTabletId(Ids.toWire(tabletId))
        .setDeleteType(type)
        .setReason(reason);
  }

  private Outcome deleted(DeleteTabletResponsePB answer) {
    if (answer.hasError()
        && answer.getError().getCode() != TabletServerErrorPB.Code.TABLET_NOT_FOUND) {
      return Outcome.AGAIN_LATER;
    }
    // The server will not create the replica any more, even if such a request is still on its way.
    context.observed().replicaDeleted(tabletId, serverUuid);
    return desired() == DesiredReplica.UNCHANGED ? Outcome.DONE : Outcome.AGAIN_AT_ONCE;
  }

  @Override
  public String toString() {
    return "Replica " + key();
  }
}
