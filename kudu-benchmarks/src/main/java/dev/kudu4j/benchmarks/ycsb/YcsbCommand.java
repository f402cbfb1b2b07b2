package dev.kudu4j.benchmarks.ycsb;

import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.SideOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench ycsb}: YCSB's core workloads through both clients. */
@Command(
    name = "ycsb",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads YCSB's records and runs its core workloads: on Kudu4j with its own client and with the"
          + " published one, and on the published Apache Kudu, in turn; or on a cluster that is"
          + " there (--against).",
      "Prints throughput and latencies of each with the ratios; progress goes to the error output."
          + " An operation that is refused ends the run, and so does a record that is missing."
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
      description = "In the order in which they are to run; D and E insert.")
  private List<StandardWorkload> workloads;

  @Option(
      names = "--distribution",
      split = ",",
      defaultValue = "zipfian,uniform",
      paramLabel = "NAME",
      description = "Which records are asked for. D takes the newest for zipfian, as YCSB has it.")
  private List<RequestDistribution> distributions;

  @Option(names = "--records", defaultValue = "100000", description = "Loaded, of 1 KB each.")
  private int records;

  @Option(
      names = "--operations",
      defaultValue = "10000",
      description = "Of each workload and round, of all threads together.")
  private int operations;

  @Option(names = "--threads", defaultValue = "2", description = "That each wait for an answer.")
  private int threads;

  @Option(
      names = "--batch",
      defaultValue = "1",
      description =
          "Writes that a thread gathers before it sends them; 1 sends each by itself. A read sends"
              + " what its thread has gathered.")
  private int batch;

  @Option(names = "--load-batch", defaultValue = "1000", description = "The same while loading.")
  private int loadBatch;

  @Option(names = "--hash-partitions", defaultValue = "1", description = "By hash of the key.")
  private int hashPartitions;

  @Option(
      names = "--range-partitions",
      defaultValue = "4",
      description = "By range of the key, of about as many records each.")
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
    Measurements measurements =
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
