package dev.kudu4j.server.replica;

import dev.kudu4j.tablet.log.LogPosition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process with one server's share of replication, told what to do on its standard input: {@code
 * create <tablets>}, {@code measure <seconds to wait> <seconds to measure>}.
 */
final class IdleServer {
  static final int SERVERS = 3;
  static final String ANSWER = "answer: ";
  private static final long SETTLE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final ReplicaHarness server;
  private final List<RaftHost.Peer> members = new ArrayList<>();
  private final List<TabletReplica> replicas = new ArrayList<>();

  private IdleServer(RaftTransportKind transport, int index, Path directory, List<Integer> ports)
      throws IOException {
    for (int i = 0; i < SERVERS; i++) {
      String host = InetAddress.getLoopbackAddress().getHostAddress();
      members.add(new RaftHost.Peer(uuid(i), host, ports.get(i)));
    }
    server =
        new ReplicaHarness(
            directory,
            uuid(index),
            ports.get(index),
            RaftOptions.DEFAULT.withTransport(transport),
            ReplicaOptions.DEFAULT);
  }

  private static String uuid(int index) {
    return Integer.toHexString(10 + index).repeat(32);
  }

  /** Transport, index, directory, ports. Ends with its input, or when something fails. */
  public static void main(String[] args) {
    try {
      serve(args);
    } catch (Exception | AssertionError e) {
      e.printStackTrace();
    }
    Runtime.getRuntime().halt(0); // what is measured has threads that would stay
  }

  private static void serve(String[] args) throws Exception {
    List<Integer> ports = new ArrayList<>();
    for (int i = 3; i < args.length; i++) {
      ports.add(Integer.valueOf(args[i]));
    }
    IdleServer process =
        new IdleServer(
            RaftTransportKind.of(args[0]), Integer.parseInt(args[1]), Path.of(args[2]), ports);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(ANSWER + process.answer(line.split(" ")));
    }
  }

  private String answer(String[] words) throws Exception {
    return switch (words[0]) {
      case "create" -> create(Integer.parseInt(words[1]));
      case "measure" -> measure(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private String create(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      replicas.add(
          TabletReplica.create(
              TabletCluster.tabletId(i),
              server.environment,
              new CountingState(LogPosition.NONE),
              members));
    }
    long deadline = System.nanoTime() + SETTLE_NANOS;
    while (replicas.stream().anyMatch(replica -> replica.leaderUuid().isEmpty())) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("Some groups have no leader after all that time");
      }
      Thread.sleep(100);
    }
    return "created";
  }

  private String measure(int wait, int seconds) throws Exception {
    Thread.sleep(wait * 1000L);
    long cpu = cpuNanos();
    long begin = System.nanoTime();
    Thread.sleep(seconds * 1000L);
    double share = 100.0 * (cpuNanos() - cpu) / (System.nanoTime() - begin);
    System.gc();
    return "%d replicas, %d led: %.1f %% of a core, %d threads, heap %d MB, direct %d MB, RSS %d MB"
        .formatted(
            replicas.size(),
            replicas.stream().filter(TabletReplica::isLeader).count(),
            share,
            ManagementFactory.getThreadMXBean().getThreadCount(),
            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20,
            directBytes() >> 20,
            residentKilobytes() >> 10);
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long residentKilobytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }
}
