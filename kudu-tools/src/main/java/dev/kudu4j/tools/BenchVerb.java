package dev.kudu4j.tools;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Shows the benchmarks in the help. The benchmarks are in a module that depends on this one, and
 * the script {@code bin/kudu} starts that module. This class runs only if {@code kudu bench} is
 * started without the script.
 */
@Command(
    name = "bench",
    description =
        "Measures servers, the engine or its parts; kudu bench --help lists the" + " benchmarks.")
final class BenchVerb implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec;

  @Unmatched
  @SuppressWarnings("UnusedVariable") // only bin/kudu uses the arguments
  private List<String> arguments;

  @Override
  public Integer call() {
    spec.commandLine().getErr().println("kudu: use the script bin/kudu to start the benchmarks");
    return FAILED;
  }
}
