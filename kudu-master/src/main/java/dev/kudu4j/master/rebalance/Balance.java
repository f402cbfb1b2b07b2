package dev.kudu4j.master.rebalance;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The distribution of a cluster's replicas at one moment.
 *
 * @param locations the locations of the servers that replicas may be moved from and to, by uuid; an
 *     empty text if the cluster has no locations
 * @param leaving servers that shall lose all replicas; they are not in {@code locations}
 */
public record Balance(Map<String, String> locations, Set<String> leaving, List<Placement> tablets) {
  public Balance {
    locations = Map.copyOf(locations);
    leaving = Set.copyOf(leaving);
    tablets = List.copyOf(tablets);
  }

  /**
   * One tablet.
   *
   * @param table id of its table
   * @param holders uuids of its voters
   * @param leader uuid of the leader; empty when not known
   * @param movable whether a replica may be moved: all replicas exist and are healthy, and none is
   *     being moved
   */
  public record Placement(
      String tablet,
      String table,
      int replicationFactor,
      List<String> holders,
      String leader,
      boolean movable) {
    public Placement {
      holders = List.copyOf(holders);
    }
  }
}
