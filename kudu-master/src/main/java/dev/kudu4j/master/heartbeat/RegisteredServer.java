package dev.kudu4j.master.heartbeat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.Ids;
import java.net.InetAddress;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tablet server, as its heartbeats describe it.
 *
 * <p>Thread-safe: fields that change together are guarded by a lock; a reader of a single field
 * sees its newest value.
 */
public final class RegisteredServer {
  private static final Logger LOG = LoggerFactory.getLogger(RegisteredServer.class);
  private static final long LOCATE_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The longest time that a full report may take to arrive, however many replicas it has. */
  private static final long UNREPORTED_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String uuid;

  @GuardedBy("this")
  private long fullReportSession = -1;

  @GuardedBy("this")
  private long reportSequence = -1;

  private volatile NodeInstancePB instance;
  private volatile ServerRegistrationPB registration;
  private volatile HostPortPB raftAddress;
  private volatile TSInfoPB info;
  private volatile InetAddress sender;
  private volatile String reportError = "";
  private volatile String refusedReplica = "";
  private volatile String refusal = "";
  private volatile OptionalLong unreportedSinceNanos = OptionalLong.empty();
  private volatile long lastHeartbeatNanos;
  private volatile boolean lost;
  private volatile int liveTabletCount;
  private volatile int placedSinceHeartbeat;
  private volatile boolean quiescing;
  private volatile String location;
  private volatile boolean locating;
  private volatile long locateAgainNanos;

  RegisteredServer(String uuid) {
    this.uuid = uuid;
  }

  public String uuid() {
    return uuid;
  }

  public NodeInstancePB instance() {
    return instance;
  }

  public ServerRegistrationPB registration() {
    return registration;
  }

  /** The description of this server that clients get. */
  public TSInfoPB info() {
    return info;
  }

  /** The first of its registered RPC addresses. */
  public HostPortPB rpcAddress() {
    return registration.getRpcAddresses(0);
  }

  /** The server as a voting member of a Raft group. */
  public RaftPeerPB asVoter() {
    RaftPeerPB.Builder peer =
        RaftPeerPB.newBuilder()
            .setPermanentUuid(Ids.toWire(uuid))
            .setMemberType(RaftPeerPB.MemberType.VOTER)
            .setLastKnownAddr(rpcAddress());
    if (raftAddress != null) {
      peer.setRaftAddr(raftAddress);
    }
    return peer.build();
  }

  /**
   * The server's location; empty when the cluster has no locations, or the location is not known
   * yet.
   */
  public String location() {
    String known = location;
    return known == null ? Locations.NOWHERE : known;
  }

  /** Whether its location is known. A server whose location is not known gets no replicas. */
  public boolean isLocated() {
    return location != null;
  }

  /**
   * Looks up its location, unless the location is known, a look-up is under way, or one has failed
   * within the last seconds.
   */
  void locate(Locations locations, long nowNanos) {
    boolean pausing = locateAgainNanos != 0 && nowNanos - locateAgainNanos < 0;
    if (location != null || locating || pausing) {
      return;
    }
    locating = true;
    locations
        .locate(rpcAddress().getHost())
        .whenComplete(
            (found, failure) -> {
              if (failure == null) {
                located(found);
              } else {
                LOG.warn(
                    "{} gets no replicas until its location is known: {}",
                    this,
                    failure.getMessage());
                locateAgainNanos = nowNanos + LOCATE_PAUSE_NANOS;
              }
              locating = false;
            });
  }

  private synchronized void located(String found) {
    location = found;
    if (!found.isEmpty()) {
      info = info.toBuilder().setLocation(found).build();
    }
  }

  /** Notes whether the server counts as lost; returns whether that has changed. */
  boolean noteLost(boolean now) {
    boolean changed = lost != now;
    lost = now;
    return changed;
  }

  public long nanosSinceHeartbeat(long nowNanos) {
    return nowNanos - lastHeartbeatNanos;
  }

  public boolean isQuiescing() {
    return quiescing;
  }

  /** The number of replicas that the server has or will soon get. */
  public int load() {
    return liveTabletCount + placedSinceHeartbeat;
  }

  /** Counts a replica that was placed on this server since its last heartbeat. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // only placement writes it, under the catalog's lock
  public void addPlaced() {
    placedSinceHeartbeat++;
  }

  /** Whether a heartbeat comes from the registered run of the server. */
  boolean isSameRun(NodeInstancePB other) {
    return instance != null && instance.getInstanceSeqno() == other.getInstanceSeqno();
  }

  /** Whether a heartbeat is late: it comes from a run before the registered one. */
  boolean isEarlierRun(NodeInstancePB other) {
    return instance != null && other.getInstanceSeqno() < instance.getInstanceSeqno();
  }

  /**
   * Checks that a heartbeat can be from this server. As long as a server runs, it sends from the
   * same address and keeps its registered addresses.
   *
   * @param heard whether the registered server has sent a heartbeat in the last few seconds
   * @throws KuduException ALREADY_PRESENT for a late heartbeat of an earlier run, NOT_AUTHORIZED
   *     for another sender
   */
  void checkSender(TSHeartbeatRequestPB heartbeat, InetAddress from, boolean heard) {
    if (isEarlierRun(heartbeat.getInstance())) {
      throw KuduException.alreadyPresent(
          "Tablet server %s has registered as run %d since this heartbeat of run %d",
          uuid, instance.getInstanceSeqno(), heartbeat.getInstance().getInstanceSeqno());
    }
    if (heard && !isSameHost(from, sender)) {
      throw KuduException.of(
          StatusCode.NOT_AUTHORIZED,
          "Tablet server %s sends its heartbeats from %s; one from %s in its name is refused",
          uuid,
          sender.getHostAddress(),
          from.getHostAddress());
    }
    if (isSameRun(heartbeat.getInstance()) && heartbeat.hasRegistration() && hasMoved(heartbeat)) {
      throw KuduException.of(
          StatusCode.NOT_AUTHORIZED,
          "Tablet server %s runs at %s:%d; a registration of this run from elsewhere is refused",
          uuid,
          rpcAddress().getHost(),
          rpcAddress().getPort());
    }
  }

  private static boolean isSameHost(InetAddress one, InetAddress other) {
    return other == null
        || one.equals(other)
        || (one.isLoopbackAddress() && other.isLoopbackAddress());
  }

  private boolean hasMoved(TSHeartbeatRequestPB heartbeat) {
    boolean otherRaft =
        raftAddress != null
            && heartbeat.hasRaftAddress()
            && !heartbeat.getRaftAddress().equals(raftAddress);
    return otherRaft
        || !heartbeat
            .getRegistration()
            .getRpcAddressesList()
            .equals(registration.getRpcAddressesList());
  }

  synchronized void register(TSHeartbeatRequestPB heartbeat) {
    boolean newRun = !isSameRun(heartbeat.getInstance());
    registration = Messages.ownCopy(heartbeat.getRegistration());
    if (heartbeat.hasRaftAddress()) {
      raftAddress = Messages.ownCopy(heartbeat.getRaftAddress());
    }
    TSInfoPB.Builder told =
        TSInfoPB.newBuilder()
            .setPermanentUuid(Ids.toWire(uuid))
            .addAllRpcAddresses(registration.getRpcAddressesList());
    if (registration.hasUnixDomainSocketPath()) {
      told.setUnixDomainSocketPath(registration.getUnixDomainSocketPath());
    }
    if (location != null && !location.isEmpty()) {
      told.setLocation(location);
    }
    info = told.build();
    instance = Messages.ownCopy(heartbeat.getInstance());
    if (newRun) {
      fullReportSession = -1;
      reportSequence = -1;
    }
  }

  void heartbeatArrived(TSHeartbeatRequestPB heartbeat, InetAddress from, long nowNanos) {
    sender = from;
    lastHeartbeatNanos = nowNanos;
    reportError =
        heartbeat.hasReportError() ? UntrustedText.format(heartbeat.getReportError()) : "";
    quiescing = heartbeat.getQuiescing();
    if (heartbeat.hasLiveTabletCount()) {
      liveTabletCount = heartbeat.getLiveTabletCount();
      placedSinceHeartbeat = 0;
    }
  }

  /**
   * Whether a leader session has had a full report from this server. Without one, incremental
   * reports are not accepted.
   */
  public synchronized boolean hasReportedIn(long session) {
    return fullReportSession == session;
  }

  /**
   * Whether to accept a report. It must not be older than the last accepted one, and an incremental
   * report is accepted only in a session that has had a full one. Records the sequence number of an
   * accepted report.
   */
  public synchronized boolean acceptReport(long sequence, boolean full, long session) {
    if (sequence < reportSequence || (!full && fullReportSession != session)) {
      return false;
    }
    reportSequence = sequence;
    if (full) {
      fullReportSession = session;
    }
    return true;
  }

  /**
   * Notes that the server's report of a replica is invalid. The note is kept until a full report,
   * or a valid report of the same replica, arrives.
   */
  void replicaRefused(String tabletId, String reason) {
    refusedReplica = tabletId;
    refusal = reason;
  }

  /** Notes that the server's report of the replica is valid; null for all replicas. */
  void replicaAccepted(String tabletId) {
    if (!refusal.isEmpty() && (tabletId == null || refusedReplica.equals(tabletId))) {
      refusal = "";
    }
  }

  /** Notes a heartbeat, and whether the leader session has had a full report from this server. */
  public void noteReported(boolean reported, long nowNanos) {
    if (reported) {
      unreportedSinceNanos = OptionalLong.empty();
    } else if (unreportedSinceNanos.isEmpty()) {
      unreportedSinceNanos = OptionalLong.of(nowNanos);
    }
  }

  /** The problem with its tablet reports as text; empty if there is none. */
  public String reportProblem(long nowNanos) {
    if (!reportError.isEmpty()) {
      return "its tablet reports are not complete: " + reportError;
    }
    if (!refusal.isEmpty()) {
      return "what it reports of tablet " + refusedReplica + " is refused: " + refusal;
    }
    OptionalLong since = unreportedSinceNanos;
    boolean late = since.isPresent() && nowNanos - since.getAsLong() > UNREPORTED_NANOS;
    return late ? "it heartbeats, and does not report its tablets" : "";
  }

  @Override
  public String toString() {
    return "tablet server " + uuid;
  }
}
