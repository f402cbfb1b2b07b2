package dev.kudu4j.benchmarks.client;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.ScaleOption;
import dev.kudu4j.benchmarks.options.SideOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.ComparisonTable;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Side;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench client}: our client compared with the published one. */
@Command(
    name = "client",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Runs our client and the published one, each in its own JVM with the same"
          + " options, alternately on our servers and on the published Apache Kudu's:"
          + " bulk inserts of TPC-H lineitem, full scans by rows and into Arrow batches,"
          + " single inserts and lookups.",
      "Prints rates, times, the client's CPU time and allocation, and the ratios to"
          + " the published client on the same servers; progress goes to standard error."
    })
public final class ClientCommand implements Callable<Integer> {
  @Mixin private SideOptions sides;
  @Mixin private RoundOptions rounds;
  @Mixin private ScaleOption scale;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--scan-rows",
      defaultValue = "3000000",
      description = "Scans repeat until this number of rows is read, at most 20 times.")
  private long scanRows;

  @Option(
      names = "--singles",
      defaultValue = "5000",
      description = "Number of single-row inserts; lookups are 1,000 per inserting thread.")
  private int singles;

  @Option(
      names = "--heap-mb",
      defaultValue = "1024",
      description = "Heap of each client's JVM, in MB.")
  private int heapMegabytes;

  @Option(
      names = "--java-option",
      paramLabel = "OPTION",
      description =
          "Additional option for each client's JVM, such as -XX:+UseParallelGC; may be"
              + " repeated.")
  private List<String> javaOptions = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    TrialSettings settings = new TrialSettings(scale.factor(), sides.replicas(), scanRows, singles);
    List<String> options = new ArrayList<>(List.of("-Xmx" + heapMegabytes + "m", "-XX:+UseG1GC"));
    options.addAll(javaOptions);
    Map<Side, ClusterSource> sources =
        sides.sources(EnumSet.complementOf(EnumSet.of(Side.OURS_TCP)), List.of());
    if (sources.containsKey(Side.OURS_TCP)) {
      throw new IllegalArgumentException(
          "bench client compares clients; for OURS_TCP use bench compare, load, scan or ycsb");
    }
    Machine machine = Machine.here();
    Measurements<Side> measurements =
        workDirectory.run(
            directory ->
                new ClientComparison(
                        sources,
                        settings,
                        rounds.warmUp(),
                        rounds.measured(),
                        options,
                        sides::title,
                        directory,
                        output::progress)
                    .run());
    output.publish(report(measurements, machine, settings(settings, options)));
    return 0;
  }

  private Report report(
      Measurements<Side> measurements, Machine machine, Map<String, Object> settings) {
    Report report = new Report("Clients", machine, settings);
    ComparisonTable<Side> comparison =
        new ComparisonTable<>(
            measurements, side -> side == Side.OURS ? "Kudu4j's client" : "published client");
    for (boolean ours : new boolean[] {true, false}) {
      Predicate<Figure> chosen = figure -> ((ClientFigure) figure).ourServers() == ours;
      if (measurements.figures().stream().anyMatch(chosen)) {
        report.table(comparison.table("On " + sides.serversTitle(ours), chosen));
      }
    }
    return report.data("figures", comparison.numbers());
  }

  private Map<String, Object> settings(TrialSettings settings, List<String> options) {
    Map<String, Object> map = sides.toMap();
    map.put("scale", settings.scale());
    map.put("scan_rows", settings.scanRows());
    map.put("singles", settings.singles());
    map.put("client_java_options", options);
    map.put("rounds", rounds.measured());
    map.put("warm_up_rounds", rounds.warmUp());
    return map;
  }
}
