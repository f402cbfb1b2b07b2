package dev.kudu4j.itest.faults;

/**
 * One scheduled fault.
 *
 * @param server the affected server, by its number in the {@link Roster}
 * @param other the server at the other end of a link
 * @param holdMillis duration of the fault
 * @param clockMillis offset by which a clock is moved
 */
record Fault(FaultKind kind, int server, int other, long holdMillis, long clockMillis) {
  void strike(FrailCluster cluster) {
    kind.strike(cluster, this);
  }

  void heal(FrailCluster cluster) {
    kind.heal(cluster, this);
  }

  /** The fault, for the log. */
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
