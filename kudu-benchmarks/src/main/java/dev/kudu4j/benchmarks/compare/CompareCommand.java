package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.workload.Step;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench compare}: our servers beside the published Apache Kudu. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Runs one workload on Kudu4j with its own client, on Kudu4j with the published client, and on"
          + " the published Apache Kudu, in turn: load and scan TPC-H lineitem, look rows up,"
          + " insert single rows, create tables, start servers.",
      "Prints a table of them and the ratios to Apache Kudu; progress goes to the error output."
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
      description = "Measured starts of a fresh cluster; 0 leaves them out.")
  private int starts;

  @Override
  public Integer call() throws Exception {
    options.run(steps, starts);
    return 0;
  }
}
