package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * The measurements of one method of a benchmark class. All methods of a class do the same work.
 *
 * @param contest name of the benchmark class, without "Benchmark"
 * @param parameters parameters of the work; empty if it has none
 * @param entrant name of the method
 * @param nanosPerOperation time for a unit of work, such as a row, a value or a look-up
 * @param allocatedBytesPerOperation heap memory allocated for a unit of work
 * @param offHeapBytesPerOperation off-heap bytes per row of the structure that the method builds;
 *     NaN if not reported
 * @param speed speed divided by that of the baseline; 1 for the baseline itself
 */
public record PartResult(
    String contest,
    String parameters,
    String entrant,
    double nanosPerOperation,
    double allocatedBytesPerOperation,
    double offHeapBytesPerOperation,
    double speed) {
  private static final String BASELINE = "baseline";

  /**
   * Converts results of JMH. The speed is relative to the baseline method of the same class, with
   * the same parameters.
   */
  static List<PartResult> of(Collection<RunResult> results) {
    Map<String, Double> baselines = new LinkedHashMap<>();
    for (RunResult result : results) {
      if (method(result).startsWith(BASELINE)) {
        baselines.put(work(result) + parameters(result), nanos(result));
      }
    }
    List<PartResult> parts = new ArrayList<>();
    for (RunResult result : results) {
      double baseline = baselines.getOrDefault(work(result) + parameters(result), Double.NaN);
      parts.add(
          new PartResult(
              work(result),
              parameters(result),
              method(result),
              nanos(result),
              secondary(result, "gc.alloc.rate.norm"),
              offHeapBytesPerRow(result),
              baseline / nanos(result)));
    }
    return parts;
  }

  private static String method(RunResult result) {
    String name = result.getParams().getBenchmark();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static String work(RunResult result) {
    String name = result.getParams().getBenchmark();
    String type = name.substring(0, name.lastIndexOf('.'));
    return type.substring(type.lastIndexOf('.') + 1).replace("Benchmark", "");
  }

  private static String parameters(RunResult result) {
    BenchmarkParams params = result.getParams();
    List<String> words = new ArrayList<>();
    for (String key : params.getParamsKeys()) {
      words.add(key + "=" + params.getParam(key));
    }
    return String.join(" ", words);
  }

  private static double nanos(RunResult result) {
    return result.getPrimaryResult().getScore();
  }

  /**
   * The off-heap bytes per row. JMH adds up a counter of events over the iterations, so the sum is
   * divided by the number of iterations.
   */
  private static double offHeapBytesPerRow(RunResult result) {
    return secondary(result, "bytesPerRow") / result.getParams().getMeasurement().getCount();
  }

  @SuppressWarnings("rawtypes") // JMH returns a map of raw results
  private static double secondary(RunResult result, String name) {
    for (Map.Entry<String, Result> entry : result.getSecondaryResults().entrySet()) {
      if (entry.getKey().endsWith(name)) {
        return entry.getValue().getScore();
      }
    }
    return Double.NaN;
  }

  static Table table(List<PartResult> results) {
    Table table =
        new Table(
            "",
            3,
            List.of("work", "with", "way", "ns", "heap bytes", "bytes held", "times as fast"));
    for (PartResult result : results) {
      table.row(
          result.contest,
          result.parameters,
          result.entrant,
          Table.number(result.nanosPerOperation),
          Table.number(result.allocatedBytesPerOperation),
          Table.number(result.offHeapBytesPerOperation),
          Table.number(result.speed));
    }
    return table;
  }
}
