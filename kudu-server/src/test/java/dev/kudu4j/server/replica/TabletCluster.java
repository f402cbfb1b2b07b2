package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;

import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.tablet.log.LogPosition;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;

/** The replication of three servers in one process, and tablets with a replica on each. */
final class TabletCluster implements AutoCloseable {
  private static final int SERVERS = 3;

  /**
   * Results of a load.
   *
   * @param cpuMicros of the whole process, per operation
   */
  record Figures(double perSecond, long p50Micros, long p99Micros, double cpuMicros) {}

  private record Server(ReplicaHarness process, Map<String, TabletReplica> replicas)
      implements LocalExchange.Member {
    @Override
    public TabletReplica replica(String tabletId) {
      return replicas.get(tabletId);
    }
  }

  private final List<Server> servers = new ArrayList<>();
  private final List<List<TabletReplica>> tablets = new ArrayList<>();

  TabletCluster(Path directory, RaftOptions options, int count) throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      ReplicaHarness process =
          new ReplicaHarness(
              directory.resolve("s" + i),
              Integer.toHexString(10 + i).repeat(32),
              ReplicaHarness.freePort(),
              options,
              ReplicaOptions.DEFAULT);
      Server server = new Server(process, new ConcurrentHashMap<>());
      servers.add(server);
      process
          .environment
          .requests()
          .setSender(
              replica ->
                  process.executor.execute(() -> LocalExchange.carry(server, replica, servers)));
    }
    List<RaftHost.Peer> members =
        servers.stream().map(server -> server.process.raft.self()).toList();
    for (int i = 0; i < count; i++) {
      List<TabletReplica> replicas = new ArrayList<>();
      for (Server server : servers) {
        TabletReplica replica =
            TabletReplica.create(
                tabletId(i),
                server.process.environment,
                new CountingState(LogPosition.NONE),
                members);
        server.replicas.put(tabletId(i), replica);
        replicas.add(replica);
      }
      tablets.add(replicas);
    }
    for (List<TabletReplica> tablet : tablets) {
      await().until(() -> tablet.stream().anyMatch(TabletReplica::isLeader));
    }
  }

  static String tabletId(int index) {
    return "%08x%024x".formatted(index * 0x9e3779b9, index + 1);
  }

  /** Writers of single rows, one request in flight for each, spread over the tablets. */
  Figures write(int writers, double seconds) throws Exception {
    ConcurrentHistogram micros = new ConcurrentHistogram(60_000_000L, 2);
    CountDownLatch done = new CountDownLatch(writers);
    long cpu = cpuNanos();
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * 1e9);
    AtomicLong keys = new AtomicLong();
    for (int i = 0; i < writers; i++) {
      next(new Writer(i, keys, end, micros, done));
    }
    done.await();
    double elapsed = (System.nanoTime() - begin) / 1e9;
    long count = Math.max(1, micros.getTotalCount());
    return new Figures(
        count / elapsed,
        micros.getValueAtPercentile(50),
        micros.getValueAtPercentile(99),
        (cpuNanos() - cpu) / 1e3 / count);
  }

  private record Writer(
      int number, AtomicLong keys, long end, ConcurrentHistogram micros, CountDownLatch done) {}

  private void next(Writer writer) {
    long start = System.nanoTime();
    if (start > writer.end()) {
      writer.done().countDown();
      return;
    }
    long key = writer.keys().incrementAndGet();
    List<TabletReplica> tablet =
        tablets.get((int) (Math.abs(key * 31 + writer.number()) % tablets.size()));
    TabletReplica leader =
        tablet.stream().filter(TabletReplica::isLeader).findFirst().orElse(tablet.get(0));
    leader
        .write(insert(null, key))
        .whenCompleteAsync(
            (result, thrown) -> {
              if (thrown == null) {
                writer.micros().recordValue((System.nanoTime() - start) / 1000);
              }
              next(writer);
            },
            servers.get(writer.number() % SERVERS).process.executor);
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  @Override
  public void close() {
    servers.parallelStream().forEach(server -> server.process.close());
  }
}
