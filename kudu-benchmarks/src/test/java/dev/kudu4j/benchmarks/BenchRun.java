package dev.kudu4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs {@code bench} in this JVM. */
public final class BenchRun {
  private BenchRun() {}

  /** Runs a command, which has to succeed, and returns what it prints. */
  public static String run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = BenchCommand.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    assertThat(command.execute(arguments)).as("%s", err).isZero();
    return out.toString();
  }
}
