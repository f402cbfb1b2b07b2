package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench published-cluster}: runs the published Apache Kudu for experiments. */
@Command(
    name = "published-cluster",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts the published Apache Kudu from its Maven artifact on this machine,"
          + " prints the master's address, and runs it until interrupted (Ctrl-C).",
      "Use the address with --against or --baseline of a benchmark, or with any client."
    })
public final class PublishedClusterCommand implements Callable<Integer> {
  private static final long MAX_SECONDS_TO_END = 30;

  @Spec private CommandSpec spec;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--port",
      defaultValue = "8051",
      description = "Port of the master; 0 for a free one.")
  private int port;

  @Option(names = "--tablet-servers", defaultValue = "1", description = "Number of tablet servers.")
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
    CountDownLatch ended = new CountDownLatch(1);
    try {
      return workDirectory.run(directory -> serve(source, directory, ended));
    } finally {
      ended.countDown();
    }
  }

  /**
   * Runs the cluster until the process gets a signal. The shutdown hook then waits until the
   * cluster is closed.
   */
  private int serve(ClusterSource.Started source, Path directory, CountDownLatch ended)
      throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    Thread hook = new Thread(() -> end(asked, ended), "end-published-cluster");
    try (StatusClient rpc = new StatusClient();
        Cluster cluster = source.open(directory, port, rpc)) {
      Runtime.getRuntime().addShutdownHook(hook);
      PrintWriter out = spec.commandLine().getOut();
      out.println(cluster.masterAddresses());
      out.flush();
      asked.await();
      return 0;
    }
  }

  private static void end(CountDownLatch asked, CountDownLatch ended) {
    asked.countDown();
    try {
      ended.await(MAX_SECONDS_TO_END, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
