package dev.kudu4j.master.rebalance;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a cluster's replicas are, at one moment.
 *
 * @param locations of the servers that replicas may be moved from and to, by uuid; empty text where
 *     locations do not matter
 * @param leaving servers that shall lose all replicas; not among the others
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
   * @param holders its voters
   * @param leader one of them; empty when not known
   * @param settled whether it may be moved: all its replicas are there and well, and none is moving
   */
  public record Placement(
      String tablet,
      String table,
      int replicationFactor,
      List<String> holders,
      String leader,
      boolean settled) {
    public Placement {
      holders = List.copyOf(holders);
    }
  }
}
