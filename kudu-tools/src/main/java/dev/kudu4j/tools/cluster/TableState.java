package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.common.SchemaPB;
import java.util.List;

/**
 * A table as the master knows it.
 *
 * @param error why the master could not tell where its tablets are; empty when it could
 */
record TableState(
    String id,
    String name,
    int replicationFactor,
    SchemaPB schema,
    List<TabletState> tablets,
    String error) {

  /** A tablet and where the master says it is. */
  record TabletState(String id, List<Placement> placements) {}

  /** A replica by the master's word. */
  record Placement(String server, boolean leader, boolean voter) {}
}
