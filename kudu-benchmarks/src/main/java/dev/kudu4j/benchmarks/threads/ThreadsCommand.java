package dev.kudu4j.benchmarks.threads;

import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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
    output.publish(workDirectory.run(this::measure).toReport(machine, settings()));
    return 0;
  }

  private ThreadsReport measure(Path directory) throws Exception {
    ThreadsReport report = new ThreadsReport(kinds, clients, models);
    List<ModelServer> servers = new ArrayList<>();
    try (StatusClient rpc = new StatusClient()) {
      try {
        for (String model : models) {
          output.progress("starting a cluster with the model " + model);
          servers.add(ModelServer.start(model, home.ours(), directory.resolve(model), rows, rpc));
        }
        for (CallKind kind : kinds) {
          measure(kind, servers, report);
        }
      } finally {
        servers.forEach(ModelServer::close);
      }
    }
    return report;
  }

  private void measure(CallKind kind, List<ModelServer> servers, ThreadsReport report) {
    long nanos = TimeUnit.SECONDS.toNanos(seconds);
    for (ModelServer server : servers) {
      output.progress(kind.title() + ", warm-up of " + server.model());
      server.run(kind, 16, TimeUnit.SECONDS.toNanos(warmUpSeconds));
    }
    for (int count : clients) {
      for (int round = 0; round < rounds; round++) {
        output.progress("%s, %d clients, round %d".formatted(kind.title(), count, round + 1));
        for (int turn = 0; turn < servers.size(); turn++) {
          ModelServer server = servers.get((turn + round) % servers.size());
          report.add(
              new ThreadsReport.Point(kind, count, server.model()),
              server.run(kind, count, nanos),
              nanos);
        }
      }
    }
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("models", models);
    settings.put("clients", clients);
    settings.put("rows", rows);
    settings.put("rounds", rounds);
    settings.put("seconds", seconds);
    settings.put("warm_up_seconds", warmUpSeconds);
    return settings;
  }
}
