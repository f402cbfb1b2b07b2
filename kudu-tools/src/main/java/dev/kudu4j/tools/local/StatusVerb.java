package dev.kudu4j.tools.local;

import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import dev.kudu4j.tools.phrase.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Shows whether a cluster is running, and the state of its servers. Scripts can use the exit code.
 */
@Command(
    name = "status",
    description = "Shows whether the cluster runs, and each server's state, tablets and memory.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      " 0:all servers are healthy",
      " 1:the cluster is running, but not all servers are healthy",
      " 3:the cluster is not running"
    },
    mixinStandardHelpOptions = true)
public final class StatusVerb implements Callable<Integer> {
  static final int HEALTHY = 0;
  static final int NOT_HEALTHY = 1;
  static final int NOT_RUNNING = 3;

  /**
   * The output format: a table ({@code pretty} and {@code table} are the same) or a JSON object.
   */
  enum Format {
    pretty,
    table,
    json
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "kudu-data",
      description = "The directory of the cluster; default ./${DEFAULT-VALUE}.")
  private Path directory;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private Format format;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ClusterDirectory cluster = new ClusterDirectory(directory.toAbsolutePath().normalize());
    Optional<ProcessHandle> holder = ClusterLock.holder(cluster.lockFile());
    Optional<ClusterShape> shape = ClusterShape.read(cluster.shapeFile());
    if (holder.isEmpty() || shape.isEmpty()) {
      printNotRunning(cluster, out);
      return NOT_RUNNING;
    }
    ClusterReport report;
    try (ServerCalls calls = new ServerCalls()) {
      report = ClusterReport.of(shape.get(), calls);
    }
    ProcessFacts facts = ProcessFacts.of(holder.get());
    if (format == Format.json) {
      out.println(Json.write(StatusJson.Running.of(cluster, shape.get(), report, facts)));
    } else {
      printTable(cluster, shape.get(), report, facts, out);
    }
    return report.isHealthy() ? HEALTHY : NOT_HEALTHY;
  }

  private void printNotRunning(ClusterDirectory cluster, PrintWriter out) {
    if (format == Format.json) {
      out.println(Json.write(StatusJson.NotRunning.of(cluster)));
    } else {
      out.printf("No cluster is running in %s; kudu start starts one.%n", cluster);
    }
    out.flush();
  }

  private static void printTable(
      ClusterDirectory cluster,
      ClusterShape shape,
      ClusterReport report,
      ProcessFacts facts,
      PrintWriter out) {
    List<ListColumn> columns =
        List.of(
            ListColumn.text("Server"),
            ListColumn.text("State"),
            ListColumn.number("Tablets"),
            ListColumn.number("Memory"),
            ListColumn.text("RPC"),
            ListColumn.text("Web"));
    try (ListPrinter list = ListFormat.pretty.open(columns, out)) {
      for (ServerReport server : report.servers()) {
        list.row(
            Arrays.asList(
                server.name(),
                server.state(),
                server.tablets() < 0 ? null : server.tablets(),
                server.memoryBytes() < 0 ? null : mebibytes(server.memoryBytes()),
                server.rpc(),
                server.web()));
      }
    }
    out.println();
    out.printf(
        "Process %d, running for %s, %s of %s; directory %s%n",
        facts.pid(),
        facts.ageText(),
        facts.residentBytes() < 0 ? "unknown memory" : mebibytes(facts.residentBytes()),
        mebibytes(LocalMemory.limit(shape.memoryBytes())),
        cluster);
    if (!report.isHealthy()) {
      out.printf("Not all servers are healthy; see %s%n", cluster.logFile());
    }
    out.flush();
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MB";
  }
}
