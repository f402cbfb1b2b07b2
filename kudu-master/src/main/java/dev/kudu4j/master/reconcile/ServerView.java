package dev.kudu4j.master.reconcile;

import dev.kudu4j.master.proto.catalog.ServerEntryPB;
import java.util.Map;
import java.util.Set;

/**
 * The tablet servers at one moment. Immutable.
 *
 * @param live uuids of the servers that count as live
 * @param available uuids of the servers that could get another replica now
 * @param states the states that operators have given servers, by uuid
 */
public record ServerView(
    Set<String> live, Set<String> available, Map<String, ServerEntryPB.State> states) {
  public ServerView {
    live = Set.copyOf(live);
    available = Set.copyOf(available);
    states = Map.copyOf(states);
  }

  boolean isLive(String uuid) {
    return live.contains(uuid);
  }

  /** Whether the server is neither in maintenance nor decommissioned. */
  boolean takesReplicas(String uuid) {
    return !states.containsKey(uuid);
  }

  boolean isInMaintenance(String uuid) {
    return states.get(uuid) == ServerEntryPB.State.MAINTENANCE;
  }

  boolean isDecommissioned(String uuid) {
    return states.get(uuid) == ServerEntryPB.State.DECOMMISSIONED;
  }
}
