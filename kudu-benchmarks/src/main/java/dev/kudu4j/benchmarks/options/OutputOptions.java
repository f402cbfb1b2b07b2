package dev.kudu4j.benchmarks.options;

import dev.kudu4j.benchmarks.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes the results: tables to standard output, progress to standard error, files on request. */
public final class OutputOptions {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all numbers to this file.")
  private Path json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write an HTML page with tables and charts here.")
  private Path page;

  /** Prints a line about the next step, with the time. */
  public void progress(String text) {
    PrintWriter err = command.commandLine().getErr();
    err.println(CLOCK.format(LocalTime.now(ZoneId.systemDefault())) + " " + text);
    err.flush();
  }

  /** Prints the report, and writes the requested files. */
  public void publish(Report report) throws IOException {
    PrintWriter out = command.commandLine().getOut();
    out.print(report.toText());
    out.flush();
    if (json != null) {
      report.writeJson(json);
    }
    if (page != null) {
      report.writePage(page);
    }
  }
}
