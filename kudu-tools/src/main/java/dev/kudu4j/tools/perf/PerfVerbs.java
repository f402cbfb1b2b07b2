package dev.kudu4j.tools.perf;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verbs that measure a running cluster. */
@Command(
    name = "perf",
    description = "Measures the write and read performance of a cluster.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {LoadgenVerb.class, TableScanVerb.class})
public final class PerfVerbs implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A verb is missing: loadgen or table_scan. See kudu perf --help");
  }
}
