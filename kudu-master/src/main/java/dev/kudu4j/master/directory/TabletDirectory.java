package dev.kudu4j.master.directory;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.GetTabletLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTabletLocationsResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.PartitionKeyPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletArray;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.TabletStatus;

/**
 * Serves the locations of tablets to clients.
 *
 * <p>The set of tablets in a response matters as much as their locations. Clients conclude that no
 * tablet covers the key space between two returned tablets or, if the response has fewer tablets
 * than requested, after the last one.
 *
 * <pre>
 *   key space     [--A--)      [--B--)[--C--)
 *   start key         1    2              3    4
 *   first tablet      A    A              C    C      (in a gap: the tablet before the gap)
 * </pre>
 */
public final class TabletDirectory {
  /** How long clients may cache a response. */
  private static final int TTL_MILLIS = 300_000;

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final ServerRegistry servers;

  public TabletDirectory(Catalog catalog, ObservedTablets observed, ServerRegistry servers) {
    this.catalog = catalog;
    this.observed = observed;
    this.servers = servers;
  }

  /**
   * The locations of a table's tablets from the requested start key on.
   *
   * @throws MasterException TABLET_NOT_RUNNING when one of these tablets has not had a leader yet
   * @throws KuduException INVALID_ARGUMENT for keys in the wrong order or a limit of zero
   */
  public GetTableLocationsResponsePB.Builder locate(
      TableInfo table, GetTableLocationsRequestPB request) {
    ByteString start = startKey(request);
    ByteString end = endKey(request);
    int limit = limit(request);
    if (!end.isEmpty() && compare(start, end) > 0) {
      throw KuduException.invalidArgument(
          "start partition key is greater than the end partition key");
    }
    GetTableLocationsResponsePB.Builder answer =
        GetTableLocationsResponsePB.newBuilder().setTtlMillis(TTL_MILLIS);
    LocationWriter writer =
        new LocationWriter(
            observed,
            servers,
            request.getReplicaTypeFilter(),
            request.getInternTsInfosInResponse(),
            answer::addTsInfos);
    TabletArray tablets = table.tablets();
    int index = Math.max(0, tablets.floor(start));
    for (; index < tablets.size() && limit > 0; index++, limit--) {
      TabletInfo tablet = tablets.get(index);
      if (!end.isEmpty() && compare(tablet.startKey(), end) > 0) {
        break;
      }
      checkRunning(tablet);
      answer.addTabletLocations(writer.location(tablet));
    }
    return answer;
  }

  private static ByteString startKey(GetTableLocationsRequestPB request) {
    return request.hasKeyStart() ? joinKey(request.getKeyStart()) : request.getPartitionKeyStart();
  }

  private static ByteString endKey(GetTableLocationsRequestPB request) {
    return request.hasKeyEnd() ? joinKey(request.getKeyEnd()) : request.getPartitionKeyEnd();
  }

  private static ByteString joinKey(PartitionKeyPB key) {
    return key.getHashKey().concat(key.getRangeKey());
  }

  private static int compare(ByteString a, ByteString b) {
    return ByteString.unsignedLexicographicalComparator().compare(a, b);
  }

  private static int limit(GetTableLocationsRequestPB request) {
    if (!request.hasMaxReturnedLocations()) {
      return Integer.MAX_VALUE;
    }
    int limit = request.getMaxReturnedLocations();
    if (limit == 0) {
      throw KuduException.invalidArgument(
          "max_returned_locations must be greater than 0 if specified");
    }
    return limit < 0 ? Integer.MAX_VALUE : limit; // unsigned on the wire
  }

  private static void checkRunning(TabletInfo tablet) {
    if (!tablet.isRunning()) {
      throw MasterException.of(
          MasterErrorPB.Code.TABLET_NOT_RUNNING,
          StatusCode.SERVICE_UNAVAILABLE,
          "tablet %s is not running yet; try again",
          tablet.id());
    }
  }

  /**
   * The locations of the tablets with the given ids; the response has a separate error for each id
   * that cannot be located.
   */
  public GetTabletLocationsResponsePB.Builder locate(GetTabletLocationsRequestPB request) {
    GetTabletLocationsResponsePB.Builder answer = GetTabletLocationsResponsePB.newBuilder();
    LocationWriter writer =
        new LocationWriter(
            observed,
            servers,
            request.getReplicaTypeFilter(),
            request.getInternTsInfosInResponse(),
            answer::addTsInfos);
    for (ByteString id : request.getTabletIdsList()) {
      try {
        answer.addTabletLocations(writer.location(runningTablet(Ids.fromWire(id))));
      } catch (KuduException e) {
        answer.addErrors(
            GetTabletLocationsResponsePB.Error.newBuilder()
                .setTabletId(id)
                .setStatus(
                    AppStatusPB.newBuilder()
                        .setCode(AppStatusPB.ErrorCode.forNumber(e.code().wireNumber()))
                        .setMessage(e.getMessage())));
      }
    }
    return answer;
  }

  private TabletInfo runningTablet(String id) {
    TabletInfo tablet = catalog.tablet(id);
    TableInfo table = tablet == null ? null : catalog.table(tablet.tableId());
    if (table == null || table.isDropping(id)) {
      throw KuduException.notFound("tablet %s does not exist", id);
    }
    checkRunning(tablet);
    return tablet;
  }

  /** The role of a member of a tablet's Raft group. */
  static RaftPeerPB.Role roleOf(RaftPeerPB peer, TabletStatus status) {
    if (peer.getMemberType() == RaftPeerPB.MemberType.NON_VOTER) {
      return RaftPeerPB.Role.LEARNER;
    }
    return status.isLedBy(Ids.fromWire(peer.getPermanentUuid()))
        ? RaftPeerPB.Role.LEADER
        : RaftPeerPB.Role.FOLLOWER;
  }
}
