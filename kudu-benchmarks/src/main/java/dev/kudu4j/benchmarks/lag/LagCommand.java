package dev.kudu4j.benchmarks.lag;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
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
          output.print(machine, table(ours, published));
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

  private String table(FollowerLag ours, FollowerLag published) {
    StringBuilder table = new StringBuilder();
    table.append("| row of an acknowledged write, at a follower | Kudu4j | Apache Kudu |\n");
    table.append("|---|---:|---:|\n");
    table.append(
        String.format(
            Locale.ROOT,
            "| missed by the first scan, of %,d | %,d | %,d |%n",
            writes,
            ours.missed(),
            published.missed()));
    for (double percentile : List.of(50.0, 99.0, 100.0)) {
      table.append(
          String.format(
              Locale.ROOT,
              "| lag, %s (µs) | %,.0f | %,.0f |%n",
              percentile == 100 ? "longest" : String.format(Locale.ROOT, "p%.0f", percentile),
              ours.micros(percentile),
              published.micros(percentile)));
    }
    return table.toString();
  }

  /**
   * The result of one cluster.
   *
   * @param missed first scans that did not return the row
   * @param nanos times from the response of the write to the start of the scan that returned the
   *     row
   */
  record FollowerLag(int missed, Histogram nanos) {
    double micros(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e3;
    }
  }
}
