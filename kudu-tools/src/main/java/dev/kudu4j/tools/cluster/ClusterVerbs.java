package dev.kudu4j.tools.cluster;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;

/** The verbs for a cluster as a whole. */
@Command(
    name = "cluster",
    description = "Checks the health of a cluster, or rebalances its replicas.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {KsckVerb.class, RebalanceVerb.class},
    footer = {"", "Exit code: 0 healthy; 1 not healthy, or failed; 2 invalid command line."})
public final class ClusterVerbs {}
