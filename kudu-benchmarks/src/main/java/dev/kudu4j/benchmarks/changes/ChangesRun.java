package dev.kudu4j.benchmarks.changes;

import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Samples;
import dev.kudu4j.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Loads the table into each format, and changes it in turn:
 *
 * <pre>
 *   round 0, warm-up   INSERT Kudu4j, INSERT Delta Lake, UPDATE Kudu4j, UPDATE Delta Lake, ...
 *   round 1            INSERT Delta Lake, INSERT Kudu4j, ...
 * </pre>
 *
 * <p>Each round changes other rows, and at its end the tables must be equal.
 */
final class ChangesRun {
  /**
   * What was measured.
   *
   * @param sourceSeconds the median time to read the source of INSERT and drop its rows
   */
  record Result(Measurements<TableFormat> measurements, double sourceSeconds) {}

  private final WorkerProcess spark;
  private final TargetCluster cluster;
  private final Consumer<String> progress;
  private final Measurements<TableFormat> measurements =
      new Measurements<>(List.of(Change.values()), List.of(TableFormat.values()));

  private final List<Double> sourceSeconds = new ArrayList<>();

  ChangesRun(WorkerProcess spark, TargetCluster cluster, Consumer<String> progress) {
    this.spark = spark;
    this.cluster = cluster;
    this.progress = progress;
  }

  /**
   * @throws IOException if a statement fails, or if the tables differ
   */
  Result run(RoundOptions rounds) throws IOException {
    load();
    for (int round = 0; round < rounds.warmUp() + rounds.measured(); round++) {
      cluster.awaitIdle();
      order(ChangesOrder.PREPARE, round);
      for (Change change : Change.values()) {
        change(change, round, round < rounds.warmUp());
      }
      double source = seconds(order(ChangesOrder.READ_SOURCE, round));
      if (round >= rounds.warmUp()) {
        sourceSeconds.add(source);
      }
      double rows = order(ChangesOrder.COMPARE).get(ChangesOrder.ROWS);
      progress.accept("round %d: all tables have the same %.0f rows".formatted(round, rows));
    }
    double source =
        Samples.median(sourceSeconds.stream().mapToDouble(Double::doubleValue).toArray());
    return new Result(measurements, source);
  }

  private void load() throws IOException {
    progress.accept("generated in %.1f s".formatted(seconds(order(ChangesOrder.GENERATE))));
    for (TableFormat format : TableFormat.values()) {
      progress.accept(
          "loaded into %s in %.1f s"
              .formatted(format.title(), seconds(order(ChangesOrder.LOAD, format))));
    }
    cluster.flush();
  }

  private void change(Change change, int round, boolean warmUp) throws IOException {
    StringBuilder line = new StringBuilder("round " + round + (warmUp ? ", warm-up, " : ", "));
    line.append(change).append(':');
    for (TableFormat format : Turns.order(List.of(TableFormat.values()), round)) {
      double seconds = seconds(order(ChangesOrder.RUN, format, change, round));
      line.append(" %s %.3f s".formatted(format.title(), seconds));
      if (!warmUp) {
        measurements.add(format, change, seconds);
      }
    }
    progress.accept(line.toString());
  }

  private Map<String, Double> order(ChangesOrder order, Object... arguments) throws IOException {
    StringBuilder line = new StringBuilder(order.name());
    for (Object argument : arguments) {
      line.append(' ').append(argument);
    }
    return spark.order(line.toString());
  }

  private static double seconds(Map<String, Double> answer) {
    return answer.get(ChangesOrder.SECONDS);
  }
}
