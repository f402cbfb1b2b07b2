package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.common.SchemaPB;
import java.util.List;

/**
 * A table, as the master describes it.
 *
 * @param error why the master did not return the locations of its tablets; empty if it did
 */
record TableState(
    String id,
    String name,
    int replicationFactor,
    SchemaPB schema,
    List<TabletState> tablets,
    String error) {

  /** A tablet and its locations according to the master. */
  record TabletState(String id, List<Placement> placements) {}

  /** A replica according to the master. */
  record Placement(String server, boolean leader, boolean voter) {}
}
