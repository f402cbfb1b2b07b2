package dev.kudu4j.benchmarks.freshness;

import dev.kudu4j.benchmarks.freshness.FreshnessRun.Result;
import dev.kudu4j.benchmarks.freshness.FreshnessRun.Settings;
import dev.kudu4j.benchmarks.freshness.FreshnessRun.Slot;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Samples;
import dev.kudu4j.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The tables and charts of a {@link FreshnessRun}: medians over the rounds. */
final class FreshnessReport {
  private static final int STALE_SECONDS = 30;
  private static final int CHECKED_READS = 10_000;

  private final Settings settings;
  private final Result result;

  FreshnessReport(Settings settings, Result result) {
    this.settings = settings;
    this.result = result;
  }

  void addTo(Report report) {
    for (Query query : Query.values()) {
      report.table(table(query));
      report.chart(chart(query));
    }
    Goals goals = goals();
    report.table(goals.table());
    report.note(
        "%,d rows at the end. Server CPU is that of the threads that answer requests, without writes."
            .formatted(result.rows()));
    report.data("slots", slots()).data("goals", goals.numbers());
    report.data("reads", Map.of("checked", result.reads(), "too_old", result.tooOld()));
  }

  private Table table(Query query) {
    Table table =
        new Table(
            query.title(),
            1,
            List.of(
                "freshness (s)",
                "p50 (ms)",
                "p99 (ms)",
                "server CPU (ms)",
                "times less CPU than at 0 s"));
    for (int freshness : settings.freshness()) {
      table.row(
          String.valueOf(freshness),
          Table.number(median(query, freshness, slot -> millis(slot, 50))),
          Table.number(median(query, freshness, slot -> millis(slot, 99))),
          Table.number(median(query, freshness, FreshnessReport::cpuMillis)),
          Table.number(saving(query, freshness)));
    }
    return table;
  }

  private Chart chart(Query query) {
    List<Integer> freshness = settings.freshness();
    Chart chart =
        new Chart(
            Chart.Kind.LINE,
            query.title(),
            "ms",
            "freshness (s)",
            freshness.stream().map(String::valueOf).toList());
    chart.add("latency, p50", line(query, slot -> millis(slot, 50)));
    chart.add("latency, p99", line(query, slot -> millis(slot, 99)));
    return chart.add("server CPU", line(query, FreshnessReport::cpuMillis));
  }

  private double[] line(Query query, ToDoubleFunction<Slot> value) {
    return settings.freshness().stream()
        .mapToDouble(freshness -> median(query, freshness, value))
        .toArray();
  }

  private Goals goals() {
    Goals goals = new Goals();
    for (Query query : Query.values()) {
      goals.atLeast(
          query.title() + ": times less server CPU at 30 s than at 0 s",
          saving(query, STALE_SECONDS),
          query.goal());
    }
    goals.atLeast("reads whose age was checked", result.reads(), CHECKED_READS);
    goals.atMost("reads that were older than asked", result.tooOld(), 0);
    return goals;
  }

  private double median(Query query, int freshness, ToDoubleFunction<Slot> value) {
    double[] values =
        result.slots().stream()
            .filter(slot -> slot.query() == query && slot.freshness() == freshness)
            .mapToDouble(value)
            .toArray();
    return values.length == 0 ? Double.NaN : Samples.median(values);
  }

  /** How many times less server CPU than at freshness 0: the median of the rounds' quotients. */
  private double saving(Query query, int freshness) {
    List<Double> quotients = new ArrayList<>();
    for (int round = 1; round <= settings.rounds(); round++) {
      double current = cpu(query, 0, round);
      double stale = cpu(query, freshness, round);
      if (current > 0 && stale > 0) { // false for NaN
        quotients.add(current / stale);
      }
    }
    return quotients.isEmpty()
        ? Double.NaN
        : Samples.median(quotients.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private double cpu(Query query, int freshness, int round) {
    return result.slots().stream()
        .filter(slot -> slot.query() == query && slot.freshness() == freshness)
        .filter(slot -> slot.round() == round)
        .mapToDouble(Slot::cpuNanos)
        .findAny()
        .orElse(Double.NaN);
  }

  private static double millis(Slot slot, double percentile) {
    return slot.nanos().getValueAtPercentile(percentile) / 1e6;
  }

  private static double cpuMillis(Slot slot) {
    return slot.cpuNanos() / 1e6;
  }

  private List<Map<String, Object>> slots() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Slot slot : result.slots()) {
      Map<String, Object> numbers = new LinkedHashMap<>();
      numbers.put("query", slot.query().title());
      numbers.put("freshness_seconds", slot.freshness());
      numbers.put("round", slot.round());
      numbers.put("queries", slot.nanos().getTotalCount());
      numbers.put("p50_ms", millis(slot, 50));
      numbers.put("p99_ms", millis(slot, 99));
      if (!Double.isNaN(slot.cpuNanos())) {
        numbers.put("server_cpu_ms", cpuMillis(slot));
      }
      all.add(numbers);
    }
    return all;
  }
}
