package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Reported changes that are not recorded in the catalog yet. Reports that arrive while a batch is
 * being written make up the next batch, so a thousand tablets that start at the same time are
 * recorded in a few batches.
 *
 * <p>Not thread-safe.
 */
final class PendingUpdates {
  /** Tablets in creation that have a leader now. */
  final Set<String> running = new HashSet<>();

  /** Tablets with running replicas that are still recorded as uncreated. */
  final Set<String> created = new HashSet<>();

  /** The latest reported committed configurations, by tablet. */
  final Map<String, ReportedConfig> configs = new HashMap<>();

  /**
   * For each tablet, the servers that have a replica, are no members, and are not recorded as
   * holders.
   */
  final Map<String, Set<String>> outsiders = new HashMap<>();

  /** Tables whose alteration or deletion may be complete. */
  final Set<String> tables = new HashSet<>();

  boolean isEmpty() {
    return running.isEmpty()
        && created.isEmpty()
        && configs.isEmpty()
        && outsiders.isEmpty()
        && tables.isEmpty();
  }

  /** A configuration, and the term of the leader that reported it. */
  record ReportedConfig(long term, RaftConfigPB config) {
    boolean isLaterThan(ReportedConfig other) {
      return term > other.term
          || (term == other.term && config.getOpidIndex() > other.config.getOpidIndex());
    }
  }
}
