package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.workload.Round;
import dev.kudu4j.benchmarks.workload.ServerFigure;
import dev.kudu4j.benchmarks.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjDoubleConsumer;

/**
 * Runs a comparison of several sides, on this schedule:
 *
 * <pre>
 *   starts   ours, theirs, ours, theirs, ...           each a fresh cluster, nothing else running
 *   rounds   ours theirs | theirs ours | ours theirs   {@link Turns}
 *            warm-up       measured      measured
 * </pre>
 */
final class Comparison {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Map<Side, ClusterSource> sides;
  private final Workload workload;
  private final Settings settings;
  private final Function<Side, String> titles;
  private final Path directory;
  private final Consumer<String> progress;
  private final Measurements<Side> measurements =
      Measurements.ofSides(List.of(ServerFigure.values()));

  /**
   * @param sides the sides that run, with their clusters; two sides may share a cluster
   * @param titles titles of the sides
   * @param directory the directory for the servers' data; created if absent, and not deleted
   * @param progress receives a description of each step
   */
  Comparison(
      Map<Side, ClusterSource> sides,
      Workload workload,
      Settings settings,
      Function<Side, String> titles,
      Path directory,
      Consumer<String> progress) {
    this.sides = sides;
    this.workload = workload;
    this.settings = settings;
    this.titles = titles;
    this.directory = directory;
    this.progress = progress;
  }

  Measurements<Side> run() throws Exception {
    try (StatusClient rpc = new StatusClient()) {
      measureStarts(rpc);
      measureRounds(rpc);
    }
    return measurements;
  }

  private void measureStarts(StatusClient rpc) {
    for (int start = 0; settings.starts() > 0 && start <= settings.starts(); start++) {
      for (Side side : Turns.order(sides.keySet(), start)) {
        if (isFirstOfItsServers(side) && sides.get(side) instanceof ClusterSource.Started servers) {
          measureStart(start, side, servers, rpc);
        }
      }
    }
  }

  private void measureStart(int start, Side side, ClusterSource.Started servers, StatusClient rpc) {
    boolean warmUp = start == 0; // the first start fills the page cache
    progress.accept("start " + start + " of " + titles.apply(side) + (warmUp ? ", warm-up" : ""));
    Path home = directory.resolve("start" + start).resolve(Turns.directoryName(side));
    try (Cluster cluster = servers.open(home, rpc)) {
      if (!warmUp) {
        recordStart(side, cluster);
      }
    }
  }

  /**
   * Whether the side is the first of the sides with the same servers. Only its starts are measured,
   * since a start does not involve the client.
   */
  private boolean isFirstOfItsServers(Side side) {
    return sides.keySet().stream()
        .filter(other -> sides.get(other) == sides.get(side))
        .findFirst()
        .equals(Optional.of(side));
  }

  private void recordStart(Side side, Cluster cluster) {
    measurements.add(side, ServerFigure.MASTER_START, cluster.masterStartNanos() / NANOS_PER_MILLI);
    measurements.add(
        side, ServerFigure.TABLET_SERVER_START, cluster.tabletServerStartNanos() / NANOS_PER_MILLI);
  }

  private void measureRounds(StatusClient rpc) throws Exception {
    try (Turns turns = new Turns(sides, directory.resolve("rounds"), rpc)) {
      for (int round = 0; round < settings.warmUpRounds() + settings.rounds(); round++) {
        int number = round;
        turns.round(round, (side, cluster) -> runRound(number, side, cluster));
      }
    }
  }

  private void runRound(int round, Side side, TargetCluster cluster) throws Exception {
    boolean warmUp = round < settings.warmUpRounds();
    progress.accept("round " + round + " of " + titles.apply(side) + (warmUp ? ", warm-up" : ""));
    ObjDoubleConsumer<Figure> figures =
        (figure, value) -> {
          if (Double.isNaN(value)) {
            return;
          }
          progress.accept(
              String.format("    %-45s %,14.3f %s", figure.title(), value, figure.unit()));
          if (!warmUp) {
            measurements.add(side, figure, value);
          }
        };
    round(side, cluster, figures).run("lineitem_" + side.name().toLowerCase(Locale.ROOT) + round);
  }

  private Round round(Side side, TargetCluster cluster, ObjDoubleConsumer<Figure> figures) {
    return side.hasOurClient()
        ? new dev.kudu4j.benchmarks.workload.ours.ClientRound(cluster, workload, figures)
        : new dev.kudu4j.benchmarks.workload.published.ClientRound(cluster, workload, figures);
  }
}
