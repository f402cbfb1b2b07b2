package dev.kudu4j.tserver;

import dev.kudu4j.server.process.Daemon;

/** Runs a tablet server from the command line. */
public final class TabletServerMain {
  private TabletServerMain() {}

  public static void main(String... arguments) {
    Daemon.main(TabletServerOptions.all(), TabletServer::start, arguments);
  }
}
