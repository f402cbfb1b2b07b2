package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.workload.Step;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench load}: the rate of inserted rows, and their size on disk. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads TPC-H lineitem into a table, which is deleted afterwards: rows per"
          + " second, CPU time of servers and client, and the size on disk after flushes"
          + " and compactions.",
      "Runs on Kudu4j and the published Apache Kudu, started here, or on an"
          + " existing cluster (--against). Prints a table; progress goes to standard"
          + " error."
    })
public final class LoadCommand implements Callable<Integer> {
  private static final Set<Step> STEPS = EnumSet.of(Step.LOAD, Step.SIZE);

  @Mixin private ComparisonOptions options;

  @Override
  public Integer call() throws Exception {
    options.run(STEPS, 0);
    return 0;
  }
}
