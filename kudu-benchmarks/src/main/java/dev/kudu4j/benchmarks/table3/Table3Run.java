package dev.kudu4j.benchmarks.table3;

import dev.kudu4j.benchmarks.baseline.Answers;
import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Samples;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.LineItemQuery;
import dev.kudu4j.benchmarks.workload.QueryTrial;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/**
 * Runs each query with each contender in turn. Within a turn a query runs several times, and the
 * median counts. Every answer is compared with the first one of the same query.
 */
final class Table3Run {
  /**
   * How often a query runs in a turn: at least so long, unless so many runs take less time.
   *
   * @param millis the minimum time in milliseconds
   */
  private record Turn(double millis, int maxRuns) {
    static final Turn MEASURED = new Turn(100, 100);

    /** A JVM compiles a short query's code only after thousands of runs. */
    static final Turn WARM_UP = new Turn(1000, 1000);
  }

  private static final double NANOS_PER_MILLI = 1e6;

  private record Answer(Contender contender, List<List<String>> rows) {}

  private final Map<Contender, QueryTrial> trials;
  private final KeySample keys;
  private final Table3Settings settings;
  private final Measurements<Contender> measurements;
  private final Consumer<String> progress;
  private final Map<LineItemQuery, Answer> answers = new EnumMap<>(LineItemQuery.class);

  /**
   * @param trials the loaded contenders
   * @param keys keys of rows, for look-ups
   * @param measurements receives the figures
   */
  Table3Run(
      Map<Contender, QueryTrial> trials,
      KeySample keys,
      Table3Settings settings,
      Measurements<Contender> measurements,
      Consumer<String> progress) {
    this.trials = trials;
    this.keys = keys;
    this.settings = settings;
    this.measurements = measurements;
    this.progress = progress;
  }

  /**
   * @throws IllegalStateException if answers differ
   */
  void run() throws Exception {
    for (int round = 0; round < settings.warmUpRounds() + settings.rounds(); round++) {
      boolean warmUp = round < settings.warmUpRounds();
      for (LineItemQuery query : LineItemQuery.values()) {
        runQuery(round, query, warmUp);
      }
      lookUp(round, warmUp);
    }
  }

  private void runQuery(int round, LineItemQuery query, boolean warmUp) throws Exception {
    StringBuilder line = line(round, query.title(), warmUp);
    for (Contender contender : Turns.order(trials.keySet(), round)) {
      double median =
          Samples.median(millis(contender, query, warmUp ? Turn.WARM_UP : Turn.MEASURED));
      line.append(" %s %.3f ms".formatted(contender.title(), median));
      if (!warmUp) {
        measurements.add(contender, Table3Figure.of(query), median);
      }
    }
    progress.accept(line.toString());
  }

  /**
   * Runs the query repeatedly and returns the time of each run in ms. Does at least {@code
   * settings.runs()} runs; a fast query is repeated until the turn's minimum time or its maximum
   * number of runs is reached.
   */
  private double[] millis(Contender contender, LineItemQuery query, Turn turn) throws Exception {
    DoubleStream.Builder millis = DoubleStream.builder();
    double total = 0;
    for (int i = 0; i < settings.runs() || (total < turn.millis && i < turn.maxRuns); i++) {
      long startNanos = System.nanoTime();
      List<List<String>> rows = trials.get(contender).answer(query);
      double taken = (System.nanoTime() - startNanos) / NANOS_PER_MILLI;
      check(query, new Answer(contender, rows));
      millis.add(taken);
      total += taken;
    }
    return millis.build().toArray();
  }

  private void check(LineItemQuery query, Answer answer) {
    Answer first = answers.putIfAbsent(query, answer);
    if (first != null && !Answers.areSame(answer.rows, first.rows)) {
      throw new IllegalStateException(
          "The answers to %s differ: %s has %s, %s has %s"
              .formatted(
                  query.title(),
                  first.contender.title(),
                  first.rows,
                  answer.contender.title(),
                  answer.rows));
    }
  }

  private void lookUp(int round, boolean warmUp) throws Exception {
    StringBuilder line = line(round, "row by key, p50", warmUp);
    for (Contender contender : Turns.order(trials.keySet(), round)) {
      long[] nanos = trials.get(contender).lookUp(keys);
      double median = Samples.percentile(nanos, 50) / NANOS_PER_MILLI;
      line.append(" %s %.3f ms".formatted(contender.title(), median));
      if (!warmUp) {
        measurements.add(contender, Table3Figure.LOOK_UP_P50, median);
        measurements.add(
            contender, Table3Figure.LOOK_UP_P99, Samples.percentile(nanos, 99) / NANOS_PER_MILLI);
      }
    }
    progress.accept(line.toString());
  }

  private static StringBuilder line(int round, String title, boolean warmUp) {
    return new StringBuilder("round " + round + (warmUp ? ", warm-up" : "") + ", " + title + ":");
  }
}
