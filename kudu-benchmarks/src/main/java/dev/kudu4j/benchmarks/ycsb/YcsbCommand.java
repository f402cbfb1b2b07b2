package dev.kudu4j.benchmarks.ycsb;

import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.SideOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Side;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench ycsb}: YCSB's core workloads with both clients. */
@Command(
    name = "ycsb",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads YCSB's records and runs its core workloads: on Kudu4j with its own"
          + " client and with the published one, and on the published Apache Kudu,"
          + " alternately; or on an existing cluster (--against).",
      "Prints throughput and latencies of each with the ratios; progress goes to"
          + " standard error. A rejected operation or a missing record ends the run."
    })
public final class YcsbCommand implements Callable<Integer> {
  @Mixin private SideOptions sides;
  @Mixin private RoundOptions rounds;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--workloads",
      split = ",",
      defaultValue = "A,B,C,D,E,F",
      paramLabel = "NAME",
      description = "Workloads, in the order in which they run; D and E insert.")
  private List<StandardWorkload> workloads;

  @Option(
      names = "--distribution",
      split = ",",
      defaultValue = "zipfian,uniform",
      paramLabel = "NAME",
      description =
          "Distribution of the requested records. D uses the newest for zipfian, as in" + " YCSB.")
  private List<RequestDistribution> distributions;

  @Option(
      names = "--records",
      defaultValue = "100000",
      description = "Number of loaded records, of 1 KB each.")
  private int records;

  @Option(
      names = "--operations",
      defaultValue = "10000",
      description = "Number of operations of each workload and round, over all threads.")
  private int operations;

  @Option(
      names = "--threads",
      defaultValue = "2",
      description = "Number of threads, each of which waits for responses.")
  private int threads;

  @Option(
      names = "--batch",
      defaultValue = "1",
      description =
          "Number of writes that a thread batches; 1 sends each separately. A read"
              + " first sends the batch of its thread.")
  private int batch;

  @Option(names = "--load-batch", defaultValue = "1000", description = "Batch size while loading.")
  private int loadBatch;

  @Option(
      names = "--hash-partitions",
      defaultValue = "1",
      description = "Number of hash partitions.")
  private int hashPartitions;

  @Option(
      names = "--range-partitions",
      defaultValue = "4",
      description = "Number of range partitions, of about equal size.")
  private int rangePartitions;

  @Option(
      names = {"-p", "--property"},
      paramLabel = "NAME=VALUE",
      description = "A property of YCSB or of the binding, such as fieldcount or kudu_scan_order.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Override
  public Integer call() throws Exception {
    YcsbSettings settings = settings();
    Machine machine = Machine.here();
    Measurements<Side> measurements =
        workDirectory.run(
            directory ->
                new YcsbComparison(
                        sides.sources(), settings, sides::title, directory, output::progress)
                    .run());
    Map<String, Object> all = sides.toMap();
    all.putAll(settings.toMap());
    output.publish(
        new YcsbReport(settings, measurements, sides::title)
            .addTo(new Report("YCSB", machine, all)));
    return 0;
  }

  private YcsbSettings settings() {
    return new YcsbSettings(
        workloads,
        distributions,
        records,
        operations,
        threads,
        batch,
        loadBatch,
        sides.replicas(),
        hashPartitions,
        rangePartitions,
        rounds.measured(),
        rounds.warmUp(),
        properties);
  }
}
