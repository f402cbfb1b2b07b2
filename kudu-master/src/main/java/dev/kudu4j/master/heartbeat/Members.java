package dev.kudu4j.master.heartbeat;

import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.master.catalog.Ids;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The members of a Raft group as the catalog compares them: their uuids, and which of them vote.
 */
final class Members {
  private Members() {}

  /**
   * Whether two configurations have the same members and voters. Their indexes may differ, since an
   * election also commits a configuration.
   */
  static boolean same(RaftConfigPB a, RaftConfigPB b) {
    return votes(a).equals(votes(b));
  }

  private static Set<Map.Entry<String, RaftPeerPB.MemberType>> votes(RaftConfigPB config) {
    Set<Map.Entry<String, RaftPeerPB.MemberType>> votes = new HashSet<>();
    for (RaftPeerPB peer : config.getPeersList()) {
      votes.add(Map.entry(Ids.fromWire(peer.getPermanentUuid()), peer.getMemberType()));
    }
    return votes;
  }

  /**
   * A reported configuration as it is recorded. The addresses of its members are added, since a
   * tablet server knows only its own; their health is removed, since it changes all the time.
   */
  static RaftConfigPB withAddresses(
      RaftConfigPB reported, RaftConfigPB recorded, ServerRegistry servers) {
    Map<String, RaftPeerPB> known = new HashMap<>();
    for (RaftPeerPB peer : recorded.getPeersList()) {
      known.put(Ids.fromWire(peer.getPermanentUuid()), peer);
    }
    RaftConfigPB.Builder config = reported.toBuilder();
    for (RaftPeerPB.Builder peer : config.getPeersBuilderList()) {
      peer.clearHealthReport();
      String uuid = Ids.fromWire(peer.getPermanentUuid());
      RegisteredServer server = servers.get(uuid);
      RaftPeerPB addresses = server != null ? server.asVoter() : known.get(uuid);
      if (addresses != null) {
        peer.setLastKnownAddr(addresses.getLastKnownAddr()).setRaftAddr(addresses.getRaftAddr());
      }
    }
    return Messages.ownCopy(config.build());
  }
}
