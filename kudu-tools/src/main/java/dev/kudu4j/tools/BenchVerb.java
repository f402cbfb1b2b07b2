package dev.kudu4j.tools;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Shows the benchmarks in the help. They are in a module that depends on this one, and {@code
 * bin/kudu} starts them. This class only runs if that script is not used.
 */
@Command(
    name = "bench",
    description =
        "Measures servers, the engine or its parts; kudu bench --help lists the" + " benchmarks.")
final class BenchVerb implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec;

  @Unmatched
  @SuppressWarnings("UnusedVariable") // the script reads them
  private List<String> arguments;

  @Override
  public Integer call() {
    spec.commandLine().getErr().println("kudu: use the script bin/kudu to start the benchmarks");
    return FAILED;
  }
}
