package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.rebalance.Balance;
import dev.kudu4j.master.rebalance.Move;
import dev.kudu4j.master.rebalance.MovePlanner;
import dev.kudu4j.master.rebalance.Skew;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import dev.kudu4j.tools.console.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Rebalances replicas over the tablet servers, for clusters of Kudu4j and of Apache Kudu. */
@Command(
    name = "rebalance",
    description = {
      "Moves replicas until the replicas of each table, and of the cluster, are"
          + " evenly distributed over",
      "the tablet servers, and no location has a majority of a tablet. Masters of"
          + " this release rebalance",
      "gradually in the background; this verb rebalances now and reports the moves."
    },
    footer = {
      "  kudu cluster rebalance 127.0.0.1:7051 --report_only",
      "  kudu cluster rebalance --tables=people,'tpch.*' --max_moves_per_server=2",
      "  kudu cluster rebalance --ignored_tservers=UUID --move_replicas_from_ignored_tservers",
      "",
      "Exit code: 0 the cluster is balanced, or --report_only was given; 1 it is not balanced."
    })
final class RebalanceVerb extends ClusterVerb {
  private static final int NOT_EVEN = 1;
  private static final long POLL_MILLIS = 1_000;

  /**
   * Number of surveys without possible moves after which the verb ends if some tablets cannot be
   * moved. A tablet in an election can be moved a moment later; a broken tablet never can.
   */
  private static final int QUIET_SURVEYS = 5;

  @Parameters(
      paramLabel = "[MASTERS]",
      arity = "0..1",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--report_only",
      description = "Reports the moves that would be made, without making them.")
  private boolean reportOnly;

  @Option(
      names = "--tables",
      paramLabel = "NAMES",
      split = ",",
      description = "Only these tables; * matches any text.")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--ignored_tservers",
      paramLabel = "UUIDS",
      split = ",",
      description = "Servers that are not targets of moves and, by default, not sources either.")
  private List<String> ignored = new ArrayList<>();

  @Option(
      names = "--move_replicas_from_ignored_tservers",
      description = "Moves all replicas away from the ignored servers.")
  private boolean emptyIgnored;

  @Option(
      names = "--max_moves_per_server",
      paramLabel = "MOVES",
      defaultValue = "5",
      description =
          "Maximum number of moves from or to one server at a time; default" + " ${DEFAULT-VALUE}.")
  private int movesPerServer;

  @Option(
      names = "--max_run_time_sec",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Starts no moves after this time; 0, the default, for no limit.")
  private long maxRunSeconds;

  @Override
  public Integer call() {
    Target target = Target.of(arguments);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      BalanceSurvey survey = survey(calls, Set.of());
      if (survey.balance().locations().isEmpty()) {
        throw KuduException.serviceUnavailable("No tablet server of %s responds", target.masters());
      }
      List<Move> moves = plan(survey);
      report(survey, moves);
      return reportOnly ? DONE : execute(calls);
    }
  }

  private BalanceSurvey survey(ClusterCalls calls, Set<String> busy) {
    return BalanceSurvey.of(calls, Names.like(tables), Set.copyOf(ignored), emptyIgnored, busy);
  }

  private static List<Move> plan(BalanceSurvey survey) {
    return MovePlanner.plan(survey.balance(), Integer.MAX_VALUE);
  }

  private void report(BalanceSurvey survey, List<Move> moves) {
    Skew before = Skew.of(survey.balance());
    Skew after = Skew.of(survey.balance().after(moves));
    printServers(survey, before, after);
    printTables(survey, before, after);
    say(
        String.format(
            "Cluster: skew %d now, %d after %d moves; leader skew %d; %d tablets have too many"
                + " replicas in one location now, %d after",
            before.clusterSkew(),
            after.clusterSkew(),
            moves.size(),
            before.leaderSkew(),
            before.misplaced(),
            after.misplaced()));
    if (!moves.isEmpty()) {
      say("");
      printMoves(survey, moves);
    }
  }

  private void printServers(BalanceSurvey survey, Skew before, Skew after) {
    try (ListPrinter list =
        ListFormat.pretty.open(
            List.of(
                ListColumn.text("tablet server"),
                ListColumn.text("address"),
                ListColumn.text("location"),
                ListColumn.number("leaders"),
                ListColumn.number("replicas"),
                ListColumn.number("replicas after")),
            out())) {
      before
          .replicas()
          .forEach(
              (uuid, count) ->
                  list.row(
                      List.of(
                          uuid,
                          survey.servers().get(uuid).address(),
                          survey.servers().get(uuid).location(),
                          before.leaders().get(uuid),
                          count,
                          after.replicas().get(uuid))));
    }
    say("");
  }

  private void printTables(BalanceSurvey survey, Skew before, Skew after) {
    try (ListPrinter list =
        ListFormat.pretty.open(
            List.of(
                ListColumn.text("table"),
                ListColumn.number("skew"),
                ListColumn.number("skew after")),
            out())) {
      before
          .replicaSkewByTable()
          .forEach(
              (id, skew) ->
                  list.row(
                      List.of(
                          survey.tableNames().get(id), skew, after.replicaSkewByTable().get(id))));
    }
    say("");
  }

  private void printMoves(BalanceSurvey survey, List<Move> moves) {
    try (ListPrinter list =
        ListFormat.pretty.open(ListColumn.texts("tablet", "table", "from", "to", "for"), out())) {
      for (Move move : moves) {
        list.row(
            List.of(
                move.tablet(),
                survey.tableNames().get(move.table()),
                move.from(),
                move.to(),
                move.reason()));
      }
    }
  }

  private int execute(ClusterCalls calls) {
    ReplicaMoves moves = new ReplicaMoves(calls, movesPerServer);
    long start = System.nanoTime();
    int quietSurveys = 0;
    while (true) {
      BalanceSurvey survey = survey(calls, moves.tablets());
      moves.follow(survey);
      boolean late =
          maxRunSeconds > 0 && System.nanoTime() - start > TimeUnit.SECONDS.toNanos(maxRunSeconds);
      Balance expected = survey.balance().after(moves.movesInProgress());
      List<Move> planned = late ? List.of() : MovePlanner.plan(expected, Integer.MAX_VALUE);
      for (Move move : planned) {
        if (moves.hasRoom(move)) {
          moves.begin(move, survey);
        }
      }
      quietSurveys = moves.isIdle() && planned.isEmpty() ? quietSurveys + 1 : 0;
      boolean allMovable = expected.tablets().stream().allMatch(Balance.Placement::movable);
      if (quietSurveys > 0 && (allMovable || late || quietSurveys == QUIET_SURVEYS)) {
        return verdict(moves, late && !plan(survey).isEmpty());
      }
      Pause.millis(POLL_MILLIS);
    }
  }

  private int verdict(ReplicaMoves moves, boolean unfinished) {
    say(
        String.format(
            "%s: %d replicas moved, %d moves failed",
            unfinished ? "The time limit was reached" : "The cluster is balanced",
            moves.done(),
            moves.failed()));
    return unfinished ? NOT_EVEN : DONE;
  }
}
