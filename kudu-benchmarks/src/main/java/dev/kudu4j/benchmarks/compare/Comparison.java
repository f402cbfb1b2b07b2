package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.workload.Round;
import dev.kudu4j.benchmarks.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ObjDoubleConsumer;

/**
 * Who runs when.
 *
 * <pre>
 *   starts   ours, theirs, ours, theirs, ...           each a fresh cluster, nothing else running
 *   rounds   ours theirs | theirs ours | ours theirs   all clusters up, one at work, the others idle
 *            warm-up       measured      measured
 * </pre>
 *
 * <p>The order within a round turns over, so that no side is always the one that finds another's
 * dirty pages.
 */
final class Comparison {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Map<Side, Distribution> sides;
  private final Settings settings;
  private final Path directory;
  private final Consumer<String> progress;
  private final Measurements measurements = new Measurements();

  /**
   * @param sides those that run; the same servers may serve two clients
   * @param directory for the servers' data; made if absent, and left
   * @param progress told what happens next
   */
  Comparison(
      Map<Side, Distribution> sides, Settings settings, Path directory, Consumer<String> progress) {
    this.sides = sides;
    this.settings = settings;
    this.directory = directory;
    this.progress = progress;
  }

  Measurements run() throws Exception {
    try (StatusClient rpc = new StatusClient()) {
      measureStarts(rpc);
      measureRounds(rpc);
    }
    return measurements;
  }

  private void measureStarts(StatusClient rpc) {
    for (int start = 0; settings.starts() > 0 && start <= settings.starts(); start++) {
      for (Side side : inTurn(start)) {
        if (!isFirstOfItsServers(side)) {
          continue;
        }
        boolean warmUp = start == 0; // the first one fills the page cache
        progress.accept("start " + start + " of " + side.title() + (warmUp ? ", warm-up" : ""));
        try (Cluster cluster = start(side, "start" + start, rpc)) {
          if (!warmUp) {
            recordStart(side, cluster);
          }
        }
      }
    }
  }

  /** The client takes no part in a start. */
  private boolean isFirstOfItsServers(Side side) {
    return sides.keySet().stream()
        .filter(other -> sides.get(other) == sides.get(side))
        .findFirst()
        .equals(Optional.of(side));
  }

  private void recordStart(Side side, Cluster cluster) {
    measurements.add(side, Figure.MASTER_START, cluster.masterStartNanos() / NANOS_PER_MILLI);
    measurements.add(
        side, Figure.TABLET_SERVER_START, cluster.tabletServerStartNanos() / NANOS_PER_MILLI);
  }

  private void measureRounds(StatusClient rpc) throws Exception {
    Map<Distribution, Cluster> clusters = new HashMap<>();
    try {
      for (Side side : sides.keySet()) {
        if (!clusters.containsKey(sides.get(side))) {
          clusters.put(sides.get(side), start(side, "rounds", rpc));
        }
      }
      for (int round = 0; round < settings.warmUpRounds() + settings.rounds(); round++) {
        for (Side side : inTurn(round)) {
          runRound(round, side, clusters.get(sides.get(side)));
        }
      }
    } finally {
      clusters.values().forEach(Cluster::close);
    }
  }

  private void runRound(int round, Side side, Cluster cluster) throws Exception {
    boolean warmUp = round < settings.warmUpRounds();
    progress.accept("round " + round + " of " + side.title() + (warmUp ? ", warm-up" : ""));
    ObjDoubleConsumer<Figure> figures =
        (figure, value) -> {
          progress.accept(
              String.format("    %-45s %,14.3f %s", figure.title(), value, figure.unit()));
          if (!warmUp) {
            measurements.add(side, figure, value);
          }
        };
    round(side, cluster, figures).run("lineitem_" + side.name().toLowerCase(Locale.ROOT) + round);
  }

  private Round round(Side side, Cluster cluster, ObjDoubleConsumer<Figure> figures) {
    Workload workload = new Workload(settings.scale(), settings.replicas());
    return side.hasOurClient()
        ? new dev.kudu4j.benchmarks.workload.ours.ClientRound(cluster, workload, figures)
        : new dev.kudu4j.benchmarks.workload.published.ClientRound(cluster, workload, figures);
  }

  private List<Side> inTurn(int round) {
    List<Side> order = new ArrayList<>(sides.keySet());
    if (round % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }

  private Cluster start(Side side, String name, StatusClient rpc) {
    Path home = directory.resolve(side.name().toLowerCase(Locale.ROOT)).resolve(name);
    List<String> flags = List.of("--memory_limit_hard_bytes=" + settings.memoryLimitBytes());
    return Cluster.start(sides.get(side), home, settings.replicas(), flags, rpc);
  }
}
