package dev.kudu4j.master.heartbeat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.ForeignText;
import dev.kudu4j.common.id.HexId;
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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what a tablet server says about its replicas with what the catalog says, and passes on
 * what is new. Leaders, members and sizes go to {@link ObservedTablets} at once; what has to be
 * recorded or done goes to the {@link Listener}.
 *
 * <p>A stale report, of an older term or from a server that has been evicted since, proves only
 * that there is a replica. The members and their health are taken from their leader only.
 */
public final class ReportReader {
  private static final Logger LOG = LoggerFactory.getLogger(ReportReader.class);
  private static final RateLimitedLog FOREIGN = new RateLimitedLog(LOG);

  /** A few heartbeats. */
  private static final long FIRST_WORD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final ServerRegistry servers;
  private final Listener listener;
  private final long begunNanos;
  private final Map<String, Held> held = new ConcurrentHashMap<>();

  /** A report of a server that claims to lead a tablet, is no member, and is not believed yet. */
  private record Held(String serverUuid, ReportedTabletPB replica) {}

  /** Acts on reports. Never blocks: it is called while a heartbeat waits for its answer. */
  public interface Listener {
    /** A tablet that was being created has a leader. */
    void tabletRuns(TabletInfo tablet);

    /** A replica of a tablet that is wanted runs. */
    void replicaRuns(TabletInfo tablet, String serverUuid);

    /** The group has committed another configuration than the recorded one. */
    void configChanged(TabletInfo tablet, long term, RaftConfigPB config);

    /** The leader reports its members; they may have to change. */
    void membersReported(TabletInfo tablet, Group group);

    /** A server that is no member has a replica, or the tombstone of one. */
    void outsiderFound(TabletInfo tablet, String serverUuid, boolean tombstone);

    /** A leader has applied a schema. */
    void schemaApplied(TabletInfo tablet, int version);

    /** There is, or may be, a replica that is no longer wanted. */
    void replicaUnwanted(String tabletId, String serverUuid);

    /** The replica is no longer there. */
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

  /** Reads all of a report. An invalid replica does not affect the others. */
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
        listener.replicaGone(Ids.fromWire(removed), serverUuid);
      }
    }
  }

  private void readAlone(RegisteredServer server, String serverUuid, ReportedTabletPB replica) {
    String tabletId =
        HexId.isValid(replica.getTabletId())
            ? replica.getTabletId().toStringUtf8()
            : ForeignText.shown(replica.getTabletId());
    try {
      read(serverUuid, replica);
      if (server != null) {
        server.replicaAccepted(tabletId);
      }
    } catch (KuduException e) {
      FOREIGN.warn(
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
   * Reads what was reported of one replica, in a heartbeat or in the answer to a request.
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
      FOREIGN.warn(
          "Replica of {} on {} has failed: {}",
          tablet,
          serverUuid,
          ForeignText.shown(replica.getError().getMessage()));
    }
    if (replica.getState() != TabletStatePB.RUNNING || !replica.hasConsensusState()) {
      forgetLeader(tablet.id(), serverUuid);
      return;
    }
    listener.replicaRuns(tablet, serverUuid);
    ConsensusStatePB consensus = replica.getConsensusState();
    RaftConfigPB config = consensus.getCommittedConfig();
    long term = consensus.getCurrentTerm();
    if (isStale(tablet, serverUuid, consensus)) {
      LOG.debug("Stale report of {} from {}", tablet, serverUuid);
      return;
    }
    if (!tablet.isMember(serverUuid) && isContradicted(tablet)) {
      LOG.debug("{} says that it leads {}, of which it is no member", serverUuid, tablet);
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
   * Terms only rise, so an older one is stale. Indexes do not: a deposed leader may have logged a
   * configuration at a higher index than its successor. A server that is no member may have been
   * evicted, and its term means nothing; it is believed only when it leads by a newer
   * configuration, and when no member contradicts it.
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
   * Whether the members contradict a server that claims to have joined and to lead. A member that
   * reports that it leads, and sends heartbeats, knows every change. When a leader session begins,
   * the members have a few seconds to report first.
   *
   * <p>So an invented term or configuration does not prevail over live members. A change that its
   * leader could not report before it was lost is accepted a little later.
   */
  private boolean isContradicted(TabletInfo tablet) {
    TabletStatus status = observed.status(tablet.id());
    if (status.currentGroup() != null) {
      return tablet.isMember(status.leader()) && isHeardOf(status.leader());
    }
    return observed.nowNanos() - begunNanos < FIRST_WORD_NANOS
        && tablet.members().stream().anyMatch(this::isHeardOf);
  }

  private boolean isHeardOf(String serverUuid) {
    RegisteredServer server = servers.get(serverUuid);
    return server != null && servers.isFresh(server);
  }

  /** A server sent a heartbeat: its claim that was not believed may be valid now. */
  public void readHeld(String serverUuid) {
    if (held.isEmpty()) {
      return;
    }
    held.forEach(
        (tabletId, said) -> {
          if (said.serverUuid().equals(serverUuid) && held.remove(tabletId, said)) {
            read(serverUuid, said.replica());
          }
        });
  }

  /** The replica does not run: what it reported as the leader no longer counts. */
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
