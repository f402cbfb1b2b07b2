package dev.kudu4j.benchmarks.lag;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench lag}: the time until a follower shows an acknowledged row. */
@Command(
    name = "lag",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts three tablet servers, inserts rows one by one into a table with one"
          + " tablet, and after each response scans a follower in READ_LATEST mode until"
          + " it returns the row.",
      "Then does the same with the published Apache Kudu. Both are measured with"
          + " Kudu4j's client.",
      "Prints the number of first scans that missed the row, and percentiles of the"
          + " time from the response of the write to the start of the scan that found it."
    })
public final class LagCommand implements Callable<Integer> {
  private static final int TABLET_SERVERS = 3;
  private static final String MEMORY_LIMIT = "--memory_limit_hard_bytes=" + (1L << 30);

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(names = "--writes", defaultValue = "3000", description = "Number of measured rows.")
  private int writes;

  @Option(names = "--warm-up", defaultValue = "3000", description = "Number of warm-up rows.")
  private int warmUp;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          output.progress("Apache Kudu");
          FollowerLag published = measure(home.published(), directory.resolve("published"));
          output.progress("Kudu4j");
          FollowerLag ours = measure(home.ours(), directory.resolve("ours"));
          output.publish(report(machine, ours, published));
          return 0;
        });
  }

  private FollowerLag measure(Distribution distribution, Path directory) throws Exception {
    ClusterSource source =
        new ClusterSource.Started(distribution, TABLET_SERVERS, List.of(MEMORY_LIMIT));
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source.open(directory, rpc);
        LagTrial trial = new LagTrial(cluster.masterAddresses(), TABLET_SERVERS)) {
      output.progress("warming up");
      trial.run(warmUp);
      output.progress("measuring");
      return trial.run(writes);
    }
  }

  private Report report(Machine machine, FollowerLag ours, FollowerLag published) {
    Table table =
        new Table(
            "", 1, List.of("row of an acknowledged write, at a follower", "Kudu4j", "Apache Kudu"));
    Map<String, Object> numbers = new LinkedHashMap<>();
    table.row(
        String.format(Locale.ROOT, "missed by the first scan, of %,d", writes),
        Table.number(ours.missed()),
        Table.number(published.missed()));
    numbers.put("missed", Map.of("ours", ours.missed(), "published", published.missed()));
    for (double percentile : List.of(50.0, 99.0, 100.0)) {
      String name = percentile == 100 ? "longest" : "p%.0f".formatted(percentile);
      table.row(
          "lag, " + name + " (µs)",
          Table.number(ours.micros(percentile)),
          Table.number(published.micros(percentile)));
      numbers.put(
          "lag_" + name + "_us",
          Map.of("ours", ours.micros(percentile), "published", published.micros(percentile)));
    }
    return new Report("Follower lag", machine, Map.of("writes", writes, "warm_up", warmUp))
        .table(table)
        .data("figures", numbers);
  }

  /**
   * The result of one cluster.
   *
   * @param missed number of rows that the first scan of the follower did not return
   * @param nanos times from the response of the write to the start of the scan that returned the
   *     row
   */
  record FollowerLag(int missed, Histogram nanos) {
    double micros(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e3;
    }
  }
}
