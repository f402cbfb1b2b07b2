package dev.kudu4j.master.membership;

import java.util.function.Predicate;

/**
 * The configuration that one tablet should have.
 *
 * @param replicationFactor the number of voters
 * @param excused servers in maintenance: their failed members are not replaced
 * @param leaving servers that should not be members of the group
 * @param serverFree whether there is a server that could take a replica
 */
public record DesiredConfiguration(
    int replicationFactor,
    Predicate<String> excused,
    Predicate<String> leaving,
    boolean serverFree) {

  /**
   * A configuration with this number of voters on any servers: no server is excused or leaving, and
   * a server is free.
   */
  public static DesiredConfiguration of(int replicationFactor) {
    return new DesiredConfiguration(replicationFactor, uuid -> false, uuid -> false, true);
  }
}
