package dev.kudu4j.tools.fs;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;

/** The verbs for the files of a server. */
@Command(
    name = "fs",
    description = "Shows the files of a server that is not running, and changes its directories.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {ListVerb.class, CheckVerb.class, DumpVerb.class, UpdateDirsVerb.class})
public final class FileVerbs {}
