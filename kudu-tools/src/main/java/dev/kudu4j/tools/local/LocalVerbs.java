package dev.kudu4j.tools.local;

import picocli.CommandLine.Command;

/** The foreground form of {@code kudu start}, for supervisors and containers. */
@Command(
    name = "local",
    description =
        "kudu local run: runs a cluster in the foreground, for supervisors and" + " containers.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = RunVerb.class)
public final class LocalVerbs {}
