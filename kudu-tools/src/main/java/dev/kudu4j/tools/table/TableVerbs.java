package dev.kudu4j.tools.table;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;

/** The verbs for tables. */
@Command(
    name = "table",
    description = "Creates, shows, fills, reads, changes and deletes tables.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      ListVerb.class,
      DescribeVerb.class,
      CreateVerb.class,
      ScanVerb.class,
      ChangesVerb.class,
      LocateRowVerb.class,
      ImportVerb.class,
      CopyVerb.class,
      StatisticsVerb.class,
      RenameTableVerb.class,
      AddColumnVerb.class,
      DeleteColumnVerb.class,
      RenameColumnVerb.class,
      ColumnVerb.SetDefault.class,
      ColumnVerb.RemoveDefault.class,
      ColumnVerb.SetCompression.class,
      ColumnVerb.SetEncoding.class,
      ColumnVerb.SetBlockSize.class,
      ColumnVerb.SetComment.class,
      PropertyVerb.SetComment.class,
      PropertyVerb.ClearComment.class,
      PropertyVerb.SetExtraConfig.class,
      ExtraConfigsVerb.class,
      ReplicationFactorVerb.class,
      LimitVerbs.class,
      RangeVerb.Add.class,
      RangeVerb.Drop.class,
      DeleteVerb.class,
      RecallVerb.class
    },
    footer = {
      "",
      "Exit code: 0 success; 1 failure; 2 invalid command line; 3 import skipped rows.",
      "kudu table VERB --help shows flags and examples. -flag and --flag-name are accepted, too."
    })
public final class TableVerbs {}
