package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the masters say of their own group: who leads it and who votes. They have one catalog among
 * them, so they ought to say the same. A master that says nothing of it, as one of an older
 * version, takes no part.
 */
record CatalogViews(Map<ServerState, String> byMaster) {
  /** The tablet that holds the catalog. */
  static final String CATALOG = "0".repeat(32);

  static CatalogViews of(List<ServerState> masters) {
    Map<ServerState, String> views = new LinkedHashMap<>();
    for (ServerState master : masters) {
      ConsensusStatePB state = master.consensus().get(CATALOG);
      if (state != null) {
        views.put(master, view(state));
      }
    }
    return new CatalogViews(views);
  }

  private static String view(ConsensusStatePB state) {
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
