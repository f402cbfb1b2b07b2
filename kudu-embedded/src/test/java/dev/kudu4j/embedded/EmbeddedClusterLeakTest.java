package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A closed cluster leaves no threads, memory or files in its JVM. */
@Timeout(300)
class EmbeddedClusterLeakTest {
  private static final int ROUNDS = 4;
  private static final long SLACK_BYTES = 8L << 20;

  @BeforeEach
  void warmUp() throws Exception {
    useCluster(); // creates what the JVM keeps for all clusters
  }

  @Test
  void noThreadAndNoPortAndNoFileIsLeft() throws Exception {
    Set<Thread> threadsBefore = threads();
    Map<String, Integer> filesBefore = openFiles();
    Set<String> listenersBefore = listeners();
    for (int i = 0; i < ROUNDS; i++) {
      useCluster();
    }
    eventually().untilAsserted(() -> assertThat(newThreads(threadsBefore)).isEmpty());
    eventually().untilAsserted(() -> assertThat(listeners()).isSubsetOf(listenersBefore));
    eventually().untilAsserted(() -> assertThat(grown(filesBefore)).isEmpty());
  }

  @Test
  void directMemoryDoesNotGrow() throws Exception {
    long before = directBytes();
    for (int i = 0; i < ROUNDS; i++) {
      useCluster();
    }
    eventually()
        .untilAsserted(() -> assertThat(directBytes()).isLessThanOrEqualTo(before + SLACK_BYTES));
  }

  private static void useCluster() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      PeopleTable.create(cluster.client()).insert(1, "Ada");
    }
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet();
  }

  private static Set<String> newThreads(Set<Thread> before) {
    return threads().stream()
        .filter(thread -> thread.isAlive() && !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> !isOfTheJvm(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether the thread belongs to the JVM or to a library that starts it once and keeps it. */
  private static boolean isOfTheJvm(String name) {
    return name.startsWith("Attach Listener")
        || name.startsWith("junit-")
        || name.startsWith("Cleaner-")
        || name.startsWith("CompletableFutureDelayScheduler")
        || name.startsWith("ForkJoinPool.commonPool-")
        || name.startsWith("process reaper");
  }

  private static long directBytes() {
    System.gc(); // frees direct buffers with their owners
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Open files of this process by name, without numbers; sockets and pipes by kind. */
  private static Map<String, Integer> openFiles() throws IOException {
    Map<String, Integer> count = new HashMap<>();
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : all.toList()) {
        try {
          String target = Files.readSymbolicLink(link).toString();
          count.merge(target.replaceAll("[0-9]+", "#"), 1, Integer::sum);
        } catch (IOException e) {
          count.merge("closed meanwhile", 0, Integer::sum);
        }
      }
    }
    return count;
  }

  private static Map<String, Integer> grown(Map<String, Integer> before) {
    try {
      Map<String, Integer> grown = new HashMap<>(openFiles());
      grown.entrySet().removeIf(e -> e.getValue() <= before.getOrDefault(e.getKey(), 0));
      grown.keySet().removeIf(name -> name.endsWith(".jar") || name.startsWith("/proc/"));
      return grown;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The local addresses on which this process listens. */
  private static Set<String> listeners() throws IOException {
    Set<String> mine;
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      mine =
          all.map(EmbeddedClusterLeakTest::target)
              .filter(name -> name.startsWith("socket:["))
              .map(name -> name.replaceAll("\\D", ""))
              .collect(Collectors.toSet());
    }
    Set<String> addresses = new TreeSet<>();
    for (String table : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] words = line.trim().split("\\s+");
        if (words[3].equals("0A") && mine.contains(words[9])) {
          addresses.add(words[1]);
        }
      }
    }
    return addresses;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }

  /** Waits, because shared pools of libraries end their idle threads after some seconds. */
  private static ConditionFactory eventually() {
    return await().pollInterval(Duration.ofMillis(50));
  }
}
