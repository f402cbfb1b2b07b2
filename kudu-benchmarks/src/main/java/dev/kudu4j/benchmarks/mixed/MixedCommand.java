package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.benchmarks.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench mixed}: whether a server stays as it is. */
@Command(
    name = "mixed",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Inserts, updates, scans and looks rows up at once, on a server with a fixed heap and direct"
          + " memory, and records each second what the server and its clients see.",
      "Prints verdicts: memory and read latencies flat, no full collection, rowset height and delta"
          + " files bounded. Ends with 1 when one of them is no."
    })
public final class MixedCommand implements Callable<Integer> {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  @Spec private CommandSpec spec;

  @Option(names = "--minutes", defaultValue = "10", description = "How long.")
  private double minutes;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "768",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  @Option(names = "--rows", defaultValue = "500000", description = "Rows there are at the start.")
  private int rows;

  @Option(names = "--inserts", defaultValue = "4000", description = "Most rows inserted a second.")
  private int inserts;

  @Option(names = "--updates", defaultValue = "2000", description = "Most rows updated a second.")
  private int updates;

  @Option(names = "--look-ups", defaultValue = "200", description = "Most look-ups a second.")
  private int lookUps;

  @Option(names = "--scans", defaultValue = "5", description = "Most scans a second.")
  private int scans;

  @Option(names = "--json", paramLabel = "FILE", description = "Write every second here.")
  private Path json;

  @Option(names = "--report", paramLabel = "FILE", description = "Write a page with plots here.")
  private Path report;

  @Option(
      names = "--home",
      defaultValue = "${sys:kudu4j.home:-.}",
      paramLabel = "DIR",
      description = "The directory with Kudu4j's bin/kudu.")
  private Path home;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description = "The servers' data; kept afterwards. By default a temporary directory.")
  private Path workDirectory;

  @Override
  public Integer call() throws Exception {
    Settings settings =
        new Settings(
            (int) Math.round(minutes * 60),
            (long) memoryLimitMegabytes << 20,
            rows,
            inserts,
            updates,
            lookUps,
            scans);
    Machine machine = Machine.here();
    MixedReport result = measure(settings);
    PrintWriter out = spec.commandLine().getOut();
    out.println(machine);
    out.println();
    out.print(result.toMarkdown());
    out.flush();
    if (json != null) {
      result.writeJson(json, machine);
    }
    if (report != null) {
      result.writeHtml(report, machine);
    }
    List<String> failures = result.failures(true);
    return failures.isEmpty() ? 0 : 1;
  }

  private MixedReport measure(Settings settings) throws Exception {
    if (workDirectory != null) {
      return new MixedRun(home, settings, workDirectory, this::progress).run();
    }
    Path temporary = Files.createTempDirectory("kudu-bench");
    try {
      return new MixedRun(home, settings, temporary, this::progress).run();
    } finally {
      deleteTree(temporary);
    }
  }

  private void progress(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(CLOCK.format(LocalTime.now(ZoneId.systemDefault())) + " " + text);
    err.flush();
  }

  private static void deleteTree(Path root) throws IOException {
    List<Path> entries;
    try (Stream<Path> walk = Files.walk(root)) {
      entries = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path entry : entries) {
      Files.deleteIfExists(entry);
    }
  }
}
