package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import java.util.Map;

/**
 * A master or tablet server and the state that it reported.
 *
 * @param error why the server is not healthy; empty if it is healthy
 * @param version empty if unknown
 * @param role the role of a master: LEADER or FOLLOWER; empty for a tablet server
 * @param replicas the server's replicas, by tablet; empty if the server did not respond
 * @param consensus the consensus states of the server's replicas that are members, by tablet
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

  /** Whether the server reported its state, even if it is not healthy. */
  boolean hasAnswered() {
    return isHealthy() || health == ServerHealth.REPORTS_FAIL;
  }

  /** {@code uuid (address)}. */
  String name() {
    return uuid + " (" + address + ")";
  }

  /** The number of tablets that the server leads, according to its report. */
  long leaderCount() {
    return consensus.values().stream().filter(state -> state.getLeaderUuid().equals(uuid)).count();
  }
}
