package dev.kudu4j.tools;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.MasterMain;
import dev.kudu4j.tools.cluster.ClusterVerbs;
import dev.kudu4j.tools.cluster.MasterChangeVerb;
import dev.kudu4j.tools.cluster.RemoteReplicaVerbs;
import dev.kudu4j.tools.cluster.ServerListVerb;
import dev.kudu4j.tools.cluster.ServerStateVerbs;
import dev.kudu4j.tools.cluster.TabletVerbs;
import dev.kudu4j.tools.console.ErrorText;
import dev.kudu4j.tools.console.FlagSpelling;
import dev.kudu4j.tools.demo.DemoVerb;
import dev.kudu4j.tools.fs.FileVerbs;
import dev.kudu4j.tools.fs.ReplicaVerbs;
import dev.kudu4j.tools.index.IndexVerbs;
import dev.kudu4j.tools.local.LocalVerbs;
import dev.kudu4j.tools.local.StartVerb;
import dev.kudu4j.tools.local.StatusVerb;
import dev.kudu4j.tools.local.StopVerb;
import dev.kudu4j.tools.logging.RecentLines;
import dev.kudu4j.tools.perf.PerfVerbs;
import dev.kudu4j.tools.server.GetFlagsVerb;
import dev.kudu4j.tools.server.MasterStatusVerb;
import dev.kudu4j.tools.server.MemoryTrackersVerb;
import dev.kudu4j.tools.server.QuiesceVerbs;
import dev.kudu4j.tools.server.SetFlagForAllVerb;
import dev.kudu4j.tools.server.SetFlagVerb;
import dev.kudu4j.tools.server.TabletServerStatusVerb;
import dev.kudu4j.tools.server.TimestampVerb;
import dev.kudu4j.tools.table.TableVerbs;
import dev.kudu4j.tools.transaction.TransactionVerbs;
import dev.kudu4j.tserver.TabletServerMain;
import java.io.IOException;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code kudu} command. Exit codes: 0 success, 1 failure, 2 invalid command line. */
@Command(
    name = "kudu",
    description = "Kudu4j: a storage cluster for fast analytics on fast data.",
    mixinStandardHelpOptions = true,
    version = "kudu4j 0.1.0",
    subcommands = {
      DemoVerb.class,
      StartVerb.class,
      StopVerb.class,
      StatusVerb.class,
      TableVerbs.class,
      IndexVerbs.class,
      TransactionVerbs.class,
      ClusterVerbs.class,
      TabletVerbs.class,
      Kudu.MasterVerbs.class,
      Kudu.TabletServerVerbs.class,
      PerfVerbs.class,
      FileVerbs.class,
      ReplicaVerbs.class,
      RemoteReplicaVerbs.class,
      BenchVerb.class,
      LocalVerbs.class
    },
    synopsisSubcommandLabel = "VERB")
public final class Kudu {
  private static final String LOG_CONFIGURATION = "logback.configurationFile";
  private static final int FAILED = 1;
  private static final int NOT_UNDERSTOOD = 2;

  private Kudu() {}

  public static void main(String[] arguments) {
    String daemon = arguments.length >= 2 && arguments[1].equals("run") ? arguments[0] : "";
    String[] flags = Arrays.copyOfRange(arguments, Math.min(2, arguments.length), arguments.length);
    switch (daemon) {
      case "master" -> {
        logAsDaemon();
        MasterMain.run(RecentLines.attach(), flags);
      }
      case "tserver" -> {
        logAsDaemon();
        TabletServerMain.run(RecentLines.attach(), flags);
      }
      case "local" -> {
        logAsDaemon();
        System.exit(commandLine().execute(arguments));
      }
      default -> System.exit(commandLine().execute(arguments));
    }
  }

  /** The command line with all verbs. Errors are reported in one line. */
  public static CommandLine commandLine() {
    return new CommandLine(new Kudu())
        .setExpandAtFiles(false) // @NAME is the name of a cluster, even if a file has that name
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(
            (e, arguments) -> {
              e.getCommandLine().getErr().println(UsageError.text(e));
              return NOT_UNDERSTOOD;
            })
        .setExecutionExceptionHandler(
            (e, verb, parsed) -> {
              boolean expected =
                  e instanceof KuduException
                      || e instanceof IOException
                      || e instanceof IllegalArgumentException; // rejected by the client
              verb.getErr().println("kudu: " + (expected ? ErrorText.of(e) : e.toString()));
              return FAILED;
            });
  }

  /** Configures the log of a daemon. Other verbs log only errors, as configured in logback.xml. */
  static void logAsDaemon() {
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty(LOG_CONFIGURATION, "kudu4j-daemon-logback.xml");
    }
  }

  /** The verbs for masters. */
  @Command(
      name = "master",
      description = {
        "kudu master run FLAGS: runs a master in this process (--help lists its flags)",
        "The verbs list, add, remove and set_flag_for_all ask the masters of a"
            + " cluster; the other verbs ask the given master."
      },
      preprocessor = FlagSpelling.class,
      subcommands = {
        ServerListVerb.Masters.class,
        MasterStatusVerb.class,
        GetFlagsVerb.class,
        SetFlagVerb.class,
        SetFlagForAllVerb.class,
        MemoryTrackersVerb.class,
        TimestampVerb.class,
        MasterChangeVerb.Add.class,
        MasterChangeVerb.Remove.class
      },
      mixinStandardHelpOptions = true)
  static final class MasterVerbs {}

  /** The verbs for tablet servers. */
  @Command(
      name = "tserver",
      description = {
        "kudu tserver run FLAGS: runs a tablet server in this process (--help lists its flags)",
        "The verbs list, state, decommission, unregister and set_flag_for_all ask the"
            + " masters of a cluster; the other verbs ask the given tablet server."
      },
      preprocessor = FlagSpelling.class,
      subcommands = {
        ServerListVerb.TabletServers.class,
        TabletServerStatusVerb.class,
        GetFlagsVerb.class,
        SetFlagVerb.class,
        SetFlagForAllVerb.class,
        MemoryTrackersVerb.class,
        TimestampVerb.class,
        QuiesceVerbs.class,
        ServerStateVerbs.class,
        ServerStateVerbs.Decommission.class,
        ServerStateVerbs.Unregister.class
      },
      mixinStandardHelpOptions = true)
  static final class TabletServerVerbs {}
}
