package dev.kudu4j.tools.perf;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;

/** The verbs that measure a running cluster. */
@Command(
    name = "perf",
    description = "Measures the write and read performance of a cluster.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {LoadgenVerb.class, TableScanVerb.class})
public final class PerfVerbs {}
