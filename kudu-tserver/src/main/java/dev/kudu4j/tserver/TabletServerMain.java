package dev.kudu4j.tserver;

import dev.kudu4j.server.process.Daemon;
import dev.kudu4j.server.process.RecentLog;

/** Runs a tablet server from the command line. */
public final class TabletServerMain {
  private TabletServerMain() {}

  public static void main(String... arguments) {
    run(RecentLog.NONE, arguments);
  }

  /**
   * Runs a tablet server as the daemon of this process; does not return.
   *
   * @param log the recent log lines of this process
   */
  public static void run(RecentLog log, String... arguments) {
    Daemon.main(TabletServerOptions.all(), TabletServer::start, log, arguments);
  }
}
