package dev.kudu4j.benchmarks.lookups;

import com.google.protobuf.ByteString;
import dev.kudu4j.benchmarks.lookups.HeartbeatDialect.Beat;
import dev.kudu4j.benchmarks.lookups.HeartbeatDialect.Replica;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Simulated tablet servers: they register, accept every tablet immediately, and report it with a
 * leader. Each sends a heartbeat every second, with the new and some of the other tablets.
 */
final class SimulatedServers implements AutoCloseable {
  private static final int CHANGED_EACH_BEAT = 20;
  private final HeartbeatDialect dialect;
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
  SimulatedServers(
      HeartbeatDialect dialect, InetSocketAddress master, int count, RpcClient client) {
    this.dialect = dialect;
    this.master = master;
    this.client = client;
    for (int i = 0; i < count; i++) {
      servers.add(new Simulated(i));
    }
  }

  /** Registers all servers; they send heartbeats until they are closed. */
  void start() {
    servers.forEach(server -> server.beat(true));
    timer.scheduleWithFixedDelay(
        () -> servers.forEach(server -> server.beat(false)), 1, 1, TimeUnit.SECONDS);
  }

  /** Number of replicas that were created so far, on all servers. */
  int replicaCount() {
    return servers.stream().mapToInt(Simulated::count).sum();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    servers.forEach(server -> server.rpc.close());
  }

  /** One simulated server. */
  private final class Simulated {
    private final NodeInstancePB instance;
    private final RpcServer rpc;
    private final List<Replica> replicas = new ArrayList<>();
    private int reported; // number of replicas already reported; guarded by replicas
    private long sequence; // used by the heartbeat thread only

    Simulated(int number) {
      ByteString uuid = ByteString.copyFromUtf8(String.format("%032x", number + 1));
      this.instance =
          NodeInstancePB.newBuilder().setPermanentUuid(uuid).setInstanceSeqno(1).build();
      this.rpc =
          RpcServer.builder("simulated-" + number)
              .bindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .service(dialect.adminService(this::created))
              .start();
    }

    private void created(Replica replica) {
      synchronized (replicas) {
        replicas.add(replica);
      }
    }

    int count() {
      synchronized (replicas) {
        return replicas.size();
      }
    }

    void beat(boolean full) {
      sequence++;
      List<Replica> toReport = replicasToReport(full);
      Optional<ServerRegistrationPB> registration =
          full ? Optional.of(registration()) : Optional.empty();
      Beat beat = new Beat(instance, registration, toReport, full, count(), sequence);
      if (dialect.send(client, master, beat) && !full) {
        beat(true);
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

    /**
     * The replicas to report: all of them if {@code full}, else the new ones and some that are
     * reported as changed.
     */
    private List<Replica> replicasToReport(boolean full) {
      synchronized (replicas) {
        List<Replica> toReport = new ArrayList<>();
        int changed = full ? 0 : Math.min(CHANGED_EACH_BEAT, reported);
        for (int i = 0; i < changed; i++) {
          toReport.add(replicas.get((int) ((sequence * CHANGED_EACH_BEAT + i) % reported)));
        }
        toReport.addAll(replicas.subList(full ? 0 : reported, replicas.size()));
        reported = replicas.size();
        return toReport;
      }
    }
  }
}
