package dev.kudu4j.benchmarks.options;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Output of a command: tables to standard output, progress to standard error. */
public final class OutputOptions {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all numbers to this file.")
  private Path json;

  /** The JSON file, if requested. */
  public Optional<Path> json() {
    return Optional.ofNullable(json);
  }

  /** Reports the next step. */
  public void progress(String text) {
    PrintWriter err = command.commandLine().getErr();
    err.println(CLOCK.format(LocalTime.now(ZoneId.systemDefault())) + " " + text);
    err.flush();
  }

  /** Prints a result, after the description of the machine. */
  public void print(Object machine, String result) {
    PrintWriter out = command.commandLine().getOut();
    out.println(machine);
    out.println();
    out.print(result);
    out.flush();
  }
}
