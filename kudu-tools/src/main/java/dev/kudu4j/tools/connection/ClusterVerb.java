package dev.kudu4j.tools.connection;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Base class of verbs that connect to a cluster. An exception is reported in one line and leads to
 * exit code 1; any other exit code is returned by the verb.
 */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n")
public abstract class ClusterVerb implements Callable<Integer> {
  protected static final int DONE = 0;

  @Spec private CommandSpec spec;
  @Mixin private ConnectionOptions cluster;

  @Override
  public abstract Integer call() throws IOException;

  protected final ConnectionOptions cluster() {
    return cluster;
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Prints a line of the result. */
  protected final void say(String line) {
    out().println(line);
    out().flush();
  }
}
