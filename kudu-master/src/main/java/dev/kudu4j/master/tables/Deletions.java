package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TabletInfo;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which replicas of dropped tablets are known to be gone. Not stored: a new leader asks again, and
 * "there is none" is an answer too. Thread-safe.
 */
final class Deletions {
  private final Map<String, Set<String>> goneByTablet = new ConcurrentHashMap<>();

  void replicaGone(String tabletId, String serverUuid) {
    goneByTablet
        .computeIfAbsent(tabletId, id -> ConcurrentHashMap.newKeySet())
        .add(serverUuid);
  }

  boolean isGone(String tabletId, String serverUuid) {
    return goneByTablet.getOrDefault(tabletId, Set.of()).contains(serverUuid);
  }

  /** Whether no member has a replica any more. */
  boolean isComplete(TabletInfo tablet) {
    for (RaftPeerPB peer : tablet.config().getPeersList()) {
      if (!isGone(tablet.id(), Ids.fromWire(peer.getPermanentUuid()))) {
        return false;
      }
    }
    return true;
  }

  void forget(String tabletId) {
    goneByTablet.remove(tabletId);
  }
}
