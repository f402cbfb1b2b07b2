package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.selection.LoadedSides;
import dev.kudu4j.benchmarks.selection.Plan;
import dev.kudu4j.benchmarks.selection.PlanReader;
import dev.kudu4j.benchmarks.selection.SelectionQuery;
import dev.kudu4j.benchmarks.selection.SelectionReport;
import dev.kudu4j.benchmarks.selection.SelectionRun;
import dev.kudu4j.benchmarks.selection.TwinIndexes;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Rows by an indexed value of a table of many tablets: with a local index, all of them are asked;
 * with a global one, the tablets of the index.
 */
final class SpreadPart {
  private static final double TIMES_AS_FAST = 3;

  private final PointTable table;
  private final int tablets;
  private final int turnMillis;
  private final Consumer<String> progress;

  SpreadPart(PointTable table, int tablets, int turnMillis, Consumer<String> progress) {
    this.table = table;
    this.tablets = tablets;
    this.turnMillis = turnMillis;
    this.progress = progress;
  }

  @SuppressWarnings("try") // close() may be interrupted, which ends the process
  void run(RoundOptions rounds, ClusterSource source, Path directory, Report report, Goals goals)
      throws Exception {
    SelectionQuery query = table.equality(tablets);
    try (StatusClient rpc = new StatusClient();
        LoadedSides sides =
            new LoadedSides(
                table.rows(),
                new TwinIndexes(List.of(PointTable.NUMBER)),
                tablets,
                Map.of(Side.OURS, source),
                directory,
                rpc,
                progress)) {
      StartedServers.await(source, sides.ourCluster().masterAddresses());
      sides.load(List.of(query.variants().get(0).ranges().get(0)));
      Map<Plan, PlanReader> readers = new EnumMap<>(sides.readers());
      readers.keySet().retainAll(List.of(Plan.NONE, Plan.CHOSEN, Plan.CLUSTERING));
      SelectionRun run = new SelectionRun(readers, List.of(query), turnMillis, progress);
      SelectionReport selections =
          new SelectionReport(
              List.of(query), run, run.run(List.of(query), rounds), table.rows().rowCount());
      selections.addTo(report, "spread_");
      goals.atLeast(
          "INT32 = x, %d tablets: a global index, times as fast as a local one".formatted(tablets),
          selections.speed(Plan.CLUSTERING, Plan.CHOSEN, query),
          TIMES_AS_FAST);
    }
  }
}
