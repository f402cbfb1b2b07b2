package dev.kudu4j.benchmarks.threads;

import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The results of a comparison, by operation, number of clients and model. */
public final class ThreadsReport {
  /** A point of the comparison. */
  record Point(String operation, int clients, String model) {}

  /** The sum of the rounds of a point. */
  private static final class Sum {
    final Histogram latencies = new Histogram(3);
    double nanos;
    double cpuNanos;

    double perSecond() {
      return latencies.getTotalCount() * 1e9 / nanos;
    }

    double micros(double percentile) {
      return latencies.getValueAtPercentile(percentile) / 1e3;
    }

    double cpuMicros() {
      return cpuNanos / 1e3 / latencies.getTotalCount();
    }
  }

  private final List<String> operations;
  private final List<Integer> clients;
  private final List<String> models;
  private final Map<Point, Sum> sums = new LinkedHashMap<>();

  ThreadsReport(List<String> operations, List<Integer> clients, List<String> models) {
    this.operations = List.copyOf(operations);
    this.clients = List.copyOf(clients);
    this.models = List.copyOf(models);
  }

  void add(Point point, ModelServer.Trial trial, long nanos) {
    Sum sum = sums.computeIfAbsent(point, absent -> new Sum());
    sum.latencies.add(trial.latencies());
    sum.nanos += nanos;
    sum.cpuNanos += trial.cpuNanos();
  }

  private Sum sum(String operation, int count, String model) {
    return sums.get(new Point(operation, count, model));
  }

  /** Adds the tables, the charts and the numbers. */
  public Report addTo(Report report) {
    List<Map<String, Object>> data = new ArrayList<>();
    for (String operation : operations) {
      report.table(table(operation));
      report.chart(chart(operation, "operations a second", Sum::perSecond));
      report.chart(chart(operation, "p99, µs", sum -> sum.micros(99)));
      report.chart(chart(operation, "processor time of the servers, µs", Sum::cpuMicros));
    }
    sums.forEach((point, sum) -> data.add(toMap(point, sum)));
    return report
        .note(
            "Ratios are to the first model. 'best' is the highest throughput of the other models at"
                + " the same point.")
        .data("points", data);
  }

  /** The median latency in µs of an operation with some clients under a model. */
  public double medianMicros(String operation, int count, String model) {
    return sum(operation, count, model).micros(50);
  }

  /** The processor time of the servers in µs of an operation. */
  public double cpuMicros(String operation, int count, String model) {
    return sum(operation, count, model).cpuMicros();
  }

  private Table table(String operation) {
    Table table =
        new Table(
            operation,
            2,
            List.of(
                "clients",
                "model",
                "ops/s",
                "ratio",
                "of the best",
                "p50, µs",
                "p99, µs",
                "server CPU, µs"));
    for (int count : clients) {
      double first = sum(operation, count, models.get(0)).perSecond();
      for (String model : models) {
        Sum sum = sum(operation, count, model);
        double best =
            models.stream()
                .filter(other -> !other.equals(model))
                .mapToDouble(other -> sum(operation, count, other).perSecond())
                .max()
                .orElse(Double.NaN);
        table.row(
            Integer.toString(count),
            model,
            String.format(Locale.ROOT, "%,.0f", sum.perSecond()),
            ratio(sum.perSecond() / first),
            ratio(sum.perSecond() / best),
            Table.number(sum.micros(50)),
            Table.number(sum.micros(99)),
            Table.number(sum.cpuMicros()));
      }
    }
    return table;
  }

  private static String ratio(double value) {
    return Double.isNaN(value) ? Table.ABSENT : String.format(Locale.ROOT, "%.2f", value);
  }

  private Chart chart(String operation, String unit, ToDoubleFunction<Sum> value) {
    Chart chart =
        new Chart(
            Chart.Kind.LINE,
            operation + ": " + unit,
            unit,
            "clients",
            clients.stream().map(String::valueOf).toList());
    for (String model : models) {
      chart.add(
          model,
          clients.stream()
              .mapToDouble(count -> value.applyAsDouble(sum(operation, count, model)))
              .toArray());
    }
    return chart;
  }

  private static Map<String, Object> toMap(Point point, Sum sum) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("call", point.operation());
    map.put("clients", point.clients());
    map.put("model", point.model());
    map.put("per_second", sum.perSecond());
    map.put("p50_micros", sum.micros(50));
    map.put("p99_micros", sum.micros(99));
    map.put("cpu_micros", sum.cpuMicros());
    return map;
  }
}
