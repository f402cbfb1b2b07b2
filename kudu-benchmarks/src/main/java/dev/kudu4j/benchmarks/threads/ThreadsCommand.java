package dev.kudu4j.benchmarks.threads;

import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench threads}: the thread models of the RPC server over the number of clients. */
@Command(
    name = "threads",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts a cluster for each thread model of the RPC server, and measures all of them in turn:"
          + " reads of one row and of 64 rows by key, and full scans, from 1 to 128 clients. A"
          + " client has a connection of its own and one operation in flight.",
      "'pool', 'shared' and 'per_request' are the models FP, STS and TS of the paper on RDMA-HBase."
    })
public final class ThreadsCommand implements Callable<Integer> {
  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--models",
      split = ",",
      defaultValue = "pool,shared,per_request,adaptive",
      description = "The models; the first one is the baseline.")
  private List<String> models;

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "1,4,16,64,128",
      description = "Numbers of clients.")
  private List<Integer> clients;

  @Option(
      names = "--calls",
      split = ",",
      defaultValue = "row,rows,scan",
      description = "Kinds of operations: ${COMPLETION-CANDIDATES}.")
  private List<CallKind> kinds;

  @Option(names = "--rows", defaultValue = "100000", description = "Rows of the table.")
  private int rows;

  @Option(names = "--rounds", defaultValue = "3", description = "Measured rounds of each point.")
  private int rounds;

  @Option(names = "--seconds", defaultValue = "2", description = "Duration of each measurement.")
  private int seconds;

  @Option(
      names = "--warm-up",
      defaultValue = "10",
      description = "Seconds for which each model serves each kind of call before the measurement.")
  private int warmUpSeconds;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    ModelComparison comparison =
        new ModelComparison(models, clients, rounds, seconds, warmUpSeconds);
    ThreadsReport result =
        workDirectory.run(
            directory ->
                comparison.run(
                    new KeyTable(rows, kinds), home.ours(), directory, output::progress));
    Map<String, Object> settings = comparison.toMap();
    settings.put("rows", rows);
    output.publish(result.addTo(new Report("Thread models", machine, settings)));
    return 0;
  }
}
