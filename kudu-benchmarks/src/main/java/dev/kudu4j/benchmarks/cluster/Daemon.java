package dev.kudu4j.benchmarks.cluster;

/** The two kinds of server. */
public enum Daemon {
  MASTER("master"),
  TABLET_SERVER("tserver");

  private final String command;

  Daemon(String command) {
    this.command = command;
  }

  /** The name on the command line. */
  public String command() {
    return command;
  }
}
