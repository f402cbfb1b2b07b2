package dev.kudu4j.tools.table;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What can be done with tables. */
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
      "Exit code: 0 done; 1 failed; 2 not understood; 3 import left rows out.",
      "kudu table VERB --help shows flags and examples. -flag and --flag-name are taken too."
    })
public final class TableVerbs implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which verb? kudu table --help lists them");
  }
}
