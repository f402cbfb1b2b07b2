package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Samples;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/**
 * Runs each query with each plan in turn. Within a turn a query runs several times; the median
 * counts.
 *
 * <pre>
 *   round 0, warm-up   Q1 chosen, Q1 no index, ..., Q1 Apache Kudu, Q2 chosen, ...
 *   round 1            Q1 Apache Kudu, ..., Q1 chosen, Q2 Apache Kudu, ...
 * </pre>
 */
public final class SelectionRun {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int MIN_RUNS = 2;

  private final Map<Plan, PlanReader> readers;
  private final int turnMillis;
  private final Consumer<String> progress;
  private final Measurements<Plan> measurements;
  private final Map<Selection, Answer> answers = new HashMap<>();

  /**
   * @param turnMillis the time for which a query runs in its turn, at least twice
   */
  public SelectionRun(
      Map<Plan, PlanReader> readers,
      List<SelectionQuery> queries,
      int turnMillis,
      Consumer<String> progress) {
    this.readers = readers;
    this.turnMillis = turnMillis;
    this.progress = progress;
    this.measurements =
        new Measurements<>(SelectionQuery.figures(queries), Arrays.asList(Plan.values()));
  }

  /**
   * @throws IllegalStateException if the answers of two plans differ
   */
  public Measurements<Plan> run(List<SelectionQuery> queries, RoundOptions rounds)
      throws Exception {
    for (int round = 0; round < rounds.warmUp() + rounds.measured(); round++) {
      for (SelectionQuery query : queries) {
        run(query, round, round < rounds.warmUp());
      }
    }
    return measurements;
  }

  private void run(SelectionQuery query, int round, boolean warmUp) throws Exception {
    StringBuilder line =
        new StringBuilder(
            "round %d%s, %s (ms):".formatted(round, warmUp ? ", warm-up" : "", query.title()));
    for (Plan plan : Turns.order(readers.keySet(), round)) {
      double median = turn(query, plan, round, warmUp);
      line.append(" %s %.3f,".formatted(plan.title(), median));
    }
    progress.accept(line.substring(0, line.length() - 1));
  }

  private double turn(SelectionQuery query, Plan plan, int round, boolean warmUp) throws Exception {
    PlanReader reader = readers.get(plan);
    List<Selection> variants = query.variants();
    DoubleStream.Builder millis = DoubleStream.builder();
    double cpuBefore = reader.cluster().cpuNanos();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(turnMillis);
    int runs = 0;
    while (runs < MIN_RUNS || System.nanoTime() < end) {
      Selection selection = variants.get((round + runs) % variants.size());
      long startNanos = System.nanoTime();
      Answer answer = reader.answer(selection);
      millis.add((System.nanoTime() - startNanos) / NANOS_PER_MILLI);
      check(selection, answer, plan);
      runs++;
    }
    double cpuMillis = (reader.cluster().cpuNanos() - cpuBefore) / NANOS_PER_MILLI / runs;
    double median = Samples.median(millis.build().toArray());
    if (!warmUp) {
      measurements.add(plan, query.time(), median);
      if (cpuMillis > 0) { // not if it is unknown, or less than a tick
        measurements.add(plan, query.cpu(), cpuMillis);
      }
    }
    return median;
  }

  private void check(Selection selection, Answer answer, Plan plan) {
    Answer first = answers.putIfAbsent(selection, answer);
    if (first != null && !first.equals(answer)) {
      throw new IllegalStateException(
          "%s: the plan '%s' found %s, another one %s"
              .formatted(selection, plan.title(), answer, first));
    }
  }

  /** The mean number of rows that a query found. */
  public double rows(SelectionQuery query) {
    return query.variants().stream()
        .filter(answers::containsKey)
        .mapToLong(selection -> answers.get(selection).rows())
        .average()
        .orElse(Double.NaN);
  }
}
