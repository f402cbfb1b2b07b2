package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.report.Machine;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench engine}: one tablet without servers, beside DuckDB. */
@Command(
    name = "engine",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads TPC-H lineitem into one tablet and into DuckDB, both in this process and on one thread,"
          + " and measures sizes, scans, look-ups, updates and inserts.",
      "Every answer is compared with DuckDB's; one that differs ends the run with an error.",
      "Prints a table of the figures, their ratios and what they ought to be; progress goes to the"
          + " error output."
    })
public final class EngineCommand implements Callable<Integer> {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  @Spec private CommandSpec spec;

  @Option(
      names = "--scale",
      defaultValue = "1",
      description = "TPC-H scale factor; 1 is 6,001,215 rows.")
  private double scale;

  @Option(
      names = "--amounts",
      defaultValue = "decimal",
      description = "What quantities and prices are stored as: ${COMPLETION-CANDIDATES}.")
  private Amounts amounts;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Measure only what has this in its title, as in 'insert' or 'rows by key'.")
  private String only;

  @Option(names = "--json", paramLabel = "FILE", description = "Write every number here.")
  private Path json;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description =
          "The data; kept afterwards, and used again when there. By default a temporary directory.")
  private Path workDirectory;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    EngineReport report = measure();
    PrintWriter out = spec.commandLine().getOut();
    out.println(machine);
    out.println();
    out.print(report.toMarkdown());
    out.flush();
    if (json != null) {
      Map<String, Object> settings = new LinkedHashMap<>();
      settings.put("scale", scale);
      settings.put("amounts", amounts);
      report.write(json, machine, settings);
    }
    return 0;
  }

  private EngineReport measure() throws Exception {
    if (workDirectory != null) {
      return new EngineBenchmark(amounts, scale, workDirectory, only, this::progress).run();
    }
    Path temporary = Files.createTempDirectory("kudu-bench");
    try {
      return new EngineBenchmark(amounts, scale, temporary, only, this::progress).run();
    } finally {
      Directories.delete(temporary);
    }
  }

  private void progress(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(CLOCK.format(LocalTime.now(ZoneId.systemDefault())) + " " + text);
    err.flush();
  }
}
