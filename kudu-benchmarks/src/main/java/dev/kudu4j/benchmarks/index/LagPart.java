package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.index.LagTable.Batch;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * How far global indexes are behind a writer, and how long a read of the latest rows takes by them.
 *
 * <p>The lag is the time from the acknowledgement of a batch until the index has it, without a
 * reader who waits: such a reader hastens the index, so its reads are measured in a separate run.
 */
final class LagPart {
  private static final int RATE_OF_GOAL = 50_000;
  private static final double LEAST_OF_RATE = 0.9;
  private static final double MOST_LAG_MILLIS = 500;
  private static final double MOST_READ_MILLIS = 5;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long READ_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MOST_SECONDS = 60;

  private final List<Indexing> kinds;
  private final List<Integer> rates;
  private final double seconds;
  private final int warmUps;
  private final Consumer<String> progress;

  /**
   * @param rates rows a second
   * @param seconds duration of each run
   * @param warmUps number of runs at the highest rate that are not counted
   */
  LagPart(
      Set<Indexing> kinds,
      List<Integer> rates,
      double seconds,
      int warmUps,
      Consumer<String> progress) {
    this.kinds = kinds.stream().filter(Indexing::isGlobal).toList();
    this.rates = rates;
    this.seconds = seconds;
    this.warmUps = warmUps;
    this.progress = progress;
  }

  /**
   * The result of a run.
   *
   * @param written rows a second
   * @param nanos the lag of some batches, or the times of the reads
   * @param others number of reads that read the table instead of its index
   */
  private record Run(double written, Histogram nanos, long others) {
    double millis(double percentile) {
      return nanos.getTotalCount() == 0 ? Double.NaN : nanos.getValueAtPercentile(percentile) / 1e6;
    }
  }

  private record Point(Indexing kind, int rate, Run lag, Run reads) {}

  /** What the reader does once while rows are written; whether an index was read. */
  private interface Step {
    boolean run(LagTable table, Histogram nanos) throws Exception;
  }

  void run(ClusterSource source, int replicas, Path directory, Report report, Goals goals)
      throws Exception {
    List<Point> points = new ArrayList<>();
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source.open(directory, rpc)) {
      StartedServers.await(source, cluster.masterAddresses());
      for (Indexing kind : kinds) {
        try (LagTable table = new LagTable(cluster.masterAddresses(), kind, replicas)) {
          for (int i = 0; i < warmUps; i++) {
            point(table, kind, Collections.max(rates));
          }
          for (int rate : rates) {
            points.add(point(table, kind, rate));
          }
        }
      }
    }
    addTo(report, points);
    addGoals(goals, points);
  }

  private Point point(LagTable table, Indexing kind, int rate) throws Exception {
    Run lag = run(table, rate, LagPart::awaitIndexed);
    Run reads = run(table, rate, LagPart::read);
    progress.accept(
        String.format(
            Locale.ROOT,
            "%s, %,d rows/s: lag p50 %.1f, p99 %.1f ms; reads p50 %.1f, p99 %.1f ms",
            kind.title(),
            rate,
            lag.millis(50),
            lag.millis(99),
            reads.millis(50),
            reads.millis(99)));
    return new Point(kind, rate, lag, reads);
  }

  private Run run(LagTable table, int rate, Step step) throws Exception {
    Histogram nanos = new Histogram(3);
    long others = 0;
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<Double> written = writer.submit(() -> table.insert(rate));
      table.next();
      long end = System.nanoTime() + (long) (seconds * 1e9);
      while (System.nanoTime() - end < 0 && !written.isDone()) {
        others += step.run(table, nanos) ? 0 : 1;
      }
      table.stop();
      return new Run(written.get(MOST_SECONDS, TimeUnit.SECONDS), nanos, others);
    } finally {
      table.stop();
      writer.shutdownNow();
    }
  }

  private static boolean awaitIndexed(LagTable table, Histogram nanos) throws Exception {
    Batch batch = table.next();
    long startNanos = batch.acknowledgedNanos();
    while (!table.isIndexed(batch)) {
      if (startNanos - batch.acknowledgedNanos() > TimeUnit.SECONDS.toNanos(MOST_SECONDS)) {
        throw new IllegalStateException("The index does not get " + batch);
      }
      LockSupport.parkNanos(POLL_NANOS);
      startNanos = System.nanoTime();
    }
    nanos.recordValue(startNanos - batch.acknowledgedNanos());
    return true;
  }

  private static boolean read(LagTable table, Histogram nanos) throws Exception {
    Batch batch = table.last();
    long startNanos = System.nanoTime();
    boolean isIndexed = table.read(batch);
    nanos.recordValue(System.nanoTime() - startNanos);
    LockSupport.parkNanos(READ_PAUSE_NANOS);
    return isIndexed;
  }

  private void addTo(Report report, List<Point> points) {
    Table table =
        new Table(
            "Lag of an index, and reads of the latest rows by it",
            1,
            List.of(
                "index",
                "rows/s",
                "written",
                "lag, p50 (ms)",
                "p99",
                "longest",
                "written",
                "read, p50 (ms)",
                "p99",
                "longest",
                "reads",
                "of the table"));
    for (Point point : points) {
      table.row(
          point.kind.title(),
          count(point.rate),
          Table.number(point.lag.written),
          Table.number(point.lag.millis(50)),
          Table.number(point.lag.millis(99)),
          Table.number(point.lag.millis(100)),
          Table.number(point.reads.written),
          Table.number(point.reads.millis(50)),
          Table.number(point.reads.millis(99)),
          Table.number(point.reads.millis(100)),
          count(point.reads.nanos.getTotalCount()),
          count(point.reads.others));
    }
    report.table(table);
    report.chart(chart("Lag of an index", points, Point::lag));
    report.chart(chart("Reads of the latest rows by an index", points, Point::reads));
    report.data("lag", points.stream().map(LagPart::numbers).toList());
  }

  private Chart chart(String title, List<Point> points, Function<Point, Run> run) {
    Chart chart =
        new Chart(
            Chart.Kind.LINE, title, "ms", "rows/s", rates.stream().map(LagPart::count).toList());
    for (Indexing kind : kinds) {
      for (int percentile : List.of(50, 99)) {
        chart.add(
            kind.title() + ", p" + percentile,
            points.stream()
                .filter(point -> point.kind == kind)
                .mapToDouble(point -> run.apply(point).millis(percentile))
                .toArray());
      }
    }
    return chart;
  }

  private static Map<String, Object> numbers(Point point) {
    return Map.of(
        "index", point.kind.title(),
        "rows_per_second", point.rate,
        "written_per_second", point.lag.written,
        "lag_p50_ms", point.lag.millis(50),
        "lag_p99_ms", point.lag.millis(99),
        "read_p50_ms", point.reads.millis(50),
        "read_p99_ms", point.reads.millis(99),
        "reads", point.reads.nanos.getTotalCount(),
        "reads_of_the_table", point.reads.others);
  }

  private static void addGoals(Goals goals, List<Point> points) {
    for (Point point : points) {
      String end = ", %s, %s rows/s".formatted(point.kind.title(), count(point.rate));
      if (point.rate == RATE_OF_GOAL) {
        addGoal(goals, "lag of an index, p99 (ms)" + end, point.lag, point, 99, MOST_LAG_MILLIS);
      }
      String title = "read of the latest rows, p50 (ms)" + end;
      addGoal(goals, title, point.reads, point, 50, MOST_READ_MILLIS);
    }
  }

  /** A run whose writer was too slow does not say what happens at the rate. */
  private static void addGoal(
      Goals goals, String title, Run run, Point point, double percentile, double most) {
    boolean isAtRate = run.written >= LEAST_OF_RATE * point.rate;
    goals.atMost(title, isAtRate ? run.millis(percentile) : Double.NaN, most);
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
