package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.index.InsertFigure.Measure;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.report.Measurements;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Inserts the rows of each work into a new table with each kind of indexes in turn. */
final class InsertRun {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MEGABYTE = 1e6;

  private final TargetCluster cluster;
  private final List<Indexing> kinds;
  private final Measurements<Indexing> measurements;
  private final Consumer<String> progress;
  private int tables;

  /**
   * @param kinds the kinds of indexes, among them none
   * @param measurements receives the figures
   */
  InsertRun(
      TargetCluster cluster,
      List<Indexing> kinds,
      Measurements<Indexing> measurements,
      Consumer<String> progress) {
    this.cluster = cluster;
    this.kinds = kinds;
    this.measurements = measurements;
    this.progress = progress;
  }

  /** Inserts as fast as the clients can. */
  void saturated(List<InsertWork> works, RoundOptions rounds) throws Exception {
    for (int round = 0; round < rounds.warmUp() + rounds.measured(); round++) {
      for (InsertWork work : works) {
        for (Indexing indexing : Turns.order(kinds, round)) {
          saturate(work, indexing, round, round < rounds.warmUp());
        }
      }
    }
  }

  /** Inserts at half of the rate that tables without index had. */
  void atHalfOfTheRate(List<InsertWork> works, RoundOptions rounds) throws Exception {
    for (int round = 0; round < rounds.measured(); round++) {
      for (InsertWork work : works) {
        if (work.isSingle()) {
          double seconds = measurements.median(Indexing.NONE, figure(work, Measure.ANSWERED));
          for (Indexing indexing : Turns.order(kinds, round)) {
            atRate(work, indexing, work.rows() / seconds / 2, round);
          }
        }
      }
    }
  }

  private void saturate(InsertWork work, Indexing indexing, int round, boolean warmUp)
      throws Exception {
    create(work, indexing);
    double bytesBefore = cluster.dataBytes();
    double cpuBefore = cluster.cpuNanos();
    long startNanos = System.nanoTime();
    Histogram latencies = work.insert(Double.POSITIVE_INFINITY);
    double answered = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    work.awaitIndexes();
    double indexed = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    cluster.flush();
    double flushed = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    cluster.awaitIdle();
    double cpu = (cluster.cpuNanos() - cpuBefore) / NANOS_PER_SECOND;
    double bytes = (cluster.dataBytes() - bytesBefore) / MEGABYTE;
    progress.accept(
        "round %d%s, %s, %s: %.2f s, %.2f s until indexed, %.2f s until flushed, %.2f s of servers"
            .formatted(
                round,
                warmUp ? ", warm-up" : "",
                work.title(),
                indexing.title(),
                answered,
                indexed,
                flushed,
                cpu));
    work.drop();
    if (!warmUp) {
      add(work, indexing, Measure.ANSWERED, answered);
      add(work, indexing, Measure.INDEXED, indexing.isGlobal() ? indexed : Double.NaN);
      add(work, indexing, Measure.FLUSHED, flushed);
      add(work, indexing, Measure.CPU, cpu);
      add(work, indexing, Measure.BYTES, bytes);
      add(work, indexing, latencies, Measure.P50, Measure.P99);
    }
  }

  private void atRate(InsertWork work, Indexing indexing, double perSecond, int round)
      throws Exception {
    create(work, indexing);
    Histogram latencies = work.insert(perSecond);
    progress.accept(
        "round %d, %s at %.0f a second, %s: p50 %.2f ms"
            .formatted(round, work.title(), perSecond, indexing.title(), millis(latencies, 50)));
    work.drop();
    add(work, indexing, latencies, Measure.HALF_P50, Measure.HALF_P99);
  }

  private void create(InsertWork work, Indexing indexing) throws Exception {
    String table = work.title().replace(' ', '_') + "_" + indexing + "_" + tables++;
    work.create(table.toLowerCase(Locale.ROOT), indexing);
    cluster.awaitIdle();
  }

  private static double millis(Histogram latencies, double percentile) {
    return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }

  private static InsertFigure figure(InsertWork work, Measure measure) {
    return new InsertFigure(work.title(), measure);
  }

  private void add(
      InsertWork work, Indexing indexing, Histogram latencies, Measure p50, Measure p99) {
    if (latencies.getTotalCount() > 0) {
      add(work, indexing, p50, millis(latencies, 50));
      add(work, indexing, p99, millis(latencies, 99));
    }
  }

  private void add(InsertWork work, Indexing indexing, Measure measure, double value) {
    if (!Double.isNaN(value)) {
      measurements.add(indexing, figure(work, measure), value);
    }
  }
}
