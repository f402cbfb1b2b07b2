package dev.kudu4j.tools.local;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The foreground form of {@code kudu start}, for supervisors and containers. */
@Command(
    name = "local",
    description =
        "kudu local run: runs a cluster in the foreground, for supervisors and" + " containers.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = RunVerb.class)
public final class LocalVerbs implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A verb is missing: run. See kudu local --help, or kudu start --help");
  }
}
