package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.SideOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.threads.ModelComparison;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench index}: what secondary indexes cost, and what they save. */
@Command(
    name = "index",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Indexes on o_custkey and o_orderdate of TPC-H's orders: four queries without index, as the"
          + " servers choose, with the local index forced, with local indexes that include all"
          + " columns, and with a clustering index, beside the published Apache Kudu, which scans.",
      "Random predicates, for which the servers' choice is compared with the best plan; inserts into"
          + " tables with two indexes of each kind and without; rows by an indexed value from 1 to"
          + " 128 clients; the same in a table of many tablets, by a global and by a local index;"
          + " the lag of global indexes, and reads of the latest rows, at several rates of writes.",
      "All plans of a query must have the same answer; a difference ends the run with an error."
    })
public final class IndexCommand implements Callable<Integer> {
  private static final int SERVERS = 3;

  @Spec private CommandSpec spec;
  @Mixin private SideOptions sides;
  @Mixin private RoundOptions rounds;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--scale",
      defaultValue = "1",
      description = "TPC-H scale factor; 1 is 1,500,000 orders.")
  private double scale;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description = "Run only these, with commas between: ${COMPLETION-CANDIDATES}.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(names = "--goals", description = "Print which goals are reached.")
  private boolean printsGoals;

  @Option(names = "--tablets", defaultValue = "4", description = "Tablets of the table orders.")
  private int tablets;

  @Option(
      names = "--turn-millis",
      defaultValue = "400",
      description =
          "QUERIES, CHOICE, SPREAD: for how long a query runs in its turn, at least twice, and all plans of a"
              + " random predicate, at least four times each.")
  private int turnMillis;

  @Option(
      names = "--predicates",
      defaultValue = "300",
      description = "CHOICE: number of random predicates, and of random ranges.")
  private int predicates;

  @Option(names = "--seed", defaultValue = "1", description = "CHOICE: seed of both.")
  private long seed;

  @Option(
      names = "--insert-mb",
      defaultValue = "256",
      description = "INSERTS: megabytes of records of each size in a round.")
  private int insertMegabytes;

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      description =
          "INSERTS, LAG: only these kinds of indexes: ${COMPLETION-CANDIDATES}. LAG is measured of"
              + " GLOBAL and CLUSTERING.")
  private Set<Indexing> kinds = EnumSet.allOf(Indexing.class);

  @Option(
      names = "--point-rows",
      defaultValue = "1000000",
      description = "CLIENTS: rows of the table.")
  private int pointRows;

  @Option(names = "--point-in-memory", description = "CLIENTS: do not flush the rows.")
  private boolean pointInMemory;

  @Option(
      names = "--models",
      split = ",",
      defaultValue = "pool,shared,per_request,adaptive",
      description = "CLIENTS: the thread models; the first one is the baseline.")
  private List<String> models;

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "1,4,16,64,128",
      description = "CLIENTS: numbers of clients.")
  private List<Integer> clients;

  @Option(
      names = "--seconds",
      defaultValue = "2",
      description = "CLIENTS: duration of each measurement.")
  private int seconds;

  @Option(
      names = "--spread-rows",
      defaultValue = "1000000",
      description = "SPREAD: rows of the table.")
  private int spreadRows;

  @Option(
      names = "--spread-tablets",
      defaultValue = "64",
      description = "SPREAD: tablets of the table.")
  private int spreadTablets;

  @Option(
      names = "--rates",
      split = ",",
      defaultValue = "1000,10000,50000",
      description = "LAG: rows a second that are written.")
  private List<Integer> rates;

  @Option(
      names = "--lag-seconds",
      defaultValue = "10",
      description = "LAG: duration of each measurement.")
  private double lagSeconds;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    Report report = new Report("Secondary indexes", machine, settings());
    Goals goals = new Goals();
    Map<Side, ClusterSource> sources =
        sides.sources(EnumSet.of(Side.OURS, Side.PUBLISHED), List.of());
    workDirectory.run(directory -> run(sources, directory, report, goals));
    if (printsGoals) {
      report.table(goals.table());
    }
    output.publish(report.data("goals", goals.numbers()));
    return 0;
  }

  private Report run(Map<Side, ClusterSource> sources, Path directory, Report report, Goals goals)
      throws Exception {
    if (parts.contains(Part.QUERIES) || parts.contains(Part.CHOICE)) {
      new OrdersPart(new Orders(scale), tablets, turnMillis, predicates, seed, output::progress)
          .run(parts, rounds, sources, directory.resolve("orders"), report, goals);
    }
    if (parts.contains(Part.INSERTS)) {
      new InsertsPart(scale, (long) insertMegabytes << 20, kinds, output::progress)
          .run(rounds, ours(sources), directory.resolve("inserts"), report, goals);
    }
    if (parts.contains(Part.CLIENTS)) {
      new ClientsPart(comparison(), new PointTable(pointRows, pointInMemory), output::progress)
          .run(sides.home().ours(), directory.resolve("clients"), report, goals);
    }
    if (parts.contains(Part.SPREAD)) {
      new SpreadPart(new PointTable(spreadRows, false), spreadTablets, turnMillis, output::progress)
          .run(rounds, servers(sources), directory.resolve("spread"), report, goals);
    }
    if (parts.contains(Part.LAG)) {
      new LagPart(kinds, rates, lagSeconds, rounds.warmUp(), output::progress)
          .run(servers(sources), sides.replicas(), directory.resolve("lag"), report, goals);
    }
    return report;
  }

  /** Our cluster, with several servers if it is started. */
  private ClusterSource servers(Map<Side, ClusterSource> sources) {
    return ours(sources) instanceof ClusterSource.Started started
        ? new ClusterSource.Started(
            started.distribution(), Math.max(SERVERS, sides.replicas()), started.flags())
        : ours(sources);
  }

  private ClusterSource ours(Map<Side, ClusterSource> sources) {
    ClusterSource ours = sources.get(Side.OURS);
    if (ours == null) {
      throw new ParameterException(spec.commandLine(), "--only must name OURS");
    }
    return ours;
  }

  private ModelComparison comparison() {
    return new ModelComparison(models, clients, rounds.measured(), seconds, 5 * rounds.warmUp());
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>(sides.toMap());
    settings.put("parts", parts);
    settings.put("scale", scale);
    settings.put("tablets", tablets);
    settings.put("rounds", rounds.measured());
    settings.put("warm_up_rounds", rounds.warmUp());
    settings.put("turn_millis", turnMillis);
    settings.put("predicates", predicates);
    settings.put("seed", seed);
    settings.put("insert_mb", insertMegabytes);
    settings.put("kinds", kinds);
    settings.put("point_rows", pointRows);
    settings.put("point_in_memory", pointInMemory);
    settings.put("models", models);
    settings.put("clients", clients);
    settings.put("seconds", seconds);
    settings.put("spread_rows", spreadRows);
    settings.put("spread_tablets", spreadTablets);
    settings.put("rates", rates);
    settings.put("lag_seconds", lagSeconds);
    return settings;
  }
}
