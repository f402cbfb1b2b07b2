package dev.kudu4j.master.membership;

import java.util.function.Predicate;

/**
 * What shall be for one tablet.
 *
 * @param replicationFactor how many voters
 * @param excused servers whose failed members are waited for, since they are in maintenance
 * @param leaving servers that shall not be members any more
 * @param serverFree whether there is a server that could take a replica
 */
public record DesiredConfiguration(
    int replicationFactor,
    Predicate<String> excused,
    Predicate<String> leaving,
    boolean serverFree) {

  /** So many voters, wherever they are. */
  public static DesiredConfiguration of(int replicationFactor) {
    return new DesiredConfiguration(replicationFactor, uuid -> false, uuid -> false, true);
  }
}
