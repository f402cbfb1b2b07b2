package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.ScaleOption;
import dev.kudu4j.benchmarks.options.SideOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.ComparisonTable;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.workload.Compression;
import dev.kudu4j.benchmarks.workload.Step;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.benchmarks.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options and the execution of the commands that run steps of one workload on several sides.
 */
final class ComparisonOptions {
  @Mixin private SideOptions sides;
  @Mixin private RoundOptions rounds;
  @Mixin private ScaleOption scale;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--types",
      defaultValue = "simple",
      description =
          "SIMPLE stores amounts as DOUBLE and dates as STRING; EXACT as DECIMAL(15, 2)"
              + " and DATE.")
  private Types types;

  @Option(
      names = "--compression",
      defaultValue = "server",
      description = "Compression of all columns: ${COMPLETION-CANDIDATES}.")
  private Compression compression;

  /**
   * Runs the comparison and prints the report.
   *
   * @param starts number of measured starts of a fresh cluster
   */
  void run(Set<Step> steps, int starts) throws Exception {
    Settings settings = new Settings(rounds.measured(), rounds.warmUp(), starts);
    Workload workload = new Workload(scale.factor(), sides.replicas(), types, compression, steps);
    Machine machine = Machine.here();
    Measurements<Side> measurements =
        workDirectory.run(
            directory ->
                new Comparison(
                        sides.sources(publishedFlags(steps)),
                        workload,
                        settings,
                        sides::title,
                        directory,
                        output::progress)
                    .run());
    ComparisonTable<Side> comparison = new ComparisonTable<>(measurements, sides::title);
    output.publish(
        new Report("Comparison", machine, settings(settings, workload))
            .table(comparison.table())
            .data("figures", comparison.numbers()));
  }

  /**
   * Flags for the published servers. To measure the size of the data, preallocation is turned off:
   * it would add 32 MB to each file.
   */
  private static List<String> publishedFlags(Set<Step> steps) {
    return steps.contains(Step.SIZE) ? List.of("--log_container_preallocate_bytes=0") : List.of();
  }

  private Map<String, Object> settings(Settings settings, Workload workload) {
    Map<String, Object> map = sides.toMap();
    map.put("scale", workload.scale());
    map.put("types", workload.types());
    map.put("compression", workload.compression());
    map.put("steps", workload.steps());
    map.put("rounds", settings.rounds());
    map.put("warm_up_rounds", settings.warmUpRounds());
    map.put("starts", settings.starts());
    return map;
  }
}
