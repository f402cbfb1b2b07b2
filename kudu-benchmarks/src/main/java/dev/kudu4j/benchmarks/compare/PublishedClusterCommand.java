package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench published-cluster}: Apache Kudu to try things on. */
@Command(
    name = "published-cluster",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts the published Apache Kudu from its Maven artifact on this machine, prints the master's"
          + " address, and keeps it running until interrupted (Ctrl-C).",
      "The address goes to --against or --baseline of a benchmark, or to any client."
    })
public final class PublishedClusterCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(names = "--port", defaultValue = "8051", description = "Of the master; 0 for any.")
  private int port;

  @Option(names = "--tablet-servers", defaultValue = "1", description = "How many.")
  private int tabletServers;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  @Override
  public Integer call() throws Exception {
    List<String> flags =
        List.of("--memory_limit_hard_bytes=" + ((long) memoryLimitMegabytes << 20));
    ClusterSource.Started source =
        new ClusterSource.Started(home.published(), tabletServers, flags);
    return workDirectory.run(
        directory -> {
          try (StatusClient rpc = new StatusClient();
              Cluster cluster = source.open(directory, port, rpc)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(cluster.masterAddresses());
            out.flush();
            new CountDownLatch(1).await(); // until the process is ended, which ends the servers
            return 0;
          }
        });
  }
}
