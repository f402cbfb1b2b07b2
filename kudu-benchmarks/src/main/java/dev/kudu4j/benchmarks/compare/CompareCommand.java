package dev.kudu4j.benchmarks.compare;

import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.OurDistribution;
import dev.kudu4j.benchmarks.cluster.PublishedDistribution;
import dev.kudu4j.benchmarks.report.ComparisonTable;
import dev.kudu4j.benchmarks.report.JsonReport;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Side;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench compare}: our servers beside the published Apache Kudu. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Runs one workload on Kudu4j with its own client, on Kudu4j with the published client, and on"
          + " the published Apache Kudu, in turn: load and scan TPC-H lineitem, look rows up, insert"
          + " single rows, create tables, start servers.",
      "Prints a table of them and the ratios to Apache Kudu; progress goes to the error output."
    })
public final class CompareCommand implements Callable<Integer> {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  @Spec private CommandSpec spec;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "SIDE",
      description = "Run some sides only: ${COMPLETION-CANDIDATES}.")
  private Set<Side> only = EnumSet.allOf(Side.class);

  @Option(
      names = "--replicas",
      defaultValue = "1",
      description = "Replicas of each tablet, and tablet servers of each cluster.")
  private int replicas;

  @Option(names = "--rounds", defaultValue = "3", description = "Measured rounds of each side.")
  private int rounds;

  @Option(names = "--warm-up", defaultValue = "1", description = "Rounds before them, not counted.")
  private int warmUpRounds;

  @Option(
      names = "--scale",
      defaultValue = "0.1",
      description = "TPC-H scale factor; 1 is 6,001,215 rows.")
  private double scale;

  @Option(
      names = "--starts",
      defaultValue = "5",
      description = "Measured starts of a fresh cluster; 0 leaves them out.")
  private int starts;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  @Option(names = "--json", paramLabel = "FILE", description = "Write every number here.")
  private Path json;

  @Option(
      names = "--home",
      defaultValue = "${sys:kudu4j.home:-.}",
      paramLabel = "DIR",
      description = "The directory with Kudu4j's bin/kudu.")
  private Path home;

  @Option(
      names = "--published",
      paramLabel = "DIR",
      description = "The unpacked kudu-binary archive; by default the one the build unpacked.")
  private Path published;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description = "The servers' data; kept afterwards. By default a temporary directory.")
  private Path workDirectory;

  @Override
  public Integer call() throws Exception {
    Settings settings =
        new Settings(
            scale, replicas, rounds, warmUpRounds, starts, (long) memoryLimitMegabytes << 20);
    Machine machine = Machine.here();
    Measurements measurements = measure(settings);
    PrintWriter out = spec.commandLine().getOut();
    out.println(machine);
    out.println();
    out.print(new ComparisonTable(measurements).toMarkdown());
    out.flush();
    if (json != null) {
      new JsonReport(measurements, machine, settings.toMap()).write(json);
    }
    return 0;
  }

  private Measurements measure(Settings settings) throws Exception {
    if (workDirectory != null) {
      return new Comparison(sides(), settings, workDirectory, this::progress).run();
    }
    Path temporary = Files.createTempDirectory("kudu-bench");
    try {
      return new Comparison(sides(), settings, temporary, this::progress).run();
    } finally {
      deleteTree(temporary);
    }
  }

  private Map<Side, Distribution> sides() {
    Map<Side, Distribution> sides = new EnumMap<>(Side.class);
    Distribution ours = null;
    for (Side side : only) {
      if (!side.hasOurServers()) {
        sides.put(side, new PublishedDistribution(publishedDirectory()));
      } else {
        ours = ours != null ? ours : new OurDistribution(home);
        sides.put(side, ours);
      }
    }
    return sides;
  }

  private Path publishedDirectory() {
    return published != null ? published : home.resolve("kudu-benchmarks/target/published-kudu");
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
