package dev.kudu4j.benchmarks.admaster;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.SideOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.selection.LoadedSides;
import dev.kudu4j.benchmarks.selection.Plan;
import dev.kudu4j.benchmarks.selection.SelectionQuery;
import dev.kudu4j.benchmarks.selection.SelectionReport;
import dev.kudu4j.benchmarks.selection.SelectionRun;
import dev.kudu4j.benchmarks.selection.TwinIndexes;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench admaster}: reads of wide events by two indexed columns. */
@Command(
    name = "admaster",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Generated events of an advertisement monitor, 52 columns and about 524 bytes each, with"
          + " indexes on the date and the operating system: four workloads without index, as the"
          + " servers choose, with the index forced, with local indexes that include all columns,"
          + " and with a clustering index, beside the published Apache Kudu.",
      "All plans of a workload must have the same answer; a difference ends the run with an error."
    })
public final class AdMasterCommand implements Callable<Integer> {
  @Mixin private SideOptions sides;
  @Mixin private RoundOptions rounds;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(names = "--rows", defaultValue = "1000000", description = "Number of events.")
  private long rows;

  @Option(
      names = "--date-percent",
      defaultValue = "1",
      description = "The share of the days in a range, in percent.")
  private double datePercent;

  @Option(names = "--goals", description = "Print which goals are reached.")
  private boolean printsGoals;

  @Option(names = "--tablets", defaultValue = "4", description = "Tablets of the table.")
  private int tablets;

  @Option(
      names = "--turn-millis",
      defaultValue = "1000",
      description = "For how long a query runs in its turn, at least twice.")
  private int turnMillis;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    Report report = new Report("AdMaster's workloads", machine, settings());
    Goals goals = new Goals();
    workDirectory.run(directory -> run(directory, report, goals));
    if (printsGoals) {
      report.table(goals.table());
    }
    output.publish(report.data("goals", goals.numbers()));
    return 0;
  }

  @SuppressWarnings("try") // close() may be interrupted, which ends the process
  private Report run(Path directory, Report report, Goals goals) throws Exception {
    AdEvents events = new AdEvents(rows);
    TwinIndexes indexes = new TwinIndexes(List.of(AdEvents.DATE, AdEvents.OS));
    Map<Side, ClusterSource> sources =
        sides.sources(EnumSet.of(Side.OURS, Side.PUBLISHED), List.of());
    RandomGenerator random = new SplittableRandom(1);
    try (StatusClient rpc = new StatusClient();
        LoadedSides loaded =
            new LoadedSides(events, indexes, tablets, sources, directory, rpc, output::progress)) {
      loaded.load(List.of(AdEvents.dates(0, random), AdEvents.rareSystem()));
      loaded.builds().addTo(report);
      List<SelectionQuery> queries = new AdQueries(events, datePercent / 100).all();
      SelectionRun run = new SelectionRun(loaded.readers(), queries, turnMillis, output::progress);
      Measurements<Plan> measurements = run.run(queries, rounds);
      SelectionReport selections =
          new SelectionReport(queries, run, measurements, events.rowCount());
      selections.addTo(report);
      addGoals(queries, selections, goals);
    }
    return report;
  }

  private static void addGoals(
      List<SelectionQuery> queries, SelectionReport selections, Goals goals) {
    for (int i = 0; i < queries.size(); i++) {
      boolean isLast = i == queries.size() - 1;
      for (Plan plan : List.of(Plan.INCLUDING, Plan.CLUSTERING)) {
        goals.atLeast(
            queries.get(i).point() + ", times as fast as without index: " + plan.title(),
            selections.speed(plan, queries.get(i)),
            isLast ? 3 : 2);
      }
    }
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>(sides.toMap());
    settings.put("rows", rows);
    settings.put("date_percent", datePercent);
    settings.put("tablets", tablets);
    settings.put("rounds", rounds.measured());
    settings.put("warm_up_rounds", rounds.warmUp());
    settings.put("turn_millis", turnMillis);
    return settings;
  }
}
