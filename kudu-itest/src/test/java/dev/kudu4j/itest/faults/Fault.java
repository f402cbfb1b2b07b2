package dev.kudu4j.itest.faults;

/**
 * One fault that is planned.
 *
 * @param server whom it befalls: 0 is the master, tablet servers follow
 * @param other the server at the other end of a link
 * @param holdMillis how long it lasts
 * @param clockMillis by how much a clock is moved
 */
record Fault(FaultKind kind, int server, int other, long holdMillis, long clockMillis) {
  void strike(FrailCluster cluster) {
    kind.strike(cluster, this);
  }

  void heal(FrailCluster cluster) {
    kind.heal(cluster, this);
  }

  /** As the log has it. */
  @Override
  public String toString() {
    String detail =
        switch (kind) {
          case CUT_LINK -> " and " + name(other);
          case MOVE_CLOCK -> " by " + clockMillis + " ms";
          default -> "";
        };
    return kind + " " + name(server) + detail + " for " + holdMillis + " ms";
  }

  private static String name(int server) {
    return server == FrailCluster.MASTER ? "master" : "tserver-" + (server - 1);
  }
}
