package dev.kudu4j.tserver.heartbeat;

import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats and tablet reports to one master: at each interval, and immediately when a
 * tablet changes. One call is outstanding at a time; changes during a call are sent after it.
 *
 * <p>A master that has answered as a follower receives no reports until it leads. While no master
 * is known to lead, heartbeats to all masters are frequent.
 */
final class MasterHeartbeat implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MasterHeartbeat.class);
  private static final int CALL_TIMEOUT_MILLIS = 15_000;
  private static final int RETRY_MILLIS = 50;
  private static final int SEARCH_MILLIS = 100;

  /** The state that the heartbeats to all masters share. */
  interface Search {
    /** Whether a master leads, according to its last response. */
    boolean isLeaderKnown();

    /** Called when a master that led, according to its earlier responses, no longer leads. */
    void leaderLost();
  }

  /** The role of the master according to its last response. */
  private enum Role {
    UNKNOWN,
    FOLLOWS,
    LEADS
  }

  private final RateLimitedLog limited = new RateLimitedLog(log);
  private final InetSocketAddress master;
  private final RpcClient client;
  private final MasterHeartbeats.Identity identity;
  private final TabletRegistry tablets;
  private final TabletReports reports;
  private final HybridClock clock;
  private final long intervalMillis;
  private final ScheduledExecutorService timer;
  private final Search search;
  private volatile Role role = Role.UNKNOWN;
  private boolean registered;
  private @Nullable ServerRegistrationPB told;
  private boolean underWay;
  private boolean again;
  private boolean closed;
  private boolean unreachableLogged;
  private @Nullable ScheduledFuture<?> next;

  MasterHeartbeat(
      InetSocketAddress master,
      RpcClient client,
      MasterHeartbeats.Identity identity,
      TabletRegistry tablets,
      HybridClock clock,
      long intervalMillis,
      ScheduledExecutorService timer,
      Search search) {
    this.master = master;
    this.client = client;
    this.identity = identity;
    this.tablets = tablets;
    this.reports = new TabletReports(tablets);
    this.clock = clock;
    this.intervalMillis = intervalMillis;
    this.timer = timer;
    this.search = search;
  }

  void start() {
    beatSoon(0);
  }

  /**
   * Reports a changed tablet immediately unless the master is known to be a follower. Does not
   * block.
   */
  void changed(String tabletId) {
    reports.changed(tabletId);
    if (role != Role.FOLLOWS) {
      beatSoon(0);
    }
  }

  boolean leads() {
    return role == Role.LEADS;
  }

  /**
   * Sends a heartbeat immediately, because the leading master is lost and this master may be the
   * new leader.
   */
  void hurry() {
    beatSoon(0);
  }

  private synchronized void beatSoon(long delayMillis) {
    if (closed) {
      return;
    }
    if (underWay) {
      again |= delayMillis == 0;
      return;
    }
    if (next != null) {
      next.cancel(false);
    }
    next = timer.schedule(this::beat, delayMillis, TimeUnit.MILLISECONDS);
  }

  private void beat() {
    TSHeartbeatRequestPB request;
    synchronized (this) {
      if (closed || underWay) {
        return;
      }
      underWay = true;
      again = false;
    }
    try {
      request = request();
    } catch (RuntimeException e) {
      limited.warn("Cannot create a heartbeat; will retry", e);
      failed(e);
      return;
    }
    try {
      client
          .call(
              master,
              "kudu.master.MasterService",
              "TSHeartbeat",
              request,
              TSHeartbeatResponsePB.parser(),
              RpcCallOptions.timeoutMillis(CALL_TIMEOUT_MILLIS))
          .whenComplete(
              (response, failure) -> {
                if (failure != null) {
                  failed(failure);
                } else {
                  answered(request, response);
                }
              });
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private TSHeartbeatRequestPB request() {
    TSHeartbeatRequestPB.Builder request =
        TSHeartbeatRequestPB.newBuilder()
            .setInstance(identity.instance())
            .setTimestamp(clock.now())
            .setLiveTabletCount(tablets.all().size());
    if (role != Role.FOLLOWS) {
      addReport(request);
    }
    ServerRegistrationPB registration = identity.registration().get();
    if (!registered || !registration.equals(told)) {
      request.setRegistration(registration).setRaftAddress(identity.raftAddress());
      told = registration;
    }
    return request.build();
  }

  /**
   * Adds the tablet report. If the report cannot be created, the heartbeat contains the error
   * instead.
   */
  private void addReport(TSHeartbeatRequestPB.Builder request) {
    String problem;
    try {
      request.setTabletReport(reports.next());
      problem = reports.problem();
    } catch (RuntimeException e) {
      limited.warn("Cannot report the tablets of this server; will retry", e);
      reports.requestFullReport();
      problem = String.valueOf(e.getMessage());
    }
    if (!problem.isEmpty()) {
      request.setReportError(problem);
    }
  }

  private void answered(TSHeartbeatRequestPB request, RpcResponse<TSHeartbeatResponsePB> response) {
    TSHeartbeatResponsePB answer = response.message();
    long pauseMillis =
        answer.hasError() ? rejected(answer.getError().toString()) : onResponse(request, answer);
    response.close();
    boolean changedMeanwhile;
    synchronized (this) {
      underWay = false;
      changedMeanwhile = again;
    }
    beatSoon(changedMeanwhile ? 0 : pauseMillis);
  }

  private void failed(Throwable failure) {
    long pauseMillis = rejected(failure.toString());
    synchronized (this) {
      underWay = false;
    }
    beatSoon(pauseMillis);
  }

  /** The master has not accepted the heartbeat; returns the delay of the next one. */
  private long rejected(String reason) {
    if (!unreachableLogged) {
      log.warn("Master {} does not answer heartbeats; will retry: {}", master, reason);
      unreachableLogged = true;
    }
    registered = false;
    reports.requestFullReport();
    become(Role.UNKNOWN);
    return pauseUnlessKnown(RETRY_MILLIS);
  }

  /** The heartbeat interval; at most {@code searchMillis} while no master is known to lead. */
  private long pauseUnlessKnown(long searchMillis) {
    return search.isLeaderKnown() ? intervalMillis : Math.min(intervalMillis, searchMillis);
  }

  private void become(Role next) {
    Role before = role;
    role = next;
    if (before != Role.LEADS && next == Role.LEADS) {
      log.info("Master {} is the leader; reporting tablets to it", master);
    }
    if (before == Role.LEADS && next != Role.LEADS) {
      search.leaderLost();
    }
  }

  /** Processes a response; returns the delay of the next heartbeat in milliseconds. */
  private long onResponse(TSHeartbeatRequestPB request, TSHeartbeatResponsePB answer) {
    if (unreachableLogged) {
      log.info("Master {} answers heartbeats again", master);
      unreachableLogged = false;
    }
    if (answer.hasTimestamp()) {
      try {
        clock.update(answer.getTimestamp());
      } catch (KuduException e) {
        limited.warn("Master {}: {}", master, e.getMessage());
      }
    }
    become(answer.getLeader() ? Role.LEADS : Role.FOLLOWS);
    if (answer.getNeedsRegistration()) {
      registered = false;
      reports.requestFullReport();
      return 0;
    }
    registered = true;
    if (answer.getLeader() && request.hasTabletReport()) {
      reports.acknowledged(request.getTabletReport());
    }
    if (answer.getNeedsFullReport()) {
      reports.requestFullReport();
      return 0;
    }
    return answer.hasComeBackMillis()
        ? Math.min(intervalMillis, answer.getComeBackMillis())
        : pauseUnlessKnown(SEARCH_MILLIS);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel(false);
    }
  }
}
