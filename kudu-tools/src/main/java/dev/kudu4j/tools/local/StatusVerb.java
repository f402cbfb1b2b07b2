package dev.kudu4j.tools.local;

import dev.kudu4j.tools.print.JsonText;
import dev.kudu4j.tools.print.Listing;
import dev.kudu4j.tools.print.ListingFormat;
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

/** Says whether a cluster runs and how its servers do. The exit code is the verdict. */
@Command(
    name = "status",
    description = "Shows whether the cluster runs, and each server's state, tablets and memory.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      " 0:all servers do what they should",
      " 1:it runs, but not all servers do",
      " 3:it does not run"
    },
    mixinStandardHelpOptions = true)
public final class StatusVerb implements Callable<Integer> {
  static final int HEALTHY = 0;
  static final int NOT_HEALTHY = 1;
  static final int NOT_RUNNING = 3;

  /** How the status is printed. */
  enum Format {
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
      defaultValue = "table",
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
      printJson(cluster, shape.get(), report, facts, out);
    } else {
      printTable(cluster, shape.get(), report, facts, out);
    }
    return report.isHealthy() ? HEALTHY : NOT_HEALTHY;
  }

  private void printNotRunning(ClusterDirectory cluster, PrintWriter out) {
    if (format == Format.json) {
      out.println(
          JsonText.object(
              List.of("running", "healthy", "directory"), List.of(false, false, cluster)));
    } else {
      out.printf("No cluster runs in %s; kudu start starts one.%n", cluster);
    }
    out.flush();
  }

  private static void printTable(
      ClusterDirectory cluster,
      ClusterShape shape,
      ClusterReport report,
      ProcessFacts facts,
      PrintWriter out) {
    Listing listing = new Listing("Server", "State", "Tablets", "Memory", "RPC", "Web");
    for (ServerReport server : report.servers()) {
      listing.add(
          server.name(),
          server.state(),
          server.tablets() < 0 ? null : server.tablets(),
          server.memoryBytes() < 0 ? "" : mebibytes(server.memoryBytes()),
          server.rpc(),
          server.web());
    }
    ListingFormat.table.print(listing, out);
    out.println();
    out.printf(
        "Process %d, for %s, %s of %s; directory %s%n",
        facts.pid(),
        facts.ageText(),
        facts.residentBytes() < 0 ? "unknown memory" : mebibytes(facts.residentBytes()),
        mebibytes(LocalMemory.limit(shape.memoryBytes())),
        cluster);
    if (!report.isHealthy()) {
      out.printf("Not all servers do what they should; see %s%n", cluster.logFile());
    }
    out.flush();
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MB";
  }

  private static void printJson(
      ClusterDirectory cluster,
      ClusterShape shape,
      ClusterReport report,
      ProcessFacts facts,
      PrintWriter out) {
    List<String> names =
        List.of(
            "running",
            "healthy",
            "directory",
            "pid",
            "age_seconds",
            "memory_bytes",
            "memory_limit_bytes");
    List<Object> values =
        List.of(
            true,
            report.isHealthy(),
            cluster,
            facts.pid(),
            facts.age().toSeconds(),
            facts.residentBytes(),
            LocalMemory.limit(shape.memoryBytes()));
    String head = JsonText.object(names, values);
    out.println(head.substring(0, head.length() - 1) + ",\n \"servers\": [");
    List<String> columns =
        List.of("server", "state", "healthy", "tablets", "memory_bytes", "rpc", "web");
    for (int i = 0; i < report.servers().size(); i++) {
      ServerReport server = report.servers().get(i);
      List<Object> cells =
          Arrays.asList(
              server.name(),
              server.state(),
              server.isHealthy(),
              server.tablets() < 0 ? null : server.tablets(),
              server.memoryBytes() < 0 ? null : server.memoryBytes(),
              server.rpc(),
              server.web());
      boolean last = i + 1 == report.servers().size();
      out.println("  " + JsonText.object(columns, cells) + (last ? "]}" : ","));
    }
    out.flush();
  }
}
