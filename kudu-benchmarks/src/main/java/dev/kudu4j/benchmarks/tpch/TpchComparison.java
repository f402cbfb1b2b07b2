package dev.kudu4j.benchmarks.tpch;

import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs each query on both kinds of tables in turn:
 *
 * <pre>
 *   round 0, warm-up   Q1 Kudu4j, Q1 Parquet, Q2 Kudu4j, Q2 Parquet, ...
 *   round 1            Q1 Parquet, Q1 Kudu4j, Q2 Parquet, Q2 Kudu4j, ...
 * </pre>
 */
final class TpchComparison {
  private final WorkerProcess spark;
  private final TargetCluster cluster;
  private final TpchSettings settings;
  private final Consumer<String> progress;
  private final Measurements<Storage> measurements;

  /**
   * @param spark the process with the loaded tables
   * @param measurements receives the figures
   */
  TpchComparison(
      WorkerProcess spark,
      TargetCluster cluster,
      TpchSettings settings,
      Measurements<Storage> measurements,
      Consumer<String> progress) {
    this.spark = spark;
    this.cluster = cluster;
    this.settings = settings;
    this.progress = progress;
    this.measurements = measurements;
  }

  /**
   * @throws IOException if a query fails, or if its answers differ
   */
  void run() throws IOException {
    for (int round = 0; round < settings.warmUpRounds() + settings.rounds(); round++) {
      cluster.awaitIdle();
      for (int query : settings.queries()) {
        runQuery(round, query);
      }
    }
  }

  private void runQuery(int round, int query) throws IOException {
    boolean warmUp = round < settings.warmUpRounds();
    StringBuilder line = new StringBuilder("round " + round + (warmUp ? ", warm-up" : ""));
    line.append(", Q").append(query).append(':');
    for (Storage storage : Turns.order(List.of(Storage.values()), round)) {
      double seconds = spark.order(Order.RUN + " " + storage + " " + query).get(Order.SECONDS);
      line.append(" %s %.3f s".formatted(storage.title(), seconds));
      if (!warmUp) {
        measurements.add(storage, TpchFigure.ofQuery(query), seconds);
      }
    }
    progress.accept(line.toString());
  }
}
