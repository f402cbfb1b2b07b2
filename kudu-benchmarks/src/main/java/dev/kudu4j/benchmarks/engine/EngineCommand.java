package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.baseline.Amounts;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench engine}: one tablet without servers, compared with DuckDB. */
@Command(
    name = "engine",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads TPC-H lineitem into one tablet and into DuckDB, both in this process"
          + " and on one thread, and measures sizes, scans, lookups, updates and inserts.",
      "Every result is compared with DuckDB's; a difference ends the run with an error.",
      "Prints a table of the figures, their ratios and goals; progress goes to" + " standard error."
    })
public final class EngineCommand implements Callable<Integer> {
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--scale",
      defaultValue = "1",
      description = "TPC-H scale factor; 1 is 6,001,215 rows.")
  private double scale;

  @Option(
      names = "--amounts",
      defaultValue = "decimal",
      description = "Type of quantities and prices: ${COMPLETION-CANDIDATES}.")
  private Amounts amounts;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      defaultValue = "",
      description =
          "Run only measurements whose title contains this text, such as 'insert' or"
              + " 'rows by key'.")
  private String only;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    EngineReport report =
        workDirectory.run(
            directory ->
                new EngineBenchmark(amounts, scale, directory, only, output::progress).run());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("scale", scale);
    settings.put("amounts", amounts);
    output.publish(report.addTo(new Report("Engine", machine, settings)));
    return 0;
  }
}
