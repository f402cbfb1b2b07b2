package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB.HandleMissingTS;
import dev.kudu4j.common.proto.master.ChangeTServerStateResponsePB;
import dev.kudu4j.common.proto.master.TServerStateChangePB;
import dev.kudu4j.common.proto.master.TServerStateChangePB.StateChange;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.proto.master.UnregisterTServerResponsePB;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.FlagSpelling;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How the master is to treat a tablet server. */
@Command(
    name = "state",
    description = "Tells the master that a tablet server may fail for a while.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {ServerStateVerbs.EnterMaintenance.class, ServerStateVerbs.ExitMaintenance.class})
public final class ServerStateVerbs implements Runnable {
  private static final String CHANGE = "ChangeTServerState";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Which verb: enter_maintenance or exit_maintenance?");
  }

  /** A verb about one tablet server. */
  abstract static class OfServer extends ClusterVerb {
    @Parameters(
        paramLabel = "[MASTERS] UUID",
        arity = "1..2",
        hideParamSyntax = true,
        description = Target.HELP)
    private List<String> arguments;

    @Override
    public final Integer call() {
      Target target = Target.of(arguments, "UUID");
      try (ClusterCalls calls = cluster().connect(target.masters())) {
        return act(calls, target.argument(0));
      }
    }

    abstract int act(ClusterCalls calls, String uuid);

    final void change(ClusterCalls calls, String uuid, StateChange change, boolean mayBeMissing) {
      ChangeTServerStateRequestPB request =
          ChangeTServerStateRequestPB.newBuilder()
              .setChange(TServerStateChangePB.newBuilder().setUuid(uuid).setChange(change))
              .setHandleMissingTserver(
                  mayBeMissing
                      ? HandleMissingTS.ALLOW_MISSING_TSERVER
                      : HandleMissingTS.DONT_ALLOW_MISSING_TSERVER)
              .build();
      calls.master(CHANGE, request, ChangeTServerStateResponsePB.parser());
    }
  }

  /** Begins or ends maintenance, which may be told of a server that is yet to come. */
  abstract static class Maintenance extends OfServer {
    @Option(
        names = "--allow_missing_tserver",
        description = "Also for a server that has not registered.")
    private boolean allowMissing;

    abstract StateChange change();

    /** How the server is then. */
    abstract String outcome();

    @Override
    final int act(ClusterCalls calls, String uuid) {
      change(calls, uuid, change(), allowMissing);
      say("Tablet server " + uuid + " is " + outcome());
      return DONE;
    }
  }

  /** Begins maintenance. */
  @Command(
      name = "enter_maintenance",
      description = {
        "From now on the server may be silent for as long as it likes: its replicas are not"
            + " replaced.",
        "It gets no new ones. What it has stays, and it goes on serving."
      },
      footer = "  kudu tserver state enter_maintenance 127.0.0.1:7051 UUID")
  static final class EnterMaintenance extends Maintenance {
    @Override
    StateChange change() {
      return StateChange.ENTER_MAINTENANCE_MODE;
    }

    @Override
    String outcome() {
      return "in maintenance";
    }
  }

  /** Ends maintenance. */
  @Command(
      name = "exit_maintenance",
      description = "The server is one like others again; replicas that it lost are replaced.",
      footer = "  kudu tserver state exit_maintenance 127.0.0.1:7051 UUID")
  static final class ExitMaintenance extends Maintenance {
    @Override
    StateChange change() {
      return StateChange.EXIT_MAINTENANCE_MODE;
    }

    @Override
    String outcome() {
      return "not in maintenance";
    }
  }

  /** Has a server emptied. */
  @Command(
      name = "decommission",
      description = {
        "Has every replica of the server moved elsewhere while it serves on, and waits until it is",
        "empty; then it may be switched off. Apache Kudu's masters do not know this; see kudu"
            + " cluster",
        "rebalance --move_replicas_from_ignored_tservers."
      },
      footer = {
        "  kudu tserver decommission 127.0.0.1:7051 UUID",
        "  kudu tserver decommission UUID --cancel",
        "",
        "Exit code: 0 the server is empty; 1 it is not yet, after --wait_sec."
      })
  public static final class Decommission extends OfServer {
    private static final int NOT_EMPTY = 1;
    private static final long POLL_MILLIS = 1_000;

    @Option(names = "--cancel", description = "The server is one like others again.")
    private boolean cancel;

    @Option(
        names = "--wait_sec",
        paramLabel = "SECONDS",
        defaultValue = "3600",
        description = "How long to wait; 0 to not wait at all. Default ${DEFAULT-VALUE}.")
    private long waitSeconds;

    @Override
    int act(ClusterCalls calls, String uuid) {
      if (cancel) {
        change(calls, uuid, StateChange.RECOMMISSION, false);
        say("Tablet server " + uuid + " stays");
        return DONE;
      }
      change(calls, uuid, StateChange.DECOMMISSION, false);
      say("Tablet server " + uuid + " is being emptied");
      return waitSeconds == 0 || isEmptied(calls, uuid) ? DONE : NOT_EMPTY;
    }

    private boolean isEmptied(ClusterCalls calls, String uuid) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
      long left = memberships(calls, uuid);
      while (left > 0 && System.nanoTime() - deadline < 0) {
        Pause.millis(POLL_MILLIS);
        left = memberships(calls, uuid);
      }
      say(
          left == 0
              ? "Tablet server " + uuid + " is empty and may be switched off"
              : left + " tablets still have a replica on " + uuid + "; see kudu cluster ksck");
      return left == 0;
    }

    /** How many tablets count the server among their members. */
    private static long memberships(ClusterCalls calls, String uuid) {
      return ClusterCalls.get(ClusterSurvey.tables(calls, name -> true)).stream()
          .flatMap(table -> table.tablets().stream())
          .filter(tablet -> tablet.placements().stream().anyMatch(p -> p.server().equals(uuid)))
          .count();
    }
  }

  /** Forgets a server. */
  @Command(
      name = "unregister",
      description = "Makes the master forget a tablet server that is gone for good.",
      footer = "  kudu tserver unregister 127.0.0.1:7051 UUID")
  public static final class Unregister extends OfServer {
    @Option(
        names = "--force_unregister_live_tserver",
        description = "Even if it still heartbeats; then it is back in a moment.")
    private boolean force;

    @Override
    int act(ClusterCalls calls, String uuid) {
      calls.master(
          "UnregisterTServer",
          UnregisterTServerRequestPB.newBuilder()
              .setUuid(uuid)
              .setForceUnregisterLiveTserver(force)
              .build(),
          UnregisterTServerResponsePB.parser());
      say("Tablet server " + uuid + " is forgotten");
      return DONE;
    }
  }
}
