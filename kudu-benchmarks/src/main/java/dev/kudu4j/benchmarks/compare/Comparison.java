package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjDoubleConsumer;

/**
 * Who runs when.
 *
 * <pre>
 *   starts   ours, theirs, ours, theirs, ...           each a fresh cluster, nothing else running
 *   rounds   ours theirs | theirs ours | ours theirs   both clusters up, one at work, one idle
 *            warm-up       measured      measured
 * </pre>
 *
 * <p>The order within a round turns over, so that neither side is always the one that finds the
 * other's dirty pages.
 */
final class Comparison {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Map<Side, Distribution> sides;
  private final Settings settings;
  private final Path directory;
  private final Consumer<String> progress;
  private final Measurements measurements = new Measurements();

  /**
   * @param sides one or both
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

  private void recordStart(Side side, Cluster cluster) {
    measurements.add(side, Figure.MASTER_START, cluster.masterStartNanos() / NANOS_PER_MILLI);
    measurements.add(
        side, Figure.TABLET_SERVER_START, cluster.tabletServerStartNanos() / NANOS_PER_MILLI);
  }

  private void measureRounds(StatusClient rpc) throws Exception {
    Map<Side, Cluster> clusters = new EnumMap<>(Side.class);
    try {
      for (Side side : sides.keySet()) {
        clusters.put(side, start(side, "rounds", rpc));
      }
      for (int round = 0; round < settings.warmUpRounds() + settings.rounds(); round++) {
        for (Side side : inTurn(round)) {
          runRound(round, side, clusters.get(side));
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
    new Round(cluster, settings.scale(), figures).run("lineitem_" + round);
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
    return Cluster.start(sides.get(side), home, flags, rpc);
  }
}
