package dev.kudu4j.spark.procedure;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduRebalancing;
import dev.kudu4j.client.ReplicaMove;
import dev.kudu4j.spark.client.Connection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code rebalance(max_moves_per_server, report_only, max_run_time_sec)}: moves replicas until they
 * are evenly distributed over the tablet servers, and waits until the moves have ended. One row for
 * each move. The log of the driver shows the progress.
 */
final class Rebalance extends DriverProcedure {
  private static final Logger LOG = LoggerFactory.getLogger(Rebalance.class);
  private static final String MAX_MOVES = "max_moves_per_server";
  private static final String REPORT_ONLY = "report_only";
  private static final String MAX_RUN_TIME = "max_run_time_sec";
  private static final int MAX_MOVES_INDEX = 0;
  private static final int REPORT_ONLY_INDEX = 1;
  private static final int MAX_RUN_TIME_INDEX = 2;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final Connection connection;

  Rebalance(Connection connection) {
    this.connection = connection;
  }

  @Override
  public String name() {
    return "rebalance";
  }

  @Override
  public String description() {
    return "Moves replicas now, until they are evenly distributed over the tablet servers";
  }

  @Override
  List<ProcedureParameter> parameterList() {
    return List.of(
        ProcedureParameter.in(MAX_MOVES, DataTypes.IntegerType)
            .defaultValue("5")
            .comment("maximum number of moves from or to one server at a time")
            .build(),
        ProcedureParameter.in(REPORT_ONLY, DataTypes.BooleanType)
            .defaultValue("false")
            .comment("whether to return the moves that would be made, without making them")
            .build(),
        ProcedureParameter.in(MAX_RUN_TIME, DataTypes.LongType)
            .defaultValue("0")
            .comment("seconds after which no move begins and the call returns; 0 for no limit")
            .build());
  }

  @Override
  StructType resultColumns() {
    return new StructType()
        .add("tablet", DataTypes.StringType, false)
        .add("table", DataTypes.StringType, false)
        .add("from", DataTypes.StringType, false)
        .add("to", DataTypes.StringType, false)
        .add("reason", DataTypes.StringType, false)
        .add("state", DataTypes.StringType, false);
  }

  @Override
  List<InternalRow> run(InternalRow arguments) throws KuduException {
    requireValue(arguments, MAX_MOVES_INDEX, MAX_MOVES);
    requireValue(arguments, REPORT_ONLY_INDEX, REPORT_ONLY);
    requireValue(arguments, MAX_RUN_TIME_INDEX, MAX_RUN_TIME);
    long maxRunSeconds = arguments.getLong(MAX_RUN_TIME_INDEX);
    if (maxRunSeconds < 0) {
      throw new IllegalArgumentException(MAX_RUN_TIME + " must not be negative: " + maxRunSeconds);
    }
    KuduRebalancing rebalancing = connection.client().rebalance(arguments.getInt(MAX_MOVES_INDEX));
    if (arguments.getBoolean(REPORT_ONLY_INDEX)) {
      return rows(rebalancing.plan());
    }
    execute(rebalancing, maxRunSeconds == 0 ? Long.MAX_VALUE : maxRunSeconds);
    return rows(rebalancing.moves());
  }

  private static void execute(KuduRebalancing rebalancing, long maxRunSeconds)
      throws KuduException {
    PollPause pause = new PollPause("moves of replicas", LONGEST_PAUSE_MILLIS);
    long startNanos = System.nanoTime();
    String logged = "";
    while (!rebalancing.poll()) {
      String progress = progress(rebalancing);
      if (!progress.equals(logged)) {
        LOG.info("Rebalancing: {}", progress);
        logged = progress;
      }
      pause.await();
      if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos) >= maxRunSeconds) {
        LOG.warn(
            "Rebalancing ended by {}={}: {}; the servers complete the moves in progress",
            MAX_RUN_TIME,
            maxRunSeconds,
            progress);
        return;
      }
    }
    LOG.info("Rebalanced: {}", progress(rebalancing));
  }

  private static String progress(KuduRebalancing rebalancing) {
    List<ReplicaMove> moves = rebalancing.moves();
    long inProgress =
        moves.stream().filter(move -> move.state() == ReplicaMove.State.IN_PROGRESS).count();
    return String.format(
        Locale.ROOT,
        "%d moves ended, %d in progress, %d planned; %d tablets cannot be moved; skew of replicas"
            + " %d, of leaders %d",
        moves.size() - inProgress,
        inProgress,
        rebalancing.plannedMoves(),
        rebalancing.unmovableTablets(),
        rebalancing.replicaSkew(),
        rebalancing.leaderSkew());
  }

  private static List<InternalRow> rows(List<ReplicaMove> moves) {
    return moves.stream()
        .map(
            move ->
                row(
                    move.tabletId(),
                    move.tableName(),
                    move.from(),
                    move.to(),
                    words(move.reason()),
                    words(move.state())))
        .toList();
  }

  private static String words(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
