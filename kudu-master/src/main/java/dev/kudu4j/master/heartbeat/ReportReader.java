package dev.kudu4j.master.heartbeat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.TabletStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the reports of the tablet servers about their replicas with the catalog. Leaders,
 * members and sizes go to {@link ObservedTablets} immediately; differences that have to be recorded
 * or acted on go to the {@link Listener}.
 *
 * <p>A stale report, from an older term or from an evicted server, only proves that the replica
 * exists. The members and their health are taken from the report of the group's leader only.
 */
public final class ReportReader {
  private static final Logger LOG = LoggerFactory.getLogger(ReportReader.class);
  private static final RateLimitedLog REPORT_LOG = new RateLimitedLog(LOG);

  /**
   * How long the members of a tablet may take to report after a leader session begins: a few
   * heartbeats.
   */
  private static final long FIRST_REPORT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final ServerRegistry servers;
  private final Listener listener;
  private final long begunNanos;
  private final Map<String, Held> held = new ConcurrentHashMap<>();

  /**
   * The report of a server that claims to lead a tablet but is not a recorded member. It is kept
   * until the server's next heartbeat, and then read again.
   */
  private record Held(String serverUuid, ReportedTabletPB replica) {}

  /** Acts on reports. Never blocks: it is called while a heartbeat waits for its response. */
  public interface Listener {
    /** A tablet that is recorded as not running yet has a leader. */
    void tabletRuns(TabletInfo tablet);

    /** A replica runs, and its tablet is not being dropped. */
    void replicaRuns(TabletInfo tablet, String serverUuid);

    /** The group has committed a configuration with other members than the recorded one. */
    void configChanged(TabletInfo tablet, long term, RaftConfigPB config);

    /** The leader has reported the members of the group, which may have to change. */
    void membersReported(TabletInfo tablet, Group group);

    /** A server that is no member has a replica, or the tombstone of one. */
    void outsiderFound(TabletInfo tablet, String serverUuid, boolean tombstone);

    /** A leader has applied a schema. */
    void schemaApplied(TabletInfo tablet, int version);

    /** The server has, or may have, a replica of a tablet that is dropped or not in the catalog. */
    void replicaUnwanted(String tabletId, String serverUuid);

    /** The server has deleted the replica. */
    void replicaGone(String tabletId, String serverUuid);
  }

  public ReportReader(
      Catalog catalog, ObservedTablets observed, ServerRegistry servers, Listener listener) {
    this.begunNanos = observed.nowNanos();
    this.catalog = catalog;
    this.observed = observed;
    this.servers = servers;
    this.listener = listener;
  }

  /**
   * Reads a whole report. If the part about one replica is invalid, the other parts are still read.
   */
  public void read(String serverUuid, TabletReportPB report) {
    RegisteredServer server = servers.get(serverUuid);
    if (server != null && !report.getIncremental()) {
      server.replicaAccepted(null);
    }
    for (ReportedTabletPB replica : report.getUpdatedList()) {
      readAlone(server, serverUuid, replica);
    }
    for (ByteString removed : report.getRemovedTabletIdsList()) {
      if (HexId.isValid(removed)) {
        forgetLeader(Ids.fromWire(removed), serverUuid);
        observed.indexesReported(Ids.fromWire(removed), serverUuid, List.of());
        listener.replicaGone(Ids.fromWire(removed), serverUuid);
      }
    }
  }

  private void readAlone(RegisteredServer server, String serverUuid, ReportedTabletPB replica) {
    String tabletId =
        HexId.isValid(replica.getTabletId())
            ? replica.getTabletId().toStringUtf8()
            : UntrustedText.format(replica.getTabletId());
    try {
      read(serverUuid, replica);
      if (server != null) {
        server.replicaAccepted(tabletId);
      }
    } catch (KuduException e) {
      REPORT_LOG.warn(
          "The report of server {} about tablet {} is refused: {}",
          serverUuid,
          tabletId,
          e.getMessage());
      if (server != null) {
        server.replicaRefused(tabletId, e.getMessage());
      }
    }
  }

  /**
   * Reads the report of one replica, from a heartbeat or from the response to a request.
   *
   * @throws KuduException INVALID_ARGUMENT for an invalid report
   */
  public void read(String serverUuid, ReportedTabletPB replica) {
    HeartbeatCheck.check(replica);
    String tabletId = Ids.fromWire(replica.getTabletId());
    TabletInfo tablet = catalog.tablet(tabletId);
    if (replica.getDataState() == TabletDataState.TABLET_DATA_DELETED) {
      listener.replicaGone(tabletId, serverUuid);
    } else if (tablet == null || !isWanted(tablet)) {
      listener.replicaUnwanted(tabletId, serverUuid);
    } else {
      readWanted(serverUuid, tablet, replica);
    }
  }

  private boolean isWanted(TabletInfo tablet) {
    TableInfo table = catalog.table(tablet.tableId());
    return table != null && !table.isDropping(tablet.id());
  }

  private void readWanted(String serverUuid, TabletInfo tablet, ReportedTabletPB replica) {
    if (!tablet.isMember(serverUuid)) {
      boolean tombstone = replica.getDataState() == TabletDataState.TABLET_DATA_TOMBSTONED;
      listener.outsiderFound(tablet, serverUuid, tombstone);
    }
    if (replica.hasError()) {
      REPORT_LOG.warn(
          "Replica of {} on {} has failed: {}",
          tablet,
          serverUuid,
          UntrustedText.format(replica.getError().getMessage()));
    }
    if (replica.getState() != TabletStatePB.RUNNING || !replica.hasConsensusState()) {
      forgetLeader(tablet.id(), serverUuid);
      observed.indexesReported(tablet.id(), serverUuid, List.of());
      return;
    }
    observed.indexesReported(tablet.id(), serverUuid, replica.getIndexesList());
    listener.replicaRuns(tablet, serverUuid);
    ConsensusStatePB consensus = replica.getConsensusState();
    RaftConfigPB config = consensus.getCommittedConfig();
    long term = consensus.getCurrentTerm();
    if (isStale(tablet, serverUuid, consensus)) {
      LOG.debug("Stale report of {} from {}", tablet, serverUuid);
      return;
    }
    if (!tablet.isMember(serverUuid) && isContradicted(tablet)) {
      LOG.debug("{} claims to lead {}, but is not a member of its group", serverUuid, tablet);
      held.put(tablet.id(), new Held(serverUuid, replica));
      return;
    }
    String leader = consensus.getLeaderUuid().isEmpty() ? null : consensus.getLeaderUuid();
    TabletStatus status =
        observed.updateStatus(tablet.id(), old -> updated(old, serverUuid, term, leader, replica));
    boolean byLeader = status.isLedBy(serverUuid) && status.term() == term;
    if (byLeader && config.getPeersCount() > 0) {
      readMembers(tablet, term, config, status.group());
    }
    if (!tablet.isRunning() && status.hasLeader()) {
      listener.tabletRuns(tablet);
    }
    if (status.isLedBy(serverUuid) && replica.hasSchemaVersion()) {
      listener.schemaApplied(tablet, replica.getSchemaVersion());
    }
  }

  private void readMembers(TabletInfo tablet, long term, RaftConfigPB config, Group group) {
    if (tablet.isLaterConfig(term, config.getOpidIndex())
        && !Members.same(config, tablet.config())) {
      listener.configChanged(tablet, term, Members.withAddresses(config, tablet.config(), servers));
    }
    listener.membersReported(tablet, group);
  }

  /**
   * Whether a report is stale. Terms only rise, so a report of a term below the highest one
   * reported is stale. A server that is not a recorded member may have been evicted, so its term
   * proves nothing: its report is stale unless it leads by a configuration with a higher index than
   * the recorded one. The caller then checks that {@link #isContradicted no member contradicts} it.
   */
  private boolean isStale(TabletInfo tablet, String serverUuid, ConsensusStatePB consensus) {
    if (consensus.getCurrentTerm() < observed.status(tablet.id()).term()) {
      return true;
    }
    boolean leads = consensus.getLeaderUuid().equals(serverUuid);
    boolean news = consensus.getCommittedConfig().getOpidIndex() > tablet.config().getOpidIndex();
    return !tablet.isMember(serverUuid) && !(leads && news);
  }

  /**
   * Whether the members contradict a server that claims to have joined and to lead. They do if a
   * recorded member has reported that it leads and still sends heartbeats, since the leader makes
   * every change of the members. For a few seconds after a leader session begins, they also
   * contradict the server if any member sends heartbeats, so that the members can report first.
   *
   * <p>So a server that invents a term or a configuration does not prevail over live members. If
   * the old leader was lost before it could report a change, the new member's report is accepted a
   * few seconds later.
   */
  private boolean isContradicted(TabletInfo tablet) {
    TabletStatus status = observed.status(tablet.id());
    if (status.currentGroup() != null) {
      return tablet.isMember(status.leader()) && isFresh(status.leader());
    }
    return observed.nowNanos() - begunNanos < FIRST_REPORT_NANOS
        && tablet.members().stream().anyMatch(this::isFresh);
  }

  private boolean isFresh(String serverUuid) {
    RegisteredServer server = servers.get(serverUuid);
    return server != null && servers.isFresh(server);
  }

  /**
   * Reads again the reports of a server that were held because the members contradicted them.
   * Called at each of its heartbeats.
   */
  public void readHeld(String serverUuid) {
    if (held.isEmpty()) {
      return;
    }
    held.forEach(
        (tabletId, heldReport) -> {
          if (heldReport.serverUuid().equals(serverUuid) && held.remove(tabletId, heldReport)) {
            read(serverUuid, heldReport.replica());
          }
        });
  }

  /**
   * Discards the members that a replica reported while it led, since the replica no longer runs.
   */
  private void forgetLeader(String tabletId, String serverUuid) {
    if (observed.status(tabletId).isLedBy(serverUuid)) {
      observed.updateStatus(tabletId, old -> old.isLedBy(serverUuid) ? old.withoutGroup() : old);
    }
  }

  private static TabletStatus updated(
      TabletStatus old, String serverUuid, long term, String leader, ReportedTabletPB replica) {
    TabletStatus status = old.withLeadership(term, leader);
    if (!status.isLedBy(serverUuid) || term < status.term()) {
      return status;
    }
    RaftConfigPB config = replica.getConsensusState().getCommittedConfig();
    if (config.getPeersCount() > 0) {
      status = status.withGroup(Group.reported(serverUuid, term, config));
    }
    if (replica.hasSchemaVersion()) {
      status = status.withSchemaVersion(replica.getSchemaVersion());
    }
    if (replica.hasOnDiskSize() || replica.hasLiveRowCount()) {
      status =
          status.withSize(
              replica.hasOnDiskSize() ? replica.getOnDiskSize() : status.onDiskBytes(),
              replica.hasLiveRowCount() ? replica.getLiveRowCount() : status.liveRowCount());
    }
    return status;
  }
}
