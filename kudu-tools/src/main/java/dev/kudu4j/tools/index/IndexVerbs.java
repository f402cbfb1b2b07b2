package dev.kudu4j.tools.index;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;

/** The verbs for secondary indexes. */
@Command(
    name = "index",
    description = {
      "Creates, lists, describes, verifies, rebuilds and drops secondary indexes of tables.",
      "An index makes scans that filter its columns faster, for every client."
    },
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      CreateIndexVerb.class,
      ListIndexesVerb.class,
      DescribeIndexVerb.class,
      VerifyIndexVerb.class,
      RebuildIndexVerb.class,
      DropIndexVerb.class
    })
public final class IndexVerbs {}
