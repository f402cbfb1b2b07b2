package dev.kudu4j.tools.fs;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;

/** The verbs for the replicas in a server's directories. */
@Command(
    name = "local_replica",
    description = "Shows the tablet replicas in the directories of a server that is not running.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {ReplicaListVerb.class, ReplicaDumpVerbs.class, ReplicaSizeVerb.class})
public final class ReplicaVerbs {}
