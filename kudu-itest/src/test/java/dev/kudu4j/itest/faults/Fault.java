package dev.kudu4j.itest.faults;

/**
 * One fault that is planned.
 *
 * @param server whom it befalls, by its number in the {@link Roster}
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
  String describe(Roster roster) {
    String detail =
        switch (kind) {
          case CUT_LINK -> " and " + roster.name(other);
          case MOVE_CLOCK -> " by " + clockMillis + " ms";
          default -> "";
        };
    return kind + " " + roster.name(server) + detail + " for " + holdMillis + " ms";
  }
}
