package dev.kudu4j.master.tables;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which servers that are no members of a tablet are known to hold no data of it: a tombstone at
 * most. Not stored: a new leader asks again.
 *
 * <p>Thread-safe.
 */
final class Tombstones {
  private final Map<String, Set<String>> serversByTablet = new ConcurrentHashMap<>();

  void replicaBuried(String tabletId, String serverUuid) {
    serversByTablet.computeIfAbsent(tabletId, id -> ConcurrentHashMap.newKeySet()).add(serverUuid);
  }

  /** There is one that is no tombstone. */
  void replicaSeen(String tabletId, String serverUuid) {
    serversByTablet.computeIfPresent(
        tabletId,
        (id, servers) -> {
          servers.remove(serverUuid);
          return servers;
        });
  }

  boolean isBuried(String tabletId, String serverUuid) {
    return serversByTablet.getOrDefault(tabletId, Set.of()).contains(serverUuid);
  }

  void forget(String tabletId) {
    serversByTablet.remove(tabletId);
  }
}
