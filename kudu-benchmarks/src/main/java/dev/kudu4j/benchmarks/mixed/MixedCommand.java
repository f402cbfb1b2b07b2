package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench mixed}: the stability of a server under a mixed load. */
@Command(
    name = "mixed",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Inserts, updates, scans and looks up rows concurrently, on a server with a"
          + " fixed heap and direct memory, and records once per second the metrics of"
          + " the server and its clients.",
      "Prints verdicts: memory and read latencies flat, no full collection, rowset"
          + " height and delta files bounded. The exit code is 1 if a verdict is no."
    })
public final class MixedCommand implements Callable<Integer> {
  @Mixin private HomeOptions home;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(names = "--minutes", defaultValue = "10", description = "Duration of the run.")
  private double minutes;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "768",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  @Option(names = "--rows", defaultValue = "500000", description = "Number of rows at the start.")
  private int rows;

  @Option(
      names = "--inserts",
      defaultValue = "4000",
      description = "Maximum number of rows inserted per second.")
  private int inserts;

  @Option(
      names = "--updates",
      defaultValue = "2000",
      description = "Maximum number of rows updated per second.")
  private int updates;

  @Option(
      names = "--look-ups",
      defaultValue = "200",
      description = "Maximum number of lookups per second.")
  private int lookUps;

  @Option(
      names = "--scans",
      defaultValue = "5",
      description = "Maximum number of scans per second.")
  private int scans;

  @Override
  public Integer call() throws Exception {
    Settings settings =
        new Settings(
            (int) Math.round(minutes * 60),
            (long) memoryLimitMegabytes << 20,
            rows,
            inserts,
            updates,
            lookUps,
            scans);
    Machine machine = Machine.here();
    MixedReport result =
        workDirectory.run(
            directory -> new MixedRun(home.home(), settings, directory, output::progress).run());
    output.publish(result.toReport(machine));
    List<String> failures = result.failures(true);
    return failures.isEmpty() ? 0 : 1;
  }
}
