package dev.kudu4j.tools.table;

import dev.kudu4j.tools.connection.ClusterOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb on tables. What it throws is said in one line and makes the exit code 1. */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    synopsisHeading = "%nUsage: ",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n")
abstract class TableVerb implements Callable<Integer> {
  static final int DONE = 0;

  @Spec private CommandSpec spec;
  @Mixin private ClusterOptions cluster;

  @Override
  public abstract Integer call() throws IOException;

  ClusterOptions cluster() {
    return cluster;
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  PrintWriter err() {
    return spec.commandLine().getErr();
  }

  void say(String line) {
    out().println(line);
    out().flush();
  }
}
