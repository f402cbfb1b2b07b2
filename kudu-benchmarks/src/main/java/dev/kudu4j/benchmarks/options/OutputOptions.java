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

/** Where a command's words go: tables to its output, progress to its error output. */
public final class OutputOptions {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--json", paramLabel = "FILE", description = "Write every number here.")
  private Path json;

  /** The file for programs, when one is wanted. */
  public Optional<Path> json() {
    return Optional.ofNullable(json);
  }

  /** Says what happens next. */
  public void progress(String text) {
    PrintWriter err = command.commandLine().getErr();
    err.println(CLOCK.format(LocalTime.now(ZoneId.systemDefault())) + " " + text);
    err.flush();
  }

  /** Prints a result, below where it was measured. */
  public void print(Object machine, String result) {
    PrintWriter out = command.commandLine().getOut();
    out.println(machine);
    out.println();
    out.print(result);
    out.flush();
  }
}
