package dev.kudu4j.server.process;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.flags.ServerOptions;
import java.io.PrintStream;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a daemon from the command line until a signal ends it. User errors are reported in one line,
 * without a stack trace.
 */
public final class Daemon {
  /**
   * Starts the daemon's server, which serves when this method returns. Closing the returned object
   * closes everything.
   */
  @FunctionalInterface
  public interface Starter {
    AutoCloseable start(Flags flags, JvmShare share) throws Exception;
  }

  private final OptionSet options;
  private final Starter starter;
  private final RecentLog log;
  private final PrintStream out;
  private final PrintStream err;

  /**
   * @param log the recent log lines of this process
   */
  public Daemon(
      OptionSet options, Starter starter, RecentLog log, PrintStream out, PrintStream err) {
    this.options = options;
    this.starter = starter;
    this.log = log;
    this.out = out;
    this.err = err;
  }

  /** Does all that the {@code main} method of a daemon has to do; does not return. */
  public static void main(OptionSet options, Starter starter, RecentLog log, String... arguments) {
    System.exit(new Daemon(options, starter, log, System.out, System.err).run(List.of(arguments)));
  }

  /**
   * Runs the daemon. Returns the exit code of the process if the daemon cannot start, or after it
   * has printed help or its version; otherwise does not return before the process ends.
   */
  public int run(List<String> arguments) {
    try {
      Flags flags = FlagParser.parse(options, arguments);
      if (flags.get(ServerOptions.HELP)) {
        out.print(options.help());
        return 0;
      }
      if (flags.get(ServerOptions.VERSION)) {
        out.println(options.program() + " (Kudu4j) " + ServerVersion.current());
        return 0;
      }
      Logger logger = LoggerFactory.getLogger(Daemon.class);
      flags.warnings().forEach(logger::warn);
      AutoCloseable server = starter.start(flags, JvmShare.whole(log));
      ClosingOnSignal.register(server);
      Thread.currentThread().join(); // until a signal ends the process
      return 0;
    } catch (KuduException e) {
      err.println(options.program() + ": " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      return 0;
    } catch (Exception e) {
      LoggerFactory.getLogger(Daemon.class).error("{} cannot start", options.program(), e);
      return 1;
    }
  }
}
