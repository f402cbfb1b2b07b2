package dev.kudu4j.master.tables;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB.HandleMissingTS;
import dev.kudu4j.common.proto.master.TServerStateChangePB.StateChange;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.proto.catalog.ServerEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import dev.kudu4j.server.logging.LogMarkers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records an operator's requests about tablet servers: maintenance, decommissioning, unregistering.
 * A request is answered when it is recorded; the reconciler then acts on it.
 */
final class ServerStates {
  private static final Logger LOG = LoggerFactory.getLogger(ServerStates.class);

  private final Catalog catalog;
  private final ServerRegistry servers;
  private final TimeSource time;

  ServerStates(Catalog catalog, ServerRegistry servers, TimeSource time) {
    this.catalog = catalog;
    this.servers = servers;
    this.time = time;
  }

  /**
   * Changes the state of a server. The request also succeeds if the server already has that state.
   */
  void change(ChangeTServerStateRequestPB request) {
    String uuid = request.getChange().getUuid();
    if (uuid.isEmpty()) {
      throw KuduException.invalidArgument("The request names no tablet server");
    }
    HexId.require("uuid of a tablet server", uuid);
    ServerEntryPB.State wanted = stateAfter(request.getChange().getChange());
    boolean mayBeMissing =
        request.getHandleMissingTserver() == HandleMissingTS.ALLOW_MISSING_TSERVER;
    if (servers.get(uuid) == null && !mayBeMissing && !isKnown(uuid)) {
      throw KuduException.notFound(
          "Tablet server %s has not registered; kudu tserver list lists those that have", uuid);
    }
    record(uuid, wanted);
  }

  private boolean isKnown(String uuid) {
    return catalog.serverState(uuid) != ServerEntryPB.State.UNKNOWN;
  }

  private static ServerEntryPB.State stateAfter(StateChange change) {
    return switch (change) {
      case ENTER_MAINTENANCE_MODE -> ServerEntryPB.State.MAINTENANCE;
      case DECOMMISSION -> ServerEntryPB.State.DECOMMISSIONED;
      case EXIT_MAINTENANCE_MODE, RECOMMISSION -> ServerEntryPB.State.UNKNOWN;
      case UNKNOWN_STATE_CHANGE ->
          throw KuduException.invalidArgument("The request does not say what to change");
    };
  }

  private void record(String uuid, ServerEntryPB.State wanted) {
    boolean changed =
        catalog.change(
            edit -> {
              if (catalog.serverState(uuid) == wanted) {
                return false;
              }
              if (wanted == ServerEntryPB.State.UNKNOWN) {
                edit.removeServer(uuid);
              } else {
                edit.putServer(uuid, entry(wanted));
              }
              return true;
            });
    if (changed) {
      LOG.info(LogMarkers.ON_DEMAND, "Tablet server P {} is now {}", uuid, wanted);
    }
  }

  private ServerEntryPB entry(ServerEntryPB.State state) {
    return ServerEntryPB.newBuilder()
        .setVersion(Catalog.RECORD_VERSION)
        .setState(state)
        .setSinceMicros(time.nowMicros())
        .build();
  }

  /**
   * Forgets a server that is gone for good, and the replicas that it may have although no table
   * needs them, so that the master no longer waits to delete these replicas. A server that still
   * sends heartbeats registers again immediately, and its replicas are not forgotten.
   *
   * @throws KuduException NOT_FOUND for an unknown server, INVALID_ARGUMENT for one that still
   *     sends heartbeats, unless the request forces it
   */
  void unregister(UnregisterTServerRequestPB request) {
    String uuid = request.getUuid();
    HexId.require("uuid of a tablet server", uuid);
    boolean live = servers.isLive(uuid);
    if (live && !request.getForceUnregisterLiveTserver()) {
      throw KuduException.invalidArgument(
          "Tablet server %s still heartbeats; stop it first, or force the request", uuid);
    }
    boolean known = servers.get(uuid) != null || isKnown(uuid);
    int changedTablets = live ? 0 : removeFromRecords(uuid);
    if (!known && changedTablets == 0) {
      throw KuduException.notFound(
          "Nothing is known of a tablet server %s; kudu tserver list lists those that have"
              + " registered",
          uuid);
    }
    record(uuid, ServerEntryPB.State.UNKNOWN);
    servers.forget(uuid);
    LOG.info(
        LogMarkers.ON_DEMAND,
        "Tablet server P {} unregistered; its possible replicas of {} tablets are forgotten",
        uuid,
        changedTablets);
  }

  /**
   * Removes the server from the records of all tablets of which it may have an unneeded replica;
   * returns the number of these tablets.
   */
  private int removeFromRecords(String uuid) {
    return catalog.change(
        edit -> {
          int changedTablets = 0;
          for (TableInfo table : catalog.tables()) {
            for (TabletInfo tablet : table.recordedTablets()) {
              if (mayHoldUnneededReplica(uuid, tablet, table)) {
                edit.putTablet(tablet.id(), without(uuid, tablet));
                changedTablets++;
              }
            }
          }
          return changedTablets;
        });
  }

  private static boolean mayHoldUnneededReplica(String uuid, TabletInfo tablet, TableInfo table) {
    return tablet.nonMemberHolders().contains(uuid)
        || (tablet.isMember(uuid) && table.isDropping(tablet.id()));
  }

  /**
   * The record of the tablet without the server. The server is removed from {@code other_uuids} and
   * from the members. It is a member only if the tablet is being dropped.
   */
  private static TabletEntryPB without(String uuid, TabletInfo tablet) {
    TabletEntryPB.Builder entry = tablet.entry().toBuilder();
    entry.clearOtherUuids();
    tablet.nonMemberHolders().stream()
        .filter(other -> !other.equals(uuid))
        .forEach(other -> entry.addOtherUuids(Ids.toWire(other)));
    entry.getConfigBuilder().clearPeers();
    tablet.config().getPeersList().stream()
        .filter(peer -> !Ids.fromWire(peer.getPermanentUuid()).equals(uuid))
        .forEach(entry.getConfigBuilder()::addPeers);
    return entry.build();
  }
}
