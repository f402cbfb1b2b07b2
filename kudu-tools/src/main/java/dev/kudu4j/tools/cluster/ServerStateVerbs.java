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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs that start and end maintenance mode of a tablet server. */
@Command(
    name = "state",
    description = "Starts or ends maintenance mode of a tablet server.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {ServerStateVerbs.EnterMaintenance.class, ServerStateVerbs.ExitMaintenance.class})
public final class ServerStateVerbs {
  private static final String CHANGE = "ChangeTServerState";

  /** Base class of verbs for one tablet server. */
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

  /** Starts or ends maintenance mode, possibly of a server that has not registered yet. */
  abstract static class Maintenance extends OfServer {
    @Option(
        names = "--allow_missing_tserver",
        description = "Accept a server that has not registered yet.")
    private boolean allowMissing;

    abstract StateChange change();

    /** The resulting state of the server. */
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
        "The master does not replace the replicas of the server while it is"
            + " unavailable, and places no new",
        "replicas on it. Its replicas stay and serve requests."
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
      description =
          "Ends maintenance mode: the master replaces replicas that the server has" + " lost.",
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

  /** Decommissions a server. */
  @Command(
      name = "decommission",
      description = {
        "Moves all replicas of the server to other servers, while it still serves"
            + " requests, and waits until",
        "none is left. Then it may be switched off. Apache Kudu's masters do not"
            + " support this; see kudu cluster",
        "rebalance --move_replicas_from_ignored_tservers."
      },
      footer = {
        "  kudu tserver decommission 127.0.0.1:7051 UUID",
        "  kudu tserver decommission UUID --cancel",
        "",
        "Exit code: 0 the server is empty; 1 it was not empty after --wait_sec."
      })
  public static final class Decommission extends OfServer {
    private static final int NOT_EMPTY = 1;
    private static final long POLL_MILLIS = 1_000;

    @Option(names = "--cancel", description = "Cancels the decommissioning.")
    private boolean cancel;

    @Option(
        names = "--wait_sec",
        paramLabel = "SECONDS",
        defaultValue = "3600",
        description = "Maximum time to wait; 0 to return immediately. Default ${DEFAULT-VALUE}.")
    private long waitSeconds;

    @Override
    int act(ClusterCalls calls, String uuid) {
      if (cancel) {
        change(calls, uuid, StateChange.RECOMMISSION, false);
        say("Tablet server " + uuid + " is not decommissioned anymore");
        return DONE;
      }
      change(calls, uuid, StateChange.DECOMMISSION, false);
      say("Tablet server " + uuid + " is being decommissioned");
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

    /** The number of tablets with the server among their members. */
    private static long memberships(ClusterCalls calls, String uuid) {
      return ClusterCalls.get(ClusterSurvey.tables(calls, name -> true)).stream()
          .flatMap(table -> table.tablets().stream())
          .filter(tablet -> tablet.placements().stream().anyMatch(p -> p.server().equals(uuid)))
          .count();
    }
  }

  /** Unregisters a server. */
  @Command(
      name = "unregister",
      description = "Unregisters a tablet server that was removed permanently.",
      footer = "  kudu tserver unregister 127.0.0.1:7051 UUID")
  public static final class Unregister extends OfServer {
    @Option(
        names = "--force_unregister_live_tserver",
        description =
            "Unregister a server that still sends heartbeats; it then registers again"
                + " immediately.")
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
      say("Tablet server " + uuid + " was unregistered");
      return DONE;
    }
  }
}
