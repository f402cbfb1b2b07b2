package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The consensus state of the catalog, as each master reports it: leader and voters. The masters
 * share one catalog, so their states should be equal. A master that reports no state, such as one
 * of an older version, is ignored.
 */
record CatalogConsensusStates(Map<ServerState, String> byMaster) {
  /** The id of the catalog tablet. */
  static final String CATALOG = "0".repeat(32);

  static CatalogConsensusStates of(List<ServerState> masters) {
    Map<ServerState, String> states = new LinkedHashMap<>();
    for (ServerState master : masters) {
      ConsensusStatePB state = master.consensus().get(CATALOG);
      if (state != null) {
        states.put(master, text(state));
      }
    }
    return new CatalogConsensusStates(states);
  }

  private static String text(ConsensusStatePB state) {
    String voters =
        state.getCommittedConfig().getPeersList().stream()
            .filter(peer -> peer.getMemberType() != RaftPeerPB.MemberType.NON_VOTER)
            .map(peer -> peer.getPermanentUuid().toStringUtf8())
            .sorted()
            .collect(Collectors.joining(", "));
    String leader = state.getLeaderUuid().isEmpty() ? "nobody" : state.getLeaderUuid();
    return leader + " leads " + voters;
  }

  boolean agree() {
    return byMaster.values().stream().distinct().count() <= 1;
  }
}
