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
 * what is new. Who leads and how much there is goes to {@link ObservedTablets} at once; what has to
 * be recorded or done goes to the {@link Listener}.
 *
 * <p>A stale report, of an older term or from a server that was thrown out of the group since, says
 * no more than that there is a replica. Who the members are and how they fare is taken from their
 * leader only.
 */
public final class ReportReader {
  private static final Logger LOG = LoggerFactory.getLogger(ReportReader.class);
  private static final RateLimitedLog FOREIGN = new RateLimitedLog(LOG);

  /** Some heartbeats long. */
  private static final long FIRST_WORD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final ServerRegistry servers;
  private final Listener listener;
  private final long begunNanos;
  private final Map<String, Held> held = new ConcurrentHashMap<>();

  /** What a server that is no member said as the leader of a tablet, and was not believed. */
  private record Held(String serverUuid, ReportedTabletPB replica) {}

  /** Acts on reports. Never blocks: it is called while a heartbeat waits for its answer. */
  public interface Listener {
    /** A tablet that was being created has a leader. */
    void tabletRuns(TabletInfo tablet);

    /** A replica of a tablet that is wanted runs. */
    void replicaRuns(TabletInfo tablet, String serverUuid);

    /** The group has committed another configuration than the recorded one. */
    void configChanged(TabletInfo tablet, long term, RaftConfigPB config);

    /** The leader tells of its members; something may have to be done about them. */
    void membersTold(TabletInfo tablet, Group group);

    /** A server that is no member has a replica, or the tombstone of one. */
    void outsiderFound(TabletInfo tablet, String serverUuid, boolean tombstone);

    /** A leader has applied a schema. */
    void schemaApplied(TabletInfo tablet, int version);

    /** There is a replica, or there may be one, that nobody wants any more. */
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

  /** Reads all of a report. What cannot be of one replica keeps nothing from the others. */
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
          "What server {} reports of tablet {} is refused: {}",
          serverUuid,
          tabletId,
          e.getMessage());
      if (server != null) {
        server.replicaRefused(tabletId, e.getMessage());
      }
    }
  }

  /**
   * Reads what was told of one replica, in a report or in the answer to a request.
   *
   * @throws KuduException INVALID_ARGUMENT for what cannot be
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
    listener.membersTold(tablet, group);
  }

  /**
   * Terms only rise, so an older one is stale. Indexes do not: a leader that lost its term may have
   * logged a configuration further on than its successor did. A server that is no member may be one
   * that was thrown out, whose term may be anything; it is believed only when it leads, by a
   * configuration that is news, and when no member contradicts it.
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
   * Whether the members know better than a server that says that it has become one, and leads. A
   * member that leads by its own word and is heard of knows of every change; and when a leader of
   * masters begins, the members have some seconds to speak first.
   *
   * <p>So whoever makes up a tablet's term or configuration does not get past the members that are
   * there. A change that its leader could not report before it was lost is heard of a little later.
   */
  private boolean isContradicted(TabletInfo tablet) {
    TabletStatus status = observed.status(tablet.id());
    if (status.hasGroup()) {
      return tablet.isMember(status.leader()) && isHeardOf(status.leader());
    }
    return observed.nowNanos() - begunNanos < FIRST_WORD_NANOS
        && tablet.members().stream().anyMatch(this::isHeardOf);
  }

  private boolean isHeardOf(String serverUuid) {
    RegisteredServer server = servers.get(serverUuid);
    return server != null && servers.isFresh(server);
  }

  /** A server has heartbeated: what it said and was not believed may be plausible by now. */
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

  /** The replica does not run: what it told as the leader does not count any longer. */
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
      status = status.withGroup(Group.told(serverUuid, term, config));
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
