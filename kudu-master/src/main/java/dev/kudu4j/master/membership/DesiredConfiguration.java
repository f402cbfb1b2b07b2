package dev.kudu4j.master.membership;

import java.util.function.Predicate;

/**
 * The configuration that one tablet should have.
 *
 * @param replicationFactor how many voters
 * @param excused servers in maintenance: their failed members are not replaced
 * @param leaving servers that should leave
 * @param serverFree whether there is a server that could take a replica
 */
public record DesiredConfiguration(
    int replicationFactor,
    Predicate<String> excused,
    Predicate<String> leaving,
    boolean serverFree) {

  /** A number of voters on any servers. */
  public static DesiredConfiguration of(int replicationFactor) {
    return new DesiredConfiguration(replicationFactor, uuid -> false, uuid -> false, true);
  }
}
