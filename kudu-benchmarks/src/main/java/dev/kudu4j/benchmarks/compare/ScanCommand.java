package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.workload.Step;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench scan}: the rate of rows read. */
@Command(
    name = "scan",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads TPC-H lineitem into a table, which is deleted afterwards, and scans"
          + " six columns in columnar and in row format: rows per second, and CPU time of"
          + " servers and client. Counts and sums are checked.",
      "Runs on Kudu4j and the published Apache Kudu, started here, or on an"
          + " existing cluster (--against). Prints a table; progress goes to standard"
          + " error."
    })
public final class ScanCommand implements Callable<Integer> {
  private static final Set<Step> STEPS = EnumSet.of(Step.SCAN);

  @Mixin private ComparisonOptions options;

  @Override
  public Integer call() throws Exception {
    options.run(STEPS, 0);
    return 0;
  }
}
