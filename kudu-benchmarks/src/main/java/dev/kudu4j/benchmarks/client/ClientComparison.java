package dev.kudu4j.benchmarks.client;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Side;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs all tasks with each client on each kind of servers, alternately. Each pair of client and
 * servers has one client JVM, which runs until the end of the comparison, so that warm-up rounds
 * take effect.
 *
 * <p>In the {@link Measurements}, the side specifies only the client. The kind of servers is part
 * of the figure.
 */
final class ClientComparison {
  private final Map<Side, ClusterSource> sources;
  private final TrialSettings settings;
  private final int warmUpRounds;
  private final int rounds;
  private final List<String> javaOptions;
  private final Function<Side, String> titles;
  private final Path directory;
  private final Consumer<String> progress;
  private final Map<Side, ClientProcess> clients = new EnumMap<>(Side.class);
  private final Measurements<Side> measurements = Measurements.ofSides(ClientFigure.all());

  /**
   * @param sources pairs of client and servers to measure
   * @param javaOptions options of each client's JVM
   * @param titles titles of the pairs, for the progress output
   * @param directory the directory for the servers' data; created if absent, and not deleted
   * @param progress receives a description of each step
   */
  ClientComparison(
      Map<Side, ClusterSource> sources,
      TrialSettings settings,
      int warmUpRounds,
      int rounds,
      List<String> javaOptions,
      Function<Side, String> titles,
      Path directory,
      Consumer<String> progress) {
    this.sources = sources;
    this.settings = settings;
    this.warmUpRounds = warmUpRounds;
    this.rounds = rounds;
    this.javaOptions = javaOptions;
    this.titles = titles;
    this.directory = directory;
    this.progress = progress;
  }

  Measurements<Side> run() throws Exception {
    try (StatusClient rpc = new StatusClient();
        Turns turns = new Turns(sources, directory, rpc)) {
      try {
        turns.round(0, this::start);
        for (int round = 0; round < warmUpRounds + rounds; round++) {
          int number = round;
          turns.round(round, (side, cluster) -> turn(number, side, cluster));
        }
      } finally {
        clients.values().forEach(ClientProcess::close);
      }
    }
    return measurements;
  }

  private void start(Side side, TargetCluster cluster) throws Exception {
    Path log = directory.resolve("client_" + side.name().toLowerCase(Locale.ROOT) + ".out");
    clients.put(
        side,
        ClientProcess.start(
            side.hasOurClient(), cluster.masterAddresses(), settings, javaOptions, log));
  }

  private void turn(int round, Side side, TargetCluster cluster) throws Exception {
    boolean warmUp = round < warmUpRounds;
    progress.accept("round " + round + " of " + titles.apply(side) + (warmUp ? ", warm-up" : ""));
    ClientProcess client = clients.get(side);
    Map<Task, Map<Measure, Double>> results = new EnumMap<>(Task.class);
    String table = "lineitem_" + side.name().toLowerCase(Locale.ROOT) + round;
    for (Task task : Task.values()) {
      if (!side.hasOurClient() && !task.publishedCounterparts().isEmpty()) {
        results.put(task, best(task, results));
        continue;
      }
      cluster.awaitIdle();
      results.put(task, client.run(task, table + "_" + task.name().toLowerCase(Locale.ROOT)));
      if (task == Task.INSERT_1) {
        client.drop();
      } else if (task.loads()) {
        cluster.flush();
      }
    }
    client.drop();
    results.forEach((task, figures) -> record(side, task, figures, warmUp));
  }

  /**
   * The published client's best value of each measure, over the tasks that do the same work as the
   * given task.
   */
  private static Map<Measure, Double> best(Task task, Map<Task, Map<Measure, Double>> results) {
    Map<Measure, Double> best = new EnumMap<>(Measure.class);
    for (Task other : task.publishedCounterparts()) {
      results.get(other).forEach((measure, value) -> best.merge(measure, value, measure::better));
    }
    return best;
  }

  private void record(Side side, Task task, Map<Measure, Double> figures, boolean warmUp) {
    for (Measure measure : task.measures()) {
      ClientFigure figure = new ClientFigure(side.hasOurServers(), task, measure);
      double value = figures.get(measure);
      progress.accept(String.format("    %-55s %,14.3f %s", figure.title(), value, figure.unit()));
      if (!warmUp) {
        measurements.add(side.hasOurClient() ? Side.OURS : Side.PUBLISHED, figure, value);
      }
    }
  }
}
