package dev.kudu4j.benchmarks.lookups;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tablet servers as a master sees them: they register, take every tablet at once, and report it
 * with a leader. Each second each sends a heartbeat, in which some of its tablets have another
 * size.
 */
final class SimulatedServers implements AutoCloseable {
  private static final int CHANGED_EACH_BEAT = 20;
  private static final long TERM = 1;

  private final InetSocketAddress master;
  private final RpcClient client;
  private final List<Simulated> servers = new ArrayList<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "simulated-heartbeats");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param client borrowed
   */
  SimulatedServers(InetSocketAddress master, int count, RpcClient client) {
    this.master = master;
    this.client = client;
    for (int i = 0; i < count; i++) {
      servers.add(new Simulated(i));
    }
  }

  /** Registers them all; they go on sending heartbeats until they are closed. */
  void start() {
    servers.forEach(server -> server.beat(true));
    timer.scheduleWithFixedDelay(
        () -> servers.forEach(server -> server.beat(false)), 1, 1, TimeUnit.SECONDS);
  }

  /** Replicas that were created so far, on all of them. */
  int replicaCount() {
    return servers.stream().mapToInt(server -> server.created.get()).sum();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    servers.forEach(server -> server.rpc.close());
  }

  /** One of them. */
  private final class Simulated {
    private final ByteString uuid;
    private final RpcServer rpc;
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicLong sequence = new AtomicLong();
    private final List<ReportedTabletPB> replicas = new ArrayList<>();

    Simulated(int number) {
      this.uuid = ByteString.copyFromUtf8(String.format("%032x", number + 1));
      this.rpc =
          RpcServer.builder("simulated-" + number)
              .bindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .service(
                  RpcService.builder("kudu.tserver.TabletServerAdminService")
                      .method(
                          "CreateTablet",
                          CreateTabletRequestPB.parser(),
                          (request, call) -> call.respond(create(request)))
                      .build())
              .start();
    }

    private CreateTabletResponsePB create(CreateTabletRequestPB request) {
      ReportedTabletPB replica =
          ReportedTabletPB.newBuilder()
              .setTabletId(request.getTabletId())
              .setState(TabletStatePB.RUNNING)
              .setDataState(TabletDataState.TABLET_DATA_READY)
              .setConsensusState(
                  ConsensusStatePB.newBuilder()
                      .setCurrentTerm(TERM)
                      .setLeaderUuid(
                          request.getConfig().getPeers(0).getPermanentUuid().toStringUtf8())
                      .setCommittedConfig(request.getConfig()))
              .setSchemaVersion(request.getSchemaVersion())
              .setOnDiskSize(0)
              .setLiveRowCount(0)
              .build();
      synchronized (replicas) {
        replicas.add(replica);
      }
      created.incrementAndGet();
      return CreateTabletResponsePB.newBuilder().setReplica(replica).build();
    }

    void beat(boolean register) {
      TSHeartbeatRequestPB.Builder heartbeat =
          TSHeartbeatRequestPB.newBuilder()
              .setInstance(NodeInstancePB.newBuilder().setPermanentUuid(uuid).setInstanceSeqno(1))
              .setTabletReport(report(register))
              .setLiveTabletCount(created.get());
      if (register) {
        heartbeat.setRegistration(registration());
      }
      try (RpcResponse<TSHeartbeatResponsePB> answer =
          client
              .call(
                  master,
                  "kudu.master.MasterService",
                  "TSHeartbeat",
                  heartbeat.build(),
                  TSHeartbeatResponsePB.parser(),
                  RpcCallOptions.timeoutMillis(60_000))
              .join()) {
        if (!register && answer.message().getNeedsRegistration()) {
          beat(true);
        }
      }
    }

    private ServerRegistrationPB registration() {
      return ServerRegistrationPB.newBuilder()
          .setSoftwareVersion("simulated")
          .addRpcAddresses(
              HostPortPB.newBuilder()
                  .setHost("127.0.0.1")
                  .setPort(rpc.boundAddresses().get(0).getPort()))
          .build();
    }

    /** All of the replicas, or those that have grown since. */
    private TabletReportPB report(boolean full) {
      long number = sequence.incrementAndGet();
      TabletReportPB.Builder report =
          TabletReportPB.newBuilder().setIncremental(!full).setSequence(number);
      synchronized (replicas) {
        int count = full ? replicas.size() : Math.min(CHANGED_EACH_BEAT, replicas.size());
        for (int i = 0; i < count; i++) {
          int which = full ? i : (int) ((number * CHANGED_EACH_BEAT + i) % replicas.size());
          report.addUpdated(replicas.get(which).toBuilder().setLiveRowCount(number));
        }
      }
      return report.build();
    }
  }
}
