package dev.kudu4j.tools.cluster;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What can be done with a cluster as a whole. */
@Command(
    name = "cluster",
    description = "Checks a cluster's health, and spreads its replicas.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {KsckVerb.class, RebalanceVerb.class},
    footer = {"", "Exit code: 0 healthy; 1 not healthy, or failed; 2 not understood."})
public final class ClusterVerbs implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Which verb: ksck or rebalance? See kudu cluster --help");
  }
}
