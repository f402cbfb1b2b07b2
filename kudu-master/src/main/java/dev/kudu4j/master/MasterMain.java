package dev.kudu4j.master;

import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.process.Daemon;
import dev.kudu4j.server.process.JvmShare;
import dev.kudu4j.server.process.RecentLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code kudu-master}: runs a master until a signal ends it. */
public final class MasterMain {
  private static final Logger LOG = LoggerFactory.getLogger(MasterMain.class);

  private MasterMain() {}

  public static void main(String... arguments) {
    run(RecentLog.NONE, arguments);
  }

  /**
   * Runs a master as the daemon of this process; does not return.
   *
   * @param log the recent lines of this process's log, for the web pages
   */
  public static void run(RecentLog log, String... arguments) {
    Daemon.main(MasterOptions.all(), MasterMain::start, log, arguments);
  }

  /** Starts a master, and ends the process if the catalog cannot be opened. */
  private static Master start(Flags flags, JvmShare share) {
    Master master = Master.start(flags, share);
    master
        .opened()
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                LOG.error("kudu-master ends: {}", failure.getMessage());
                new Thread(() -> System.exit(1), "exit").start();
              }
            });
    return master;
  }
}
