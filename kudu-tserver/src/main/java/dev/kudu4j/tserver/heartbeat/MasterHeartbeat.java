package dev.kudu4j.tserver.heartbeat;

import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one master that this server lives and what changed: every interval, and at once when a
 * tablet changes. One call is under way at a time; what happens meanwhile goes out when it ends.
 */
public final class MasterHeartbeat implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MasterHeartbeat.class);
  private static final int CALL_TIMEOUT_MILLIS = 15_000;
  private static final int RETRY_MILLIS = 50;

  /**
   * Who this server is.
   *
   * @param registration changes when web pages are served, some time after the first heartbeat
   */
  public record Identity(
      NodeInstancePB instance,
      Supplier<ServerRegistrationPB> registration,
      HostPortPB raftAddress) {}

  private final InetSocketAddress master;
  private final RpcClient client;
  private final Identity identity;
  private final TabletRegistry tablets;
  private final TabletReports reports;
  private final HybridClock clock;
  private final long intervalMillis;
  private final ScheduledExecutorService timer;
  private boolean registered;
  private ServerRegistrationPB told;
  private boolean underWay;
  private boolean again;
  private boolean closed;
  private boolean unreachableLogged;
  private ScheduledFuture<?> next;

  public MasterHeartbeat(
      InetSocketAddress master,
      RpcClient client,
      Identity identity,
      TabletRegistry tablets,
      HybridClock clock,
      long intervalMillis,
      ScheduledExecutorService timer) {
    this.master = master;
    this.client = client;
    this.identity = identity;
    this.tablets = tablets;
    this.reports = new TabletReports(tablets);
    this.clock = clock;
    this.intervalMillis = intervalMillis;
    this.timer = timer;
  }

  public void start() {
    beatSoon(0);
  }

  /** A tablet has changed: the master hears of it at once. Does not block. */
  public void changed(String tabletId) {
    reports.changed(tabletId);
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
      log.error("Cannot make a heartbeat; trying again", e);
      ended(null, null, e);
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
          .whenComplete((response, failure) -> ended(request.getTabletReport(), response, failure));
    } catch (RuntimeException e) {
      ended(request.getTabletReport(), null, e);
    }
  }

  private TSHeartbeatRequestPB request() {
    TSHeartbeatRequestPB.Builder request =
        TSHeartbeatRequestPB.newBuilder()
            .setInstance(identity.instance())
            .setTimestamp(clock.now())
            .setTabletReport(reports.next())
            .setLiveTabletCount(tablets.all().size());
    ServerRegistrationPB registration = identity.registration().get();
    if (!registered || !registration.equals(told)) {
      request.setRegistration(registration).setRaftAddress(identity.raftAddress());
      told = registration;
    }
    return request.build();
  }

  private void ended(
      TabletReportPB report, RpcResponse<TSHeartbeatResponsePB> response, Throwable failure) {
    long pauseMillis = Math.min(intervalMillis, RETRY_MILLIS);
    if (failure == null && !response.message().hasError()) {
      pauseMillis = heard(report, response.message());
    } else {
      String why = failure != null ? failure.toString() : response.message().getError().toString();
      if (!unreachableLogged) {
        log.warn("Master {} does not take heartbeats, trying on: {}", master, why);
        unreachableLogged = true;
      }
      registered = false;
      reports.wantFull();
    }
    if (response != null) {
      response.close();
    }
    boolean changedMeanwhile;
    synchronized (this) {
      underWay = false;
      changedMeanwhile = failure == null && again;
    }
    beatSoon(changedMeanwhile ? 0 : pauseMillis);
  }

  /** In how many milliseconds the next heartbeat is wanted. */
  private long heard(TabletReportPB report, TSHeartbeatResponsePB answer) {
    if (unreachableLogged) {
      log.info("Master {} takes heartbeats again", master);
      unreachableLogged = false;
    }
    if (answer.hasTimestamp()) {
      try {
        clock.update(answer.getTimestamp());
      } catch (KuduException e) {
        log.warn("Master {}: {}", master, e.getMessage());
      }
    }
    if (answer.getNeedsRegistration()) {
      registered = false;
      reports.wantFull();
      return 0;
    }
    registered = true;
    if (answer.getLeader()) {
      reports.acknowledged(report);
    }
    if (answer.getNeedsFullReport()) {
      reports.wantFull();
      return 0;
    }
    return answer.hasComeBackMillis()
        ? Math.min(intervalMillis, answer.getComeBackMillis())
        : intervalMillis;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel(false);
    }
  }
}
