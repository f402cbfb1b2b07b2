package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.workload.Step;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench compare}: our servers compared with the published Apache Kudu. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Runs one workload on Kudu4j with its own client, on Kudu4j with the"
          + " published client, and on the published Apache Kudu, alternately: loads and"
          + " scans TPC-H lineitem, looks up rows, inserts single rows, creates tables,"
          + " starts servers.",
      "Prints a table of the results and the ratios to Apache Kudu; progress goes"
          + " to standard error."
    })
public final class CompareCommand implements Callable<Integer> {
  @Mixin private ComparisonOptions options;

  @Option(
      names = "--steps",
      split = ",",
      paramLabel = "STEP",
      description = "Measure only these, with commas between: ${COMPLETION-CANDIDATES}.")
  private Set<Step> steps = EnumSet.complementOf(EnumSet.of(Step.SIZE));

  @Option(
      names = "--starts",
      defaultValue = "5",
      description = "Number of measured starts of a new cluster; 0 for none.")
  private int starts;

  @Override
  public Integer call() throws Exception {
    options.run(steps, starts);
    return 0;
  }
}
