package dev.kudu4j.benchmarks.ycsb;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.OwnProcess;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.ycsb.YcsbFigure.Statistic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs YCSB on several sides, on this schedule:
 *
 * <pre>
 *   load   a new table per side and round; the last one is flushed, and used by A to F
 *   A      zipfian   round 0: ours theirs   round 1: theirs ours  ...
 *   B      zipfian   ...
 * </pre>
 *
 * <p>The workloads D and E insert records; later phases use the increased number of records. The
 * comparison fails if a call is rejected, or if a table does not have exactly the inserted number
 * of records at the end.
 */
final class YcsbComparison {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  private final Map<Side, ClusterSource> sources;
  private final YcsbSettings settings;
  private final Function<Side, String> titles;
  private final Path directory;
  private final Consumer<String> progress;
  private final Measurements<Side> measurements;
  private final Map<Side, SideState> states = new EnumMap<>(Side.class);

  /** A side's binding and table. */
  private static final class SideState {
    final Binding binding;
    final String masters;
    String table;
    long records;

    SideState(Binding binding, String masters) {
      this.binding = binding;
      this.masters = masters;
    }
  }

  /**
   * @param sources the sides that run, with their clusters; two sides may share a cluster
   * @param titles titles of the sides
   * @param directory the directory for the servers' data; created if absent, and not deleted
   * @param progress receives a description of each step
   */
  YcsbComparison(
      Map<Side, ClusterSource> sources,
      YcsbSettings settings,
      Function<Side, String> titles,
      Path directory,
      Consumer<String> progress) {
    this.sources = sources;
    this.settings = settings;
    this.titles = titles;
    this.directory = directory;
    this.progress = progress;
    this.measurements = Measurements.ofSides(figures(settings));
  }

  private static List<Figure> figures(YcsbSettings settings) {
    List<Figure> figures =
        new ArrayList<>(YcsbFigure.all(YcsbFigure.LOAD, List.of(OperationKind.INSERT)));
    for (RequestDistribution distribution : settings.distributions()) {
      for (StandardWorkload workload : settings.workloads()) {
        figures.addAll(YcsbFigure.all(YcsbFigure.phase(workload, distribution), workload.kinds()));
      }
    }
    return figures;
  }

  Measurements<Side> run() throws Exception {
    try (StatusClient rpc = new StatusClient();
        Turns turns = new Turns(sources, directory, rpc)) {
      try {
        turns.round(0, this::connect);
        load(turns);
        for (RequestDistribution distribution : settings.distributions()) {
          for (StandardWorkload workload : settings.workloads()) {
            inRounds(
                turns, (round, side, cluster) -> run(workload, distribution, round, side, cluster));
          }
        }
        turns.round(0, this::finish);
      } finally {
        for (SideState state : states.values()) {
          state.binding.close();
        }
      }
    }
    return measurements;
  }

  private void connect(Side side, TargetCluster cluster) throws Exception {
    String masters = cluster.masterAddresses();
    Binding binding =
        side.hasOurClient()
            ? new dev.kudu4j.benchmarks.ycsb.ours.KuduBinding(masters)
            : new dev.kudu4j.benchmarks.ycsb.published.KuduBinding(masters);
    states.put(side, new SideState(binding, masters));
    binding.awaitTabletServers(settings.replicas());
  }

  /** The work of a side in its turn, given the number of the round. */
  private interface NumberedTurn {
    void run(int round, Side side, TargetCluster cluster) throws Exception;
  }

  private void inRounds(Turns turns, NumberedTurn turn) throws Exception {
    for (int round = 0; round < settings.warmUpRounds() + settings.rounds(); round++) {
      int number = round;
      turns.round(round, (side, cluster) -> turn.run(number, side, cluster));
    }
  }

  private void load(Turns turns) throws Exception {
    inRounds(
        turns,
        (round, side, cluster) -> {
          SideState state = states.get(side);
          if (state.table != null) {
            state.binding.drop(state.table);
          }
          state.table = "usertable_" + side.name().toLowerCase(Locale.ROOT) + round;
          state.records = settings.records();
          Properties properties = settings.loading(state.masters, state.table);
          measure(
              YcsbFigure.LOAD,
              round,
              side,
              cluster,
              new Phase(
                  Phase.Kind.LOAD,
                  state.binding::newDb,
                  properties,
                  settings.threads(),
                  settings.records()));
        });
    turns.round(0, (side, cluster) -> cluster.flush());
  }

  private void run(
      StandardWorkload workload,
      RequestDistribution distribution,
      int round,
      Side side,
      TargetCluster cluster)
      throws Exception {
    SideState state = states.get(side);
    Properties properties =
        settings.running(state.masters, state.table, workload, distribution, state.records);
    Phase.Outcome outcome =
        measure(
            YcsbFigure.phase(workload, distribution),
            round,
            side,
            cluster,
            new Phase(
                Phase.Kind.TRANSACTIONS,
                state.binding::newDb,
                properties,
                settings.threads(),
                settings.operations()));
    state.records += outcome.latencies().count(OperationKind.INSERT);
  }

  private Phase.Outcome measure(
      String phaseName, int round, Side side, TargetCluster cluster, Phase phase) throws Exception {
    cluster.awaitIdle();
    double cpuBefore = cluster.cpuNanos();
    long clientCpuBefore = OwnProcess.cpuNanos();
    Phase.Outcome outcome = phase.run();
    long clientCpu = OwnProcess.cpuNanos() - clientCpuBefore;
    double cpu = cluster.cpuNanos() - cpuBefore;
    if (!outcome.latencies().failures().isEmpty()) {
      throw new IllegalStateException(
          titles.apply(side) + ", " + phaseName + ": rejected " + outcome.latencies().failures());
    }
    double operations = outcome.operations();
    boolean warmUp = round < settings.warmUpRounds();
    double perSecond = operations * NANOS_PER_SECOND / outcome.nanos();
    progress.accept(
        String.format(
            "%s, round %d%s, %s: %,.0f ops/s",
            phaseName, round, warmUp ? " (warm-up)" : "", titles.apply(side), perSecond));
    if (!warmUp) {
      add(side, YcsbFigure.of(phaseName, Statistic.THROUGHPUT), perSecond);
      add(side, YcsbFigure.of(phaseName, Statistic.SERVER_CPU), cpu / NANOS_PER_MICRO / operations);
      add(
          side,
          YcsbFigure.of(phaseName, Statistic.CLIENT_CPU),
          clientCpu / NANOS_PER_MICRO / operations);
      addPercentiles(side, phaseName, outcome.latencies());
    }
    return outcome;
  }

  private void addPercentiles(Side side, String phase, Latencies latencies) {
    for (OperationKind kind : OperationKind.values()) {
      for (Statistic statistic : Statistic.values()) {
        if (statistic.isPercentile()) {
          add(
              side,
              YcsbFigure.of(phase, kind, statistic),
              latencies.millisAtPercentile(kind, statistic.percentile()));
        }
      }
    }
  }

  private void add(Side side, YcsbFigure figure, double value) {
    if (!Double.isNaN(value)) {
      measurements.add(side, figure, value);
    }
  }

  /** Checks the number of records, and drops the table. */
  private void finish(Side side, TargetCluster cluster) throws Exception {
    SideState state = states.get(side);
    long found = state.binding.count(state.table);
    state.binding.drop(state.table);
    if (found != state.records) {
      throw new IllegalStateException(
          String.format(
              "%s: %,d records were inserted into %s on %s, but %,d exist",
              titles.apply(side), state.records, state.table, cluster.masterAddresses(), found));
    }
    progress.accept(String.format("%s: all %,d records exist", titles.apply(side), found));
  }
}
