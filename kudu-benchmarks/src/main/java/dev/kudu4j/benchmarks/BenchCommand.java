package dev.kudu4j.benchmarks;

import dev.kudu4j.benchmarks.admaster.AdMasterCommand;
import dev.kudu4j.benchmarks.batching.BatchingCommand;
import dev.kudu4j.benchmarks.breakup.BreakupCommand;
import dev.kudu4j.benchmarks.changes.ChangesCommand;
import dev.kudu4j.benchmarks.client.ClientCommand;
import dev.kudu4j.benchmarks.compare.CompareCommand;
import dev.kudu4j.benchmarks.compare.LoadCommand;
import dev.kudu4j.benchmarks.compare.PublishedClusterCommand;
import dev.kudu4j.benchmarks.compare.ScanCommand;
import dev.kudu4j.benchmarks.consistency.ConsistencyCommand;
import dev.kudu4j.benchmarks.engine.EngineCommand;
import dev.kudu4j.benchmarks.feed.FeedCommand;
import dev.kudu4j.benchmarks.find.FindCommand;
import dev.kudu4j.benchmarks.freshness.FreshnessCommand;
import dev.kudu4j.benchmarks.index.IndexCommand;
import dev.kudu4j.benchmarks.lag.LagCommand;
import dev.kudu4j.benchmarks.lookups.LookupsCommand;
import dev.kudu4j.benchmarks.mixed.MixedCommand;
import dev.kudu4j.benchmarks.parts.PartsCommand;
import dev.kudu4j.benchmarks.reads.ReadsCommand;
import dev.kudu4j.benchmarks.table3.Table3Command;
import dev.kudu4j.benchmarks.tablets.TabletsCommand;
import dev.kudu4j.benchmarks.threads.ThreadsCommand;
import dev.kudu4j.benchmarks.tpch.TpchCommand;
import dev.kudu4j.benchmarks.txn.TransactionsCommand;
import dev.kudu4j.benchmarks.ycsb.YcsbCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code kudu bench}: one subcommand per kind of measurement. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Measures servers, the engine or its parts, compared with a baseline.",
    subcommands = {
      CompareCommand.class,
      LoadCommand.class,
      ScanCommand.class,
      ClientCommand.class,
      YcsbCommand.class,
      EngineCommand.class,
      Table3Command.class,
      TpchCommand.class,
      ChangesCommand.class,
      MixedCommand.class,
      IndexCommand.class,
      AdMasterCommand.class,
      LookupsCommand.class,
      LagCommand.class,
      FreshnessCommand.class,
      FeedCommand.class,
      TransactionsCommand.class,
      ConsistencyCommand.class,
      BatchingCommand.class,
      ReadsCommand.class,
      FindCommand.class,
      TabletsCommand.class,
      ThreadsCommand.class,
      BreakupCommand.class,
      PartsCommand.class,
      PublishedClusterCommand.class
    })
public final class BenchCommand {
  private static final String LOGGING = "logback.configurationFile";

  public static void main(String[] arguments) {
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "dev/kudu4j/benchmarks/logback.xml");
    }
    System.exit(commandLine().execute(arguments));
  }

  private static String reason(Exception failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  /** The command with its subcommands. A failure prints its message without a stack trace. */
  public static CommandLine commandLine() {
    return new CommandLine(new BenchCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, line, parsed) -> {
              line.getErr().println("kudu bench: " + reason(failure));
              if (System.getenv("KUDU4J_STACKS") != null) {
                failure.printStackTrace(line.getErr());
              }
              return CommandLine.ExitCode.SOFTWARE;
            });
  }
}
