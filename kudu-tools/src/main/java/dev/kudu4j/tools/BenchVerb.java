package dev.kudu4j.tools;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Stands for the benchmarks in the help. They are a module on top of this one, so {@code bin/kudu}
 * starts them, and this is reached only without that script.
 */
@Command(
    name = "bench",
    description = "Measures servers, the engine or its parts; kudu bench --help lists what.")
final class BenchVerb implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec;
  @Unmatched private List<String> arguments;

  @Override
  public Integer call() {
    spec.commandLine().getErr().println("kudu: the script bin/kudu starts the benchmarks");
    return FAILED;
  }
}
