package dev.kudu4j.benchmarks.lookups;

import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.LoneMaster;
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
import java.util.Random;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench lookups}: the latency of requests to the master for tablet locations. */
@Command(
    name = "lookups",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts a master, adds tables through simulated tablet servers, and looks up"
          + " the tablets of random keys, one after another, while the heartbeats"
          + " continue.",
      "First does the same with the published Apache Kudu's master.",
      "Prints percentiles of the latency of a caller on the same machine, next to"
          + " those of the Kudu paper (its section 6.4: servers of a real cluster, as the"
          + " master measured itself)."
    })
public final class LookupsCommand implements Callable<Integer> {
  private static final String[] TITLES = {"p50", "p75", "p95", "p99", "p99.9", "p99.99", "max"};
  private static final double[] PERCENTILES = {50, 75, 95, 99, 99.9, 99.99, 100};
  private static final String[] PAPER = {"", "91", "374", "", "", "3,200", ""};

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--tablets",
      defaultValue = "5000",
      description = "Number of tablets in the catalog.")
  private int tablets;

  @Option(
      names = "--tables",
      defaultValue = "50",
      description = "Number of tables among which the tablets are divided.")
  private int tables;

  @Option(names = "--lookups", defaultValue = "200000", description = "Number of measured lookups.")
  private int lookups;

  @Option(
      names = "--warm-up",
      defaultValue = "200000",
      description = "Number of lookups before the measurement, as a warm-up.")
  private int warmUp;

  @Option(names = "--seed", defaultValue = "1", description = "Seed of the keys.")
  private long seed;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          output.progress("Apache Kudu");
          Measured published =
              measure(home.published(), new PublishedDialect(), directory.resolve("published"));
          output.progress("Kudu4j");
          Measured ours = measure(home.ours(), new OurDialect(), directory.resolve("ours"));
          output.publish(report(machine, ours, published));
          return 0;
        });
  }

  /**
   * The result of one master.
   *
   * @param nanos latencies that the caller measured
   * @param cpuMicros CPU time of the master per request
   */
  private record Measured(Histogram nanos, double cpuMicros) {
    double micros(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e3;
    }
  }

  private Measured measure(Distribution distribution, HeartbeatDialect dialect, Path directory) {
    Random random = new Random(seed);
    try (LoneMaster master =
            LoneMaster.start(distribution, directory, "--max_create_tablets_per_ts=0");
        LookupRun run = new LookupRun(dialect, master.address(), tables, tablets / tables)) {
      output.progress("filling the catalog with " + tablets + " tablets");
      run.fill(output::progress);
      output.progress("warming up");
      run.measure(warmUp, random);
      output.progress("measuring");
      double cpuBefore = master.cpuNanos();
      Histogram nanos = run.measure(lookups, random);
      return new Measured(nanos, (master.cpuNanos() - cpuBefore) / 1e3 / lookups);
    }
  }

  private Report report(Machine machine, Measured ours, Measured published) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("tablets", tablets);
    settings.put("tables", tables);
    settings.put("lookups", lookups);
    settings.put("warm_up", warmUp);
    Table table =
        new Table(
            String.format(
                Locale.ROOT,
                "%,d look-ups among %,d tablets of %,d tables",
                lookups,
                tablets,
                tables),
            1,
            List.of("look-up", "Kudu4j (µs)", "ratio", "Apache Kudu (µs)", "paper (µs)"));
    Map<String, Object> numbers = new LinkedHashMap<>();
    for (int i = 0; i < TITLES.length; i++) {
      addLine(
          table,
          numbers,
          TITLES[i],
          ours.micros(PERCENTILES[i]),
          published.micros(PERCENTILES[i]),
          PAPER[i]);
    }
    addLine(table, numbers, "CPU of the master", ours.cpuMicros, published.cpuMicros, "");
    return new Report("Look-ups of locations", machine, settings)
        .table(table)
        .data("micros", numbers);
  }

  private static void addLine(
      Table table,
      Map<String, Object> numbers,
      String title,
      double ours,
      double published,
      String paper) {
    table.row(
        title,
        String.format(Locale.ROOT, "%,.0f", ours),
        String.format(Locale.ROOT, "%.2f", ours / published),
        String.format(Locale.ROOT, "%,.0f", published),
        paper);
    numbers.put(title, Map.of("ours", ours, "published", published));
  }
}
