package dev.kudu4j.itest.index;

import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.itest.support.Daemon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Kills and restarts tablet servers: one at any time, one that compacts, one that writes the file
 * of an index, or all at once.
 */
final class Kills implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(5); // a file is written in no time
  private static final int MAX_ROWS_BEFORE = 3_000;

  private final KuduClient client;
  private final OrderWriters writers;
  private final IndexChanges indexes;
  private final Random random;
  private final Map<Daemon, Path> homes = new HashMap<>();
  private final List<Daemon> servers;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /**
   * @param directory of the cluster
   */
  Kills(
      KuduClient client,
      List<Daemon> servers,
      Path directory,
      OrderWriters writers,
      IndexChanges indexes,
      Random random) {
    this.client = client;
    this.servers = servers;
    this.writers = writers;
    this.indexes = indexes;
    this.random = random;
    for (int i = 0; i < servers.size(); i++) {
      homes.put(servers.get(i), directory.resolve("t" + i));
    }
  }

  /** Kills and restarts servers, and returns a description. */
  String next() throws Exception {
    Daemon victim = servers.get(random.nextInt(servers.size()));
    return switch (random.nextInt(5)) {
      case 0, 1 -> killDuringBuild(victim);
      case 2 -> killDuringCompaction(victim);
      case 3 -> {
        writers.awaitChanges(random.nextInt(MAX_ROWS_BEFORE));
        restart(servers);
        yield "all";
      }
      default -> {
        writers.awaitChanges(random.nextInt(MAX_ROWS_BEFORE));
        restart(List.of(victim));
        yield victim.name();
      }
    };
  }

  private static void restart(List<Daemon> victims) {
    victims.forEach(Daemon::kill);
    victims.forEach(Daemon::launch);
    victims.forEach(Daemon::awaitPort);
  }

  /** When a file appears that the server has begun to write, for rows old or new. */
  private String killDuringBuild(Daemon victim) throws Exception {
    Set<Path> before = indexFiles(victim);
    KuduIndex index = OrderTable.LASTING.get(random.nextInt(OrderTable.LASTING.size()));
    Future<?> created =
        threads.submit(
            () -> {
              indexes.createAnew(index);
              return null;
            });
    await(victim.name() + " writes an index file")
        .atMost(OrderWriters.PATIENCE)
        .pollInterval(LOOK)
        .pollDelay(Duration.ZERO)
        .until(() -> !before.containsAll(indexFiles(victim)));
    restart(List.of(victim));
    created.get(OrderWriters.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    return victim.name() + ", while it wrote an index file";
  }

  /** Those of all tablets of the server. */
  private Set<Path> indexFiles(Daemon server) {
    try (Stream<Path> files = Files.walk(homes.get(server))) {
      return files.filter(f -> f.toString().endsWith(".index")).collect(Collectors.toSet());
    } catch (IOException | UncheckedIOException e) {
      return Set.of(); // a file was deleted meanwhile
    }
  }

  private String killDuringCompaction(Daemon victim) throws Exception {
    client.openTable(OrderTable.NAME).compact();
    writers.awaitChanges(random.nextInt(MAX_ROWS_BEFORE));
    restart(List.of(victim));
    return victim.name() + ", while it compacted";
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
