package dev.kudu4j.benchmarks.report;

/**
 * A combination of servers and client that is measured. Constants are in the order of the report's
 * columns.
 */
public enum Side {
  OURS("Kudu4j", true, true),
  /** Like {@link #OURS}, with servers that have no Unix-domain socket. */
  OURS_TCP("Kudu4j over TCP", true, true),
  OUR_SERVERS("Kudu4j, published client", true, false),
  OUR_CLIENT("Apache Kudu, our client", false, true),
  /** The baseline for the other sides, if it ran. */
  PUBLISHED("Apache Kudu", false, false);

  private final String title;
  private final boolean ourServers;
  private final boolean ourClient;

  Side(String title, boolean ourServers, boolean ourClient) {
    this.title = title;
    this.ourServers = ourServers;
    this.ourClient = ourClient;
  }

  public String title() {
    return title;
  }

  public boolean hasOurServers() {
    return ourServers;
  }

  public boolean hasOurClient() {
    return ourClient;
  }
}
