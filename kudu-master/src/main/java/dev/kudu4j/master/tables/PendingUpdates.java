package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What has become known since it was last recorded. A thousand tablets that start at once are told
 * one by one, but recorded in a few batches: whatever comes in while one is being written makes up
 * the next.
 *
 * <p>Not thread-safe.
 */
final class PendingUpdates {
  /** Tablets that have a leader now. */
  final Set<String> running = new HashSet<>();

  /** Tablets that have replicas which are recorded as uncreated. */
  final Set<String> created = new HashSet<>();

  /** Committed configurations by tablet. */
  final Map<String, ToldConfig> configs = new HashMap<>();

  /** Servers by tablet that are no members, are not recorded, and have a replica. */
  final Map<String, Set<String>> outsiders = new HashMap<>();

  /** Tables of which something may have come to its end. */
  final Set<String> tables = new HashSet<>();

  boolean isEmpty() {
    return running.isEmpty()
        && created.isEmpty()
        && configs.isEmpty()
        && outsiders.isEmpty()
        && tables.isEmpty();
  }

  /** A configuration, and the term of the leader that told it. */
  record ToldConfig(long term, RaftConfigPB config) {
    boolean isLaterThan(ToldConfig other) {
      return term > other.term
          || (term == other.term && config.getOpidIndex() > other.config.getOpidIndex());
    }
  }
}
