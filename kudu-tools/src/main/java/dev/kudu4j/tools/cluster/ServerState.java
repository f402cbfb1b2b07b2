package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import java.util.Map;

/**
 * A master or tablet server and what it said.
 *
 * @param error why it is not healthy; empty when it is
 * @param version empty when not known
 * @param role of a master: LEADER or FOLLOWER; of a tablet server, empty
 * @param replicas by tablet; of a server that did not answer, none
 * @param consensus by tablet, of replicas that take part
 */
record ServerState(
    String uuid,
    String address,
    ServerHealth health,
    String error,
    String version,
    String role,
    String location,
    Map<String, TabletStatusPB> replicas,
    Map<String, ConsensusStatePB> consensus) {

  boolean isHealthy() {
    return health == ServerHealth.HEALTHY;
  }

  /** Whether it said what it has, healthy or not. */
  boolean hasAnswered() {
    return isHealthy() || health == ServerHealth.REPORTS_FAIL;
  }

  /** {@code uuid (address)}. */
  String name() {
    return uuid + " (" + address + ")";
  }

  /** How many tablets it leads, by its own word. */
  long leaderCount() {
    return consensus.values().stream().filter(state -> state.getLeaderUuid().equals(uuid)).count();
  }
}
