package dev.kudu4j.master.tables;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which replicas that the records still call uncreated were reported to run. In the end they are
 * recorded, together with other news of their tablet, so that a new replica costs no write of its
 * own on a table's way to being ready.
 *
 * <p>Thread-safe.
 */
final class Creations {
  private final Map<String, Set<String>> serversByTablet = new ConcurrentHashMap<>();

  /** Tells whether this is news. */
  boolean replicaRuns(String tabletId, String serverUuid) {
    return serversByTablet
        .computeIfAbsent(tabletId, id -> ConcurrentHashMap.newKeySet())
        .add(serverUuid);
  }

  /** It is not there after all. */
  void replicaGone(String tabletId, String serverUuid) {
    serversByTablet.computeIfPresent(
        tabletId,
        (id, servers) -> {
          servers.remove(serverUuid);
          return servers;
        });
  }

  boolean isRunning(String tabletId, String serverUuid) {
    return serversByTablet.getOrDefault(tabletId, Set.of()).contains(serverUuid);
  }

  /** Every replica of the tablet is recorded, or the tablet is gone. */
  void forget(String tabletId) {
    serversByTablet.remove(tabletId);
  }
}
